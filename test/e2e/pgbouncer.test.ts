import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import { sql } from "kysely";
import { openDatabase } from "../../packages/control/src/db/engine/pool.ts";
import { generateRootKey } from "../../packages/control/src/index.ts";
import {
  connect,
  eventually,
  freshZone,
  get,
  openCaller,
  openSession,
  proofOf,
  putZone,
  toEdge,
} from "../support/connecting.ts";
import { brokenInvariants } from "../support/connection-invariants.ts";
import { createTestDatabase, type TestDatabase } from "../support/database.ts";
import { serveProduct } from "../support/mooring-serve.ts";
import { type PgBouncer, startPgBouncer } from "../support/pgbouncer.ts";
import { proofSize } from "../support/proof-size.ts";

const sessions = 6;
const domains = proofSize(12, 500);

/** Debian's PgBouncer gives each transaction another session, and knows no prepared statements. */
describe("PgBouncer in transaction mode", { timeout: proofSize(280_000, 3_600_000) }, () => {
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

  it("runs each statement under the pool's role and limits, and leaves none behind", async () => {
    const pooled = openDatabase({
      url: database.url,
      role: "mooring_api",
      pooler: bouncer.address,
      max: 20,
    });
    const scopes = ["018f0000-0000-7000-8000-000000000001", "018f0000-0000-7000-8000-000000000002"];
    const seen = (index: number) => {
      const tenantId = scopes[index % 2] ?? "";
      return pooled.tenant({ tenantId, environment: "test" }, async (tx) => {
        const { rows } = await pooled.pool.query("select current_user as name");
        assert.equal(rows[0]?.name, "mooring_api");
        const own = await sql`select current_user as name, current_setting('app.tenant') as tenant,
          current_setting('statement_timeout') as timeout`.execute(tx);
        assert.deepEqual(own.rows, [{ name: "mooring_api", tenant: tenantId, timeout: "3500ms" }]);
      });
    };
    // No more at once than half the sessions: each holds one and asks for another.
    for (let round = 0; round < 40; round += 1) {
      await Promise.all([seen(0), seen(1), seen(2)]);
    }
    await assert.rejects(pooled.pool.query("select 1 / 0"), /division by zero/);
    const statement = { name: "once", text: "select $1::int as n" };
    for (let n = 0; n < 20; n += 1) {
      assert.deepEqual(await pooled.prepared(statement, [n]), [{ n }]);
    }
    const session = await openSession(database.url.replace(/@[^/]+/, `@${bouncer.address}`));
    for (let n = 0; n < sessions * 4; n += 1) {
      const { rows } = await session.query(
        "select session_user = current_user as plain, current_setting('app.tenant', true) as tenant",
      );
      assert.equal(rows[0]?.plain, true);
      assert.equal(rows[0]?.tenant ?? "", "");
    }
    await session.end();
    await pooled.close();
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
          putZone(caller, one.hostname.slice("www.".length), [proofOf(one), toEdge(one)]),
        ),
      );
      for (const { id, hostname } of made) {
        await eventually(`${hostname} live`, 120_000, async () => {
          return (await get(caller, id)).json()["state"] === "live";
        });
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
