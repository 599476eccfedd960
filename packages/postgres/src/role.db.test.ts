import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { after, before, describe, it } from "node:test";
import { createTestDatabase, type TestDatabase } from "@mooring/testing/database/database";
import pg from "pg";
import { assertConfined } from "./role.ts";

describe("assertConfined", () => {
  let database: TestDatabase;
  /** Roles belong to the whole server, which other tests share. */
  const bypassing = `bypassing_${randomBytes(6).toString("hex")}`;
  before(async () => {
    database = await createTestDatabase();
  });
  after(() => database.drop());

  async function inRole(role: string | null): Promise<void> {
    const options = role === null ? {} : { options: `-c role=${role}` };
    const pool = new pg.Pool({ connectionString: database.url, ...options });
    pool.on("error", () => undefined); // the database is dropped before the session has ended
    try {
      await assertConfined(pool);
    } finally {
      await pool.end();
    }
  }

  it("accepts the roles of the product", async () => {
    for (const role of ["mooring_api", "mooring_worker", "mooring_edge", "mooring_operator"]) {
      await inRole(role);
    }
  });

  it("refuses a superuser, and names it", async () => {
    const { username } = new URL(database.url);
    await assert.rejects(
      inRole(null),
      new RegExp(`\\(${username}\\) is not bound by row security`),
    );
  });

  it("refuses a role that bypasses row security", async () => {
    const session = new pg.Client({ connectionString: database.url });
    await session.connect();
    await session.query(`create role ${bypassing} nologin bypassrls`);
    try {
      await assert.rejects(inRole(bypassing), /not bound by row security; refusing to start/);
    } finally {
      await session.query(`drop role ${bypassing}`);
      await session.end();
    }
  });
});
