import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import {
  type Caller,
  connect,
  freshZone,
  get,
  type Made,
} from "@mooring/testing/clients/connecting";
import { call } from "@mooring/testing/control/http";
import { type LifecycleApp, startLifecycle } from "@mooring/testing/processes/lifecycle-app";
import { until } from "@mooring/testing/processes/until";
import { listParked, wakeParkedWork } from "../../operator/parked.ts";

describe("a connection whose checks fail for good", () => {
  let life: LifecycleApp;
  let caller: Caller;
  let made: Made;
  before(async () => {
    life = await startLifecycle();
    caller = await life.caller("Acme");
    made = await connect(caller, `shop.${freshZone()}`);
    await life.checkAll();
  });
  after(() => life.close());

  /**
   * The row's own fault: the database refuses what the next check writes. In one step, since a
   * check in between would leave a row that cannot even be claimed.
   */
  const refuse = () =>
    life.session.query(
      `begin;
       alter table connections add constraint refused check (id <> '${made.id}' or checks < 3) not valid;
       update connections set checks = 2 where id = '${made.id}';
       commit`,
    );
  const repair = () => life.session.query("alter table connections drop constraint refused");

  interface Row {
    readonly due_at: Date | null;
    readonly failures: number;
    readonly error_code: string | null;
  }
  async function row(): Promise<Row> {
    const { rows } = await life.session.query<Row>(
      `select k.due_at, k.failures, c.error_code
       from connections c join connection_checks k on k.connection_id = c.id where c.id = $1`,
      [made.id],
    );
    assert.ok(rows[0]);
    return rows[0];
  }

  async function fail(): Promise<void> {
    await refuse();
    for (let failures = 1; failures <= 5; failures += 1) {
      life.app.clock.advance(30 * 60_000);
      await until(async () => (await row()).failures >= failures, `failure ${failures}`);
    }
  }

  const parkedRows = async (): Promise<number> => {
    const { text } = await call(caller.base, "/metrics");
    return Number(/^mooring_parked_rows\{work="connections"\} (\d+)$/m.exec(text)?.[1]);
  };

  it("is parked with an error code after five tries, and seen in list, diagnosis and metrics", async () => {
    await fail();
    await until(async () => (await row()).due_at === null, "the row is parked");
    assert.equal((await row()).error_code, "check_failed");
    life.app.clock.advance(24 * 3_600_000);
    const { key } = caller;
    const listed = await call(caller.base, "/v1/connections", { key });
    assert.match(listed.text, /"error_code":"check_failed"/);
    const diagnosis = await call(caller.base, `/v1/connections/${made.id}/diagnosis`, { key });
    assert.match(diagnosis.text, /"code":"check_failed".*"actor":"operator"/);
    await until(async () => (await parkedRows()) === 1, "the metric");
    const timeline = await call(caller.base, `/v1/connections/${made.id}/events`, { key });
    assert.match(timeline.text, /"error_code":"check_failed"/);
    const [parked] = await listParked(life.app.operator);
    assert.deepEqual([parked?.id, parked?.subject], [made.id, made.hostname]);
    assert.match(parked?.reason ?? "", /violates check constraint "refused"/);
  });

  it("is checked again by verify, once the fault is gone", async () => {
    await repair();
    await call(caller.base, `/v1/connections/${made.id}/verify`, {
      key: caller.key,
      method: "POST",
    });
    const after = await row();
    assert.ok(after.due_at !== null);
    assert.deepEqual([after.failures, after.error_code], [0, "txt_not_found"]);
  });

  it("is tried again when an operator wakes it, and checked once the fault is gone", async () => {
    await fail();
    await until(async () => (await row()).due_at === null, "the row is parked");
    assert.equal(await wakeParkedWork(life.app.operator, [made.id]), 1);
    await until(async () => (await row()).failures > 0, "a further failure");
    await repair();
    assert.equal(await wakeParkedWork(life.app.operator, "all"), (await row()).due_at ? 0 : 1);
    life.app.clock.advance(3_600_000);
    await until(async () => (await row()).error_code === "txt_not_found", "a check");
    assert.equal((await get(caller, made.id)).json()["error_code"], "txt_not_found");
    assert.deepEqual(await listParked(life.app.operator), []);
  });
});
