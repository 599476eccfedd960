import assert from "node:assert/strict";
import { randomInt } from "node:crypto";
import { after, before, describe, it } from "node:test";
import { setTimeout as delay } from "node:timers/promises";
import {
  type Caller,
  connect,
  connectionStream,
  freshZone,
  hurry,
  openCaller,
  openSession,
} from "@mooring/testing/clients/connecting";
import { startTestApp, type TestApp } from "@mooring/testing/control/app";
import { call } from "@mooring/testing/control/http";
import { brokenInvariants } from "@mooring/testing/database/connection-invariants";
import { startFleet, type WorkerFleet } from "@mooring/testing/processes/processes";
import { proofSize } from "@mooring/testing/processes/proof-size";
import { until } from "@mooring/testing/processes/until";
import type pg from "pg";
import {
  maxReports,
  recheckConnection,
  reportOrigins,
} from "../../../../packages/edge/src/db/origin-health.ts";
import { openPool } from "../../../../packages/edge/src/db/pool.ts";

const names = proofSize(20, 400);
const kills = proofSize(3, 120);
const refusals = proofSize(6, 60);
const leaseMs = 2_000;

/** The edge's reports reach workers that are killed while they write what follows from them. */
describe("trouble of live connections, with workers killed at random times", () => {
  let app: TestApp;
  let session: pg.Client;
  let pool: pg.Pool;
  let caller: Caller;
  let fleet: WorkerFleet;
  let ids: string[] = [];

  before(async () => {
    app = await startTestApp({ DNS_RESOLVERS: "127.0.0.1:1" });
    session = await openSession(app.databaseUrl);
    pool = openPool(app.databaseUrl, () => undefined);
    caller = await openCaller(app.api.url, (await app.tenant("Acme")).keys.test);
    fleet = await startFleet(2, {
      DATABASE_URL: app.databaseUrl,
      DATA_DIR: app.config.dataDir,
      DNS_RESOLVERS: "127.0.0.1:1",
      LOG_LEVEL: "warn",
      TEST_LEASE_MS: String(leaseMs),
    });
    const stream = connectionStream(caller, session);
    ids = (await stream.more(names)).map(({ id }) => id);
    await until(async () => {
      await stream.push();
      return (await stream.remaining()) === 0;
    }, "everything live");
  });
  after(async () => {
    await fleet.close();
    await pool.end();
    await session.end();
    await app.close();
  });

  /** What an edge does while all origins fail, or all answer. */
  async function report(isFailing: boolean): Promise<void> {
    const now = Date.now();
    const failures = isFailing ? [4, 3, 2, 1, 0].map((ago) => new Date(now - ago)) : [];
    const success = isFailing ? null : new Date(now);
    const reports = ids.map((connectionId) => ({ connectionId, failures, success }));
    for (let sent = 0; sent < reports.length; sent += maxReports) {
      const results = await reportOrigins(pool, reports.slice(sent, sent + maxReports));
      for (const { connectionId, change } of results) {
        if (change !== null) await recheckConnection(pool, connectionId, new Date());
      }
    }
  }

  async function withCode(isUnreachable: boolean): Promise<number> {
    const { rows } = await session.query<{ count: number }>(
      `select count(*)::int as count from connections
       where id = any ($1) and (error_code is not distinct from 'origin_unreachable') = $2`,
      [ids, isUnreachable],
    );
    return rows[0]?.count ?? 0;
  }

  /** Kills workers while `step` is repeated, until `isDone`; answers how many. */
  async function killUntil(
    what: string,
    step: () => Promise<void>,
    isDone: () => Promise<boolean>,
  ): Promise<number> {
    let killed = 0;
    await until(async () => {
      await step();
      if (killed < kills) {
        await delay(randomInt(150));
        await fleet.killAndReplace(randomInt(2));
        killed += 1;
        assert.deepEqual(await brokenInvariants(session), []);
      }
      return killed >= kills && (await isDone());
    }, what);
    return killed;
  }

  function reach(isFailing: boolean): Promise<number> {
    const what = `${isFailing ? "outages" : "recoveries"} of all`;
    const isDone = async () => (await withCode(isFailing)) === ids.length;
    return killUntil(what, () => report(isFailing), isDone);
  }

  it(`loses and doubles no event over ${2 * kills} kills`, async (t) => {
    const killed = (await reach(true)) + (await reach(false));
    const { rows } = await session.query<{ type: string; count: number; names: number }>(
      `select type, count(*)::int as count, count(distinct connection_id)::int as names
       from events where type like 'origin.%' group by type order by type`,
    );
    assert.deepEqual(rows, [
      { type: "origin.recovered", count: ids.length, names: ids.length },
      { type: "origin.unreachable", count: ids.length, names: ids.length },
    ]);
    assert.deepEqual(await brokenInvariants(session), []);
    t.diagnostic(`${killed} kills; ${ids.length} outages and recoveries, each reported once`);
  });

  it(`reports every refused credential once over ${kills} kills`, async (t) => {
    const made: string[] = [];
    const zone = freshZone();
    for (let index = 0; index < refusals; index += 1) {
      const shop = await openCaller(caller.base, caller.key, `Shop ${index}`);
      const body = { provider: "sandbox", name: "Old", fields: { token: "expired" } };
      const path = `/v1/applications/${shop.applicationId}/credentials`;
      assert.equal((await call(caller.base, path, { key: caller.key, body })).status, 201);
      made.push((await connect(shop, `c${index}.${zone}`)).id);
    }
    const isDone = async (): Promise<boolean> => {
      const { rowCount } = await session.query(
        `select 1 from connections where id = any ($1) and error_code = 'provider_auth'
           and setup_type = 'manual'`,
        [made],
      );
      return rowCount === made.length;
    };
    const killed = await killUntil("refusals of all", () => hurry(session), isDone);
    const { rows } = await session.query<{ count: number; credentials: number }>(
      `select count(*)::int as count,
         count(distinct body::json->'data'->'credential'->>'id')::int as credentials
       from events where type = 'credential.failing'`,
    );
    assert.deepEqual(rows, [{ count: made.length, credentials: made.length }]);
    t.diagnostic(`${killed} kills; ${made.length} refused credentials, each reported once`);
  });
});
