import assert from "node:assert/strict";
import { mkdir, readdir, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, it } from "node:test";
import { makeScratch } from "@mooring/testing/embedded-postgres/scratch";
import { ensureCluster } from "./cluster.ts";
import { LocalPostgresError } from "./programs.ts";

const native = { directory: "/absent", version: "18.4.0", major: 18 };

async function clusterWith(files: Readonly<Record<string, string>>): Promise<string> {
  const directory = await makeScratch();
  await mkdir(join(directory, "data"));
  for (const [name, text] of Object.entries(files)) await writeFile(join(directory, name), text);
  return directory;
}

describe("ensureCluster", () => {
  for (const found of ["15", "17", "19"]) {
    it(`refuses a directory made by PostgreSQL ${found} and says what to do`, async (t) => {
      const directory = await clusterWith({
        "data/PG_VERSION": `${found}\n`,
        password: "secret\n",
      });
      t.after(() => rm(directory, { recursive: true }));
      await assert.rejects(ensureCluster({ directory, user: null }, "/absent", native), (error) => {
        assert.ok(error instanceof LocalPostgresError);
        assert.match(error.message, new RegExp(`made by PostgreSQL ${found}`));
        assert.match(error.message, /ships PostgreSQL 18/);
        assert.match(error.message, /DATABASE_URL/);
        assert.match(error.message, /move the directory away/);
        return true;
      });
      assert.deepEqual((await readdir(directory)).sort(), ["data", "password"]);
    });
  }

  it("refuses a directory with other content", async (t) => {
    const directory = await clusterWith({ "data/photo.jpg": "" });
    t.after(() => rm(directory, { recursive: true }));
    await assert.rejects(
      ensureCluster({ directory, user: null }, "/absent", native),
      /not a PostgreSQL data directory/,
    );
  });

  it("does not generate a new password for an existing database", async (t) => {
    const directory = await clusterWith({ "data/PG_VERSION": "18\n" });
    t.after(() => rm(directory, { recursive: true }));
    await assert.rejects(
      ensureCluster({ directory, user: null }, "/absent", native),
      /password is missing/,
    );
    assert.deepEqual(await readdir(directory), ["data"]);
  });
});
