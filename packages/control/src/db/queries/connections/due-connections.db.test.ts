import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import { connect, openCaller, openSession } from "@mooring/testing/clients/connecting";
import { startTestApp, type TestApp } from "@mooring/testing/control/app";
import { proofSize } from "@mooring/testing/processes/proof-size";
import { firstConnection } from "../../engine/first-connection.ts";
import { type Database, openDatabase } from "../../engine/pool.ts";
import { claimDueConnections, extendLeases, releaseConnection } from "./due-connections.ts";

const races = proofSize(50, 1_000);
const workers = 8;
const share = { recent: 32, running: 32 };
const shares = { tenant: share, test: share };

describe("claiming connections that are due", () => {
  let app: TestApp;
  const pools: Database[] = [];
  let id = "";
  before(async () => {
    app = await startTestApp({ DNS_RESOLVERS: "127.0.0.1:1" });
    const caller = await openCaller(app.api.url, (await app.tenant("Acme")).keys.test);
    ({ id } = await connect(caller, "shop.claiming.test"));
    for (let count = 0; count < workers; count += 1) {
      const pool = openDatabase({ url: app.databaseUrl, role: "mooring_worker", max: 1 });
      pools.push(pool);
      // One after the other: a pool waits a second for its connection.
      await firstConnection(pool.pool);
    }
  });
  after(async () => {
    await Promise.all(pools.map((pool) => pool.close()));
    await app.close();
  });

  const start = Date.now() + 3_600_000;
  const later = (ms: number): Date => new Date(start + ms);
  const claim = (pool: Database, now: number) =>
    claimDueConnections(pool, later(now), later(now + 30_000), 32, { busy: [], shares });

  it(`gives one row to one of ${workers} workers, in each of ${races} races`, async () => {
    for (let race = 0; race < races; race += 1) {
      const now = race * 60_000;
      const claimed = (await Promise.all(pools.map((pool) => claim(pool, now)))).flat();
      assert.equal(claimed.length, 1, `race ${race}`);
    }
  });

  it("refuses every word of a worker whose lease another has taken", async () => {
    const [first, second] = pools;
    assert.ok(first && second);
    const now = races * 60_000;
    const [leased] = await claim(first, now);
    assert.ok(leased);
    assert.deepEqual(await claim(second, now + 29_999), [], "a lease that runs is left alone");
    const [taken] = await claim(second, now + 30_000);
    assert.ok(taken && taken.lease > leased.lease);
    await extendLeases(first, new Map([[id, leased.lease]]), later(now + 600_000));
    await releaseConnection(first, leased, later(now + 600_000), 0);
    const session = await openSession(app.databaseUrl);
    const { rows } = await session.query<{ leased_until: Date; due_at: Date }>(
      "select leased_until, due_at from connection_checks where connection_id = $1",
      [id],
    );
    await session.end();
    assert.ok(rows[0] && rows[0].leased_until < later(now + 120_000));
    assert.ok(rows[0] && rows[0].due_at < later(now + 120_000));
  });
});
