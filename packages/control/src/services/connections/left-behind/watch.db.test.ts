import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import {
  archive,
  type Caller,
  connect,
  freshZone,
  get,
  issueCertificates,
  type Made,
  proofRecord,
  putZone,
  toEdge,
  type ZoneLine,
} from "@mooring/testing/clients/connecting";
import { call } from "@mooring/testing/control/http";
import { type LifecycleApp, startLifecycle } from "@mooring/testing/processes/lifecycle-app";
import { until } from "@mooring/testing/processes/until";
import { openDatabase } from "../../../db/engine/pool.ts";
import { sweepLeftBehind } from "./watch.ts";

const hour = 3_600_000;
const day = 24 * hour;

interface Left {
  readonly seen: string | null;
  readonly agreeing: number;
  readonly dangling: boolean;
  readonly version: number;
}

describe("a name that an archive left behind", () => {
  let life: LifecycleApp;
  let alice: Caller;
  let bob: Caller;
  before(async () => {
    life = await startLifecycle({ env: { EDGE_TARGETS: "unique" } });
    alice = await life.caller("Alice");
    bob = await life.caller("Bob");
  });
  after(() => life.close());

  async function live(caller: Caller, hostname: string, zone: string, ...more: ZoneLine[]) {
    const made = await connect(caller, hostname);
    await putZone(alice, zone, [proofRecord(made), toEdge(made), ...more]);
    await life.reach(made.id, "issuing_cert");
    await issueCertificates(life.session);
    await life.reach(made.id, "live");
    return made;
  }

  async function archived(): Promise<Made & { readonly zone: string }> {
    const zone = freshZone();
    const made = await live(alice, `shop.${zone}`, zone);
    await archive(alice, made.id);
    return { ...made, zone };
  }

  async function read(id: string): Promise<Left | null> {
    const { rows } = await life.session.query<Left>(
      `select seen, agreeing, dangling_since is not null as dangling, version::int as version
       from left_behind where connection_id = $1`,
      [id],
    );
    return rows[0] ?? null;
  }

  /** Lets the time pass and waits for the next lookup. */
  async function lookUp(id: string, afterMs: number): Promise<Left | null> {
    const before = (await read(id))?.version ?? 0;
    life.app.clock.advance(afterMs);
    await until(async () => {
      const now = await read(id);
      // One version for the lease, one for its result.
      return now === null || now.version >= before + 2;
    }, "a lookup");
    return read(id);
  }

  async function eventsOf(id: string): Promise<Record<string, unknown>[]> {
    const { rows } = await life.session.query<{ body: string }>(
      "select body from events where connection_id = $1 and type = 'domain.dangling' order by sequence",
      [id],
    );
    return rows.map(({ body }) => JSON.parse(body)["data"]);
  }

  async function listed(caller: Caller, query: string): Promise<string[]> {
    const answer = await call(caller.base, `/v1/connections?${query}`, { key: caller.key });
    return (answer.json()["data"] as { id: string }[]).map(({ id }) => id);
  }

  async function share(caller: Caller, id: string) {
    return call(caller.base, `/v1/connections/${id}/share`, { key: caller.key, body: {} });
  }

  it("is reported once after two answers that agree, listed, and ends when the record is gone", async () => {
    const made = await archived();
    assert.deepEqual(await read(made.id), {
      seen: null,
      agreeing: 0,
      dangling: false,
      version: 0,
    });
    const first = await lookUp(made.id, 26 * hour);
    assert.deepEqual([first?.seen, first?.dangling], ["here", false]);
    assert.deepEqual(await eventsOf(made.id), []);
    assert.equal((await share(alice, made.id)).status, 409, "nothing to remove is known");
    const second = await lookUp(made.id, 1.2 * hour);
    assert.equal(second?.dangling, true);
    const [event, ...others] = await eventsOf(made.id);
    assert.deepEqual(event?.["records"], [
      { host: made.hostname, type: "CNAME", value: "edge.localhost" },
    ]);
    assert.deepEqual(others, []);
    assert.equal((await get(alice, made.id)).json()["dangling"], true);
    assert.ok((await listed(alice, "dangling=true")).includes(made.id));
    assert.deepEqual(await listed(alice, "dangling=true&state=live"), []);
    assert.deepEqual(await listed(alice, `dangling=true&q=${made.hostname}`), [made.id]);
    assert.deepEqual(await listed(bob, "dangling=true"), []);

    await putZone(alice, made.zone, []);
    await lookUp(made.id, 1.2 * day);
    assert.equal((await get(alice, made.id)).json()["dangling"], true, "one answer is not enough");
    await lookUp(made.id, 1.2 * hour);
    assert.equal((await get(alice, made.id)).json()["dangling"], false);
    await putZone(alice, made.zone, [toEdge(made)]);
    await lookUp(made.id, 1.2 * day);
    await lookUp(made.id, 1.2 * hour);
    assert.equal((await get(alice, made.id)).json()["dangling"], true);
    assert.equal((await eventsOf(made.id)).length, 1, "once for each archive");
    assert.deepEqual(await life.broken(), []);
  });

  it("has a page that names the record to remove, in the reader's language, and offers no more", async () => {
    const made = await archived();
    await lookUp(made.id, 26 * hour);
    await lookUp(made.id, 1.2 * hour);
    const { status, ...link } = await share(alice, made.id);
    assert.equal(status, 201);
    const path = new URL(String(link.json()["url"])).pathname;
    const page = async (language: string) =>
      fetch(`${life.app.api.url}${path}`, { headers: { "accept-language": language } });
    const english = await (await page("en")).text();
    assert.match(english, /Please remove a DNS record of shop\./);
    assert.match(english, /<code[^>]*>edge\.localhost<\/code>/);
    assert.doesNotMatch(english, /_service-challenge|zone\.txt/);
    for (const [language, words] of [
      ["de", /Bitte entfernen Sie/],
      ["es", /Elimina un registro/],
      ["fr", /Merci de supprimer/],
      ["pt-BR", /Remova um registro/],
      ["ja", /削除してください/],
      ["ar", /يرجى إزالة/],
    ] as const) {
      assert.match(await (await page(language)).text(), words);
    }
    // Moved out of the table of those that are checked, it is the same.
    await life.session.query(
      `with moved as (delete from only connections where id = $1 returning *)
       insert into archived_connections select * from moved`,
      [made.id],
    );
    assert.equal((await page("en")).status, 200);
    assert.equal((await share(alice, made.id)).status, 201);
    assert.ok((await listed(alice, "dangling=true")).includes(made.id));

    // Somebody else connects it: the page ends, and the old tenant learns nothing.
    await live(bob, made.hostname, made.zone);
    assert.equal((await page("en")).status, 404);
    await lookUp(made.id, 1.2 * day);
    assert.equal((await get(alice, made.id)).json()["dangling"], false);
    assert.equal((await share(alice, made.id)).status, 409);
    const timeline = await call(alice.base, `/v1/connections/${made.id}/events`, {
      key: alice.key,
    });
    assert.doesNotMatch(timeline.text, /in_use|Bob/);
  });

  it("is of no concern when the record is made for another connection's target", async () => {
    const made = await archived();
    const other = `${"a".repeat(26)}.edge.localhost`;
    const line = { host: made.hostname, type: "CNAME", value: other, ttl: 60 };
    await putZone(alice, made.zone, [line]);
    assert.equal((await lookUp(made.id, 26 * hour))?.seen, "gone");
  });

  it("is watched when an earlier release archived it, also after it has moved", async () => {
    const [stays, moved] = [await archived(), await archived()];
    const ids = [stays.id, moved.id];
    await life.session.query("delete from left_behind where connection_id = any ($1)", [ids]);
    await life.session.query(
      `with moved as (delete from only connections where id = $1 returning *)
       insert into archived_connections select * from moved`,
      [moved.id],
    );
    const { operator, databaseUrl } = life.app;
    const worker = openDatabase({ url: databaseUrl, role: "mooring_worker" });
    try {
      await sweepLeftBehind({ ...operator, ...worker, database: worker });
      await sweepLeftBehind({ ...operator, ...worker, database: worker });
    } finally {
      await worker.close();
    }
    for (const id of ids) assert.equal((await read(id))?.version, 0);
    await lookUp(moved.id, 26 * hour);
    await lookUp(moved.id, 1.2 * hour);
    assert.equal((await read(moved.id))?.dangling, true);
    assert.equal((await eventsOf(moved.id)).length, 1);
    assert.ok((await listed(alice, "dangling=true")).includes(moved.id));
  });

  it("is watched for 90 days", async () => {
    const zone = freshZone();
    const made = await live(alice, `stays.${zone}`, zone);
    await archive(alice, made.id);
    await lookUp(made.id, 26 * hour);
    await lookUp(made.id, 1.2 * hour);
    assert.equal((await read(made.id))?.dangling, true);
    assert.equal(await lookUp(made.id, 90 * day), null);
    assert.equal((await get(alice, made.id)).json()["dangling"], false);
  });
});
