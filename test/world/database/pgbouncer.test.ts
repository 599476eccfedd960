import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import {
  connect,
  freshZone,
  get,
  openCaller,
  openSession,
  proofRecord,
  putZone,
  toEdge,
} from "@mooring/testing/clients/connecting";
import { brokenInvariants } from "@mooring/testing/database/connection-invariants";
import { createTestDatabase, type TestDatabase } from "@mooring/testing/database/database";
import { type PgBouncer, startPgBouncer } from "@mooring/testing/database/pgbouncer";
import { serveProduct } from "@mooring/testing/processes/mooring-serve";
import { proofSize } from "@mooring/testing/processes/proof-size";
import { until } from "@mooring/testing/processes/until";
import { generateRootKey } from "../../../packages/control/src/index.ts";

const sessions = 6;
const domains = proofSize(12, 500);

/** Debian's PgBouncer gives each transaction another session, and knows no prepared statements. */
describe("PgBouncer in transaction mode", () => {
  let database: TestDatabase;
  let bouncer: PgBouncer;
  before(async () => {
    database = await createTestDatabase();
    bouncer = await startPgBouncer(database.url, sessions);
  });
  after(async () => {
    await bouncer.close();
    await database.drop();
  });

  it("carries API, workers and edge, with more connections than the server has sessions", async (context) => {
    const product = await serveProduct({
      DATABASE_URL: database.url,
      DATABASE_POOLER: bouncer.address,
      SECRET_KEY: generateRootKey(),
    });
    try {
      const caller = await openCaller(product.base, product.keys?.test ?? "");
      const made = await Promise.all(
        Array.from({ length: domains }, () => connect(caller, `www.${freshZone()}`)),
      );
      await Promise.all(
        made.map((one) =>
          putZone(caller, one.hostname.slice("www.".length), [proofRecord(one), toEdge(one)]),
        ),
      );
      for (const { id, hostname } of made) {
        await until(async () => {
          return (await get(caller, id)).json()["state"] === "live";
        }, `${hostname} live`);
      }
      const { clients, servers } = await bouncer.counts();
      context.diagnostic(`${clients} clients share ${servers} sessions of the server`);
      assert.ok(servers <= sessions && clients > servers);
      const session = await openSession(database.url);
      assert.deepEqual(await brokenInvariants(session), []);
      await session.end();
    } finally {
      await product.stop();
    }
  });
});
