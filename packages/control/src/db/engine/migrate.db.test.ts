import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import {
  type DedicatedPostgres,
  startDedicatedApp,
  startDedicatedPostgres,
} from "@mooring/testing/control/database-faults";
import { call } from "@mooring/testing/control/http";
import { createEmptyDatabase, type TestDatabase } from "@mooring/testing/database/database";
import pg from "pg";
import { migrate, schemaVersions } from "./migrate.ts";

async function connected<T>(url: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}

async function inEmptyDatabase(work: (database: TestDatabase) => Promise<void>): Promise<void> {
  const database = await createEmptyDatabase();
  try {
    await work(database);
  } finally {
    await database.drop();
  }
}

describe("migrations", () => {
  it("are applied once by four processes that start at once", () =>
    inEmptyDatabase(async ({ url }) => {
      assert.equal((await schemaVersions(url)).actual, 0);
      const reports = await Promise.all([1, 2, 3, 4].map(() => migrate(url)));
      const { expected, actual } = await schemaVersions(url);
      assert.equal(actual, expected);
      assert.deepEqual(new Set(reports.map((report) => report.version)), new Set([expected]));
      const working = reports.filter((report) => report.applied.length > 0);
      assert.equal(working.length, 1);
      assert.equal(working[0]?.applied.length, expected, "numbered without gaps");
      assert.deepEqual((await migrate(url)).applied, []);
    }));

  it("are refused when one was edited after it was applied, or is of a newer version", () =>
    inEmptyDatabase(async ({ url }) => {
      await migrate(url);
      await connected(url, async (client) => {
        const edit = "update schema_migrations set checksum = reverse(checksum) where version = 1";
        await client.query(edit);
        await assert.rejects(migrate(url), /0001_\w+\.sql was changed after it was applied/);
        await client.query(edit);
        await migrate(url);
        await client.query("insert into schema_migrations values (9999, 'x', 'x', now())");
        await assert.rejects(migrate(url), /migration 9999, which this version does not know/);
      });
    }));

  it("leave nothing of a file that failed half way", () =>
    inEmptyDatabase(async ({ url }) => {
      await connected(url, (client) => client.query("create table audit_log (x int)"));
      await assert.rejects(migrate(url), /audit_log.*already exists/);
      await connected(url, async (client) => {
        const { rows } = await client.query("select to_regclass('tenants') as tenants");
        assert.deepEqual(rows, [{ tenants: null }]);
        await client.query("drop table audit_log");
      });
      const { expected } = await schemaVersions(url);
      assert.equal((await migrate(url)).applied.length, expected);
    }));

  it("wait for a held lock in tries of a second, and go through when it is free", () =>
    inEmptyDatabase(async ({ url }) => {
      await connected(url, async (client) => {
        // An uncommitted table of the same name makes the creation wait for its transaction.
        await client.query("begin; create table tenants (id int)");
        let isDone = false;
        const migrating = migrate(url).finally(() => {
          isDone = true;
        });
        const { tries, longest } = await connected(url, watchLockWaits);
        assert.equal(isDone, false);
        assert.ok(tries >= 3);
        assert.ok(longest < 4_000, `waited ${longest} ms at once`);
        await client.query("rollback");
        assert.ok((await migrating).applied.length > 0);
      });
    }));

  /** Follows the migration's session through three waits: how many it began, the longest in ms. */
  async function watchLockWaits(client: pg.Client): Promise<{ tries: number; longest: number }> {
    const began = new Set<string>();
    let longest = 0;
    while (began.size < 3) {
      const { rows } = await client.query<{ start: string; waited: number }>(
        `select xact_start::text as start,
           (extract(epoch from clock_timestamp() - query_start) * 1000)::float8 as waited
         from pg_stat_activity where datname = current_database()
         and application_name = 'mooring_migrate' and wait_event_type = 'Lock'`,
      );
      for (const row of rows) {
        began.add(row.start);
        longest = Math.max(longest, row.waited);
      }
    }
    return { tries: began.size, longest: Math.round(longest) };
  }
});

describe("migrations by an ordinary owner", () => {
  let server: DedicatedPostgres;
  before(async () => {
    server = await startDedicatedPostgres();
  });
  after(() => server.close());

  it("who may create roles make a database on which the API works", async () => {
    await connected(server.url, async (client) => {
      await client.query("create role keeper login createrole password 'of-this-test'");
      await client.query("create database owned owner keeper");
    });
    const url = new URL(server.url);
    url.username = "keeper";
    url.password = "of-this-test";
    url.pathname = "/owned";
    const app = await startDedicatedApp(url.toString());
    try {
      const key = app.first.keys.live;
      const made = await call(app.api.url, "/v1/applications", { key, body: { name: "Owned" } });
      assert.equal(made.status, 201, made.text);
      const list = await call(app.api.url, "/v1/applications", { key });
      assert.match(list.text, /Owned/);
      const usage = await call(app.api.url, "/v1/usage", { key });
      assert.equal(usage.status, 200, usage.text);
    } finally {
      await app.close();
    }
    await connected(url.toString(), async (client) => {
      const { rows } = await client.query(
        "select rolsuper from pg_roles where rolname = current_user",
      );
      assert.deepEqual(rows, [{ rolsuper: false }]);
    });
  });
});
