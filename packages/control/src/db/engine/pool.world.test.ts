import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import { openSession } from "@mooring/testing/clients/connecting";
import { createTestDatabase, type TestDatabase } from "@mooring/testing/database/database";
import { type PgBouncer, startPgBouncer } from "@mooring/testing/database/pgbouncer";
import { sql } from "kysely";
import { openDatabase } from "./pool.ts";

const sessions = 6;

/** Debian's PgBouncer gives each transaction another session, and knows no prepared statements. */
describe("a pool through PgBouncer in transaction mode", () => {
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
});
