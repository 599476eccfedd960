import assert from "node:assert/strict";
import { mkdtempSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterEach, beforeEach, describe, it } from "node:test";
import { pathToFileURL } from "node:url";
import { createEmptyDatabase, type TestDatabase } from "@mooring/testing/database/database";
import { until } from "@mooring/testing/processes/until";
import pg from "pg";
import { migrate } from "./migrate.ts";

const indexFile = "0002_things_by_size.sql";

describe("a migration without a transaction", () => {
  let database: TestDatabase;
  let directory: string;
  let client: pg.Client;

  beforeEach(async () => {
    database = await createEmptyDatabase();
    directory = mkdtempSync(path.join(tmpdir(), "migrations-"));
    client = new pg.Client({ connectionString: database.url });
    await client.connect();
    write("0001_things.sql", "create table things (id int, size int);");
    write(
      indexFile,
      `-- no transaction
-- Things are listed by size.
create index concurrently if not exists things_by_size
  on things (size);
analyze things;
`,
    );
  });
  afterEach(async () => {
    await client.end();
    await database.drop();
    rmSync(directory, { recursive: true });
  });

  const write = (name: string, sql: string) => writeFileSync(path.join(directory, name), sql);
  const run = () => migrate(database.url, { directory: pathToFileURL(`${directory}/`) });

  async function validIndexes(): Promise<readonly boolean[]> {
    const { rows } = await client.query<{ indisvalid: boolean }>(
      "select indisvalid from pg_index where indexrelid = to_regclass('things_by_size')",
    );
    return rows.map((row) => row.indisvalid);
  }

  it("builds an index while an older transaction writes, and waits for it without a limit", async () => {
    await onlyFirst();
    await client.query("begin; insert into things values (1, 1)");
    const migrating = run();
    const other = new pg.Client({ connectionString: database.url });
    await other.connect();
    try {
      await until(async () => await isBuilding(other), "the build");
      // Reads and writes continue meanwhile.
      await other.query("insert into things values (2, 2)");
      await client.query("commit");
      assert.deepEqual((await migrating).applied, [indexFile]);
      assert.deepEqual(await validIndexes(), [true]);
    } finally {
      await other.end();
    }
  });

  it("is repeated after it was interrupted, without the unfinished index", async () => {
    await onlyFirst();
    await client.query("begin; insert into things values (1, 1)");
    const migrating = assert.rejects(run());
    const other = new pg.Client({ connectionString: database.url });
    await other.connect();
    try {
      await until(async () => await isBuilding(other), "the build");
      await other.query(
        "select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and application_name = 'mooring_migrate'",
      );
      await migrating;
    } finally {
      await other.end();
    }
    await client.query("commit");
    assert.deepEqual(await validIndexes(), [false]);
    assert.deepEqual((await run()).applied, [indexFile]);
    assert.deepEqual(await validIndexes(), [true]);
  });

  it("is repeated when it ended before it was recorded", async () => {
    await run();
    await client.query("delete from schema_migrations where version = 2");
    assert.deepEqual((await run()).applied, [indexFile]);
    assert.deepEqual((await run()).applied, []);
  });

  it("may contain nothing that cannot be repeated", async () => {
    write(indexFile, "-- no transaction\ncreate table others (id int);\n");
    await assert.rejects(run(), /0002_things_by_size\.sql cannot run without a transaction/);
    const { rows } = await client.query("select to_regclass('others') as others");
    assert.deepEqual(rows, [{ others: null }]);
  });

  async function onlyFirst(): Promise<void> {
    const second = path.join(directory, indexFile);
    renameSync(second, `${second}.later`);
    await run();
    renameSync(`${second}.later`, second);
  }

  async function isBuilding(other: pg.Client): Promise<boolean> {
    const { rows } = await other.query(
      `select from pg_stat_activity where datname = current_database()
         and application_name = 'mooring_migrate' and query like 'create index%' and wait_event_type = 'Lock'`,
    );
    return rows.length > 0;
  }
});
