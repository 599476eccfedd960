import assert from "node:assert/strict";
import { randomInt } from "node:crypto";
import { after, before, describe, it } from "node:test";
import { setTimeout as delay } from "node:timers/promises";
import {
  type Caller,
  connectionStream,
  openCaller,
  openSession,
} from "@mooring/testing/clients/connecting";
import { startTestApp, type TestApp } from "@mooring/testing/control/app";
import { brokenInvariants } from "@mooring/testing/database/connection-invariants";
import { startFleet, type WorkerFleet } from "@mooring/testing/processes/processes";
import { proofSize } from "@mooring/testing/processes/proof-size";
import { until } from "@mooring/testing/processes/until";
import type pg from "pg";

const kills = proofSize(5, 200);
const batch = proofSize(16, 40);
const leaseMs = 2_000;

describe("workers killed at random times", () => {
  let app: TestApp;
  let session: pg.Client;
  let caller: Caller;
  let fleet: WorkerFleet;
  before(async () => {
    app = await startTestApp({ DNS_RESOLVERS: "127.0.0.1:1" });
    session = await openSession(app.databaseUrl);
    caller = await openCaller(app.api.url, (await app.tenant("Acme")).keys.test);
    fleet = await startFleet(3, {
      DATABASE_URL: app.databaseUrl,
      DATA_DIR: app.config.dataDir,
      DNS_RESOLVERS: "127.0.0.1:1",
      LOG_LEVEL: "warn",
      TEST_LEASE_MS: String(leaseMs),
    });
  });
  after(async () => {
    await fleet.close();
    await session.end();
    await app.close();
  });

  it(`lose no transition and no event over ${kills} kills`, async (t) => {
    const stream = connectionStream(caller, session);
    let made = 0;
    let killed = 0;
    let caught = 0;
    /** At least one kill has to meet work in flight. */
    const isEnough = () => killed >= kills && caught > 0;
    const feed = async (): Promise<void> => {
      while (!isEnough()) {
        if ((await stream.remaining()) < batch / 2) made += (await stream.more(batch)).length;
        await stream.push();
        await delay(10);
      }
    };
    const kill = async (): Promise<void> => {
      while (!isEnough()) {
        await delay(randomInt(250));
        const { rowCount } = await session.query(
          "select 1 from connection_checks where leased_until > now()",
        );
        caught += rowCount && rowCount > 0 ? 1 : 0;
        await fleet.killAndReplace(randomInt(3));
        killed += 1;
        assert.deepEqual(await brokenInvariants(session), []);
      }
    };
    await Promise.all([feed(), kill()]);
    const lastKill = performance.now();
    await until(async () => {
      await stream.push();
      return (await stream.remaining()) === 0;
    }, "everything live");
    const tookMs = performance.now() - lastKill;
    assert.deepEqual(await brokenInvariants(session), []);
    t.diagnostic(
      `${killed} kills, ${caught} while rows were leased; ${made} connections went live, the last ${Math.round(tookMs)} ms after the last kill`,
    );
  });
});
