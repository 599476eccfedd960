import assert from "node:assert/strict";
import { it } from "node:test";
import { createTestDatabase } from "@mooring/testing/database/database";
import { until } from "@mooring/testing/processes/until";
import pg from "pg";
import { openPool } from "../db/pool.ts";
import { createPostgresPresence } from "../feed/postgres/reports.ts";
import { startPresence } from "./presence.ts";

it("an edge says that it runs, and for how many names, until it ends", async () => {
  const database = await createTestDatabase();
  const pool = openPool(database.url, () => undefined, { connections: 1 });
  const admin = new pg.Client({ connectionString: database.url });
  await admin.connect();
  const clock = { now: () => new Date() };
  const errors: unknown[] = [];
  const log = { warn: (fields: unknown) => void errors.push(fields) };
  try {
    const presence = startPresence({
      feed: createPostgresPresence({ pool, clock }),
      clock,
      log: log as unknown as Parameters<typeof startPresence>[0]["log"],
      port: 8443,
      hosts: { size: 7 },
    });
    const rows = async () =>
      (await admin.query("select address, version, certificates from edges")).rows;
    await until(async () => (await rows()).length === 1);
    const [row] = await rows();
    assert.match(row.address, /:8443$/);
    assert.equal(row.certificates, 7);
    await presence.stop();
    assert.deepEqual(await rows(), []);
    assert.deepEqual(errors, []);
  } finally {
    await admin.end();
    await pool.end();
    await database.drop();
  }
});
