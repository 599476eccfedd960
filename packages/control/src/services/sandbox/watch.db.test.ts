import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import {
  type Caller,
  connect,
  freshZone,
  get,
  issueCertificates,
  type Made,
  proofRecord,
  putZone,
  toEdge,
} from "@mooring/testing/clients/connecting";
import { call } from "@mooring/testing/control/http";
import { type LifecycleApp, startLifecycle } from "@mooring/testing/processes/lifecycle-app";
import { until } from "@mooring/testing/processes/until";

const minute = 60_000;

describe("a live sandbox name", () => {
  let life: LifecycleApp;
  let caller: Caller;
  let made: Made;
  const zone = freshZone();
  before(async () => {
    life = await startLifecycle();
    caller = await life.caller("Acme");
    made = await connect(caller, `shop.${zone}`);
    await putZone(caller, zone, [proofRecord(made), toEdge(made)]);
    await life.reach(made.id, "issuing_cert");
    await issueCertificates(life.session);
    await life.reach(made.id, "live");
  });
  after(() => life.close());

  interface Row {
    readonly due_at: Date;
    readonly watched_at: Date;
    readonly last_checked_at: Date;
  }

  async function row(): Promise<Row> {
    const { rows } = await life.session.query<Row>(
      `select k.due_at, c.watched_at, k.last_checked_at
       from connections c join connection_checks k on k.connection_id = c.id where c.id = $1`,
      [made.id],
    );
    assert.ok(rows[0]);
    return rows[0];
  }

  const paceSeconds = async (): Promise<number> => {
    const { due_at: due, last_checked_at: checked } = await row();
    return (due.getTime() - checked.getTime()) / 1_000;
  };

  const readZone = () =>
    call(caller.base, `/v1/sandbox/zones/${zone}/records`, { key: caller.key });

  it("is checked every 5 seconds for ten minutes after its last change, then every 5 minutes", async () => {
    await life.checkAll();
    assert.ok((await paceSeconds()) < 6);
    await life.checkAll(9 * minute);
    assert.ok((await paceSeconds()) < 6);
    await life.checkAll(2 * minute);
    const slow = await paceSeconds();
    assert.ok(slow > 260 && slow < 340, `${slow} s`);
  });

  for (const [what, read] of [
    ["it is", () => get(caller, made.id)],
    ["its zone is", readZone],
  ] as const) {
    it(`is checked often again when ${what} read, which writes once a minute at most`, async () => {
      await life.checkAll(11 * minute);
      assert.ok((await paceSeconds()) > 260);
      assert.equal((await read()).status, 200);
      const { due_at: due, watched_at: watched } = await row();
      assert.ok(due.getTime() - life.app.clock.now().getTime() <= 5_000);
      await Promise.all(Array.from({ length: 20 }, read));
      assert.deepEqual((await row()).watched_at, watched, "no write for each read");
      await life.checkAll();
      assert.ok((await paceSeconds()) < 6);
      life.app.clock.advance(minute);
      await read();
      assert.ok((await row()).watched_at > watched);
    });
  }

  it("is checked at once when its zone is written", async () => {
    await life.checkAll(11 * minute);
    const before = await row();
    assert.ok((await paceSeconds()) > 260);
    await putZone(caller, zone, [proofRecord(made), toEdge(made)]);
    const { watched_at: watched } = await row();
    assert.ok(watched > before.last_checked_at);
    await until(async () => (await row()).last_checked_at > before.last_checked_at, "a check");
    assert.ok((await paceSeconds()) < 6);
  });
});
