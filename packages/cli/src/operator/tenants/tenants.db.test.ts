import assert from "node:assert/strict";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { after, before, describe, it } from "node:test";
import { type CliResult, callCli, runCli } from "@mooring/testing/cli/run-cli";
import {
  createEmptyDatabase,
  createTestDatabase,
  type TestDatabase,
} from "@mooring/testing/database/database";
import pg from "pg";

describe("operator commands", () => {
  let database: TestDatabase;
  let dataDir = "";
  const mooring = (...args: string[]): Promise<CliResult> =>
    callCli(args, { DATABASE_URL: database.url, DATA_DIR: dataDir });

  before(async () => {
    database = await createTestDatabase();
    dataDir = await mkdtemp(path.join(tmpdir(), "mooring-cli-"));
  });
  after(async () => {
    await database.drop();
    await rm(dataDir, { recursive: true, force: true });
  });

  it("make a tenant with both keys, list it, and change its plan by name or id", async () => {
    const made = await mooring("tenants", "create", "Acme", "--json");
    assert.equal(made.code, 0, made.stderr);
    const { tenant, keys } = made.json() as {
      tenant: { id: string; plan: string };
      keys: { test: string; live: string };
    };
    assert.match(keys.test, /^sk_test_/);
    assert.match(keys.live, /^sk_live_/);
    assert.equal(tenant.plan, "self_hosted");

    const byName = await mooring("tenants", "set-plan", "Acme", "starter");
    assert.equal(byName.stdout, "Acme is on the plan starter\n");
    const byId = await mooring("tenants", "set-plan", tenant.id, "Growth", "--json");
    assert.equal(byId.code, 0, byId.stderr);
    const listed = await mooring("tenants", "list");
    assert.match(listed.stdout, new RegExp(`${tenant.id} +growth +active +\\S+ +Acme\n`));
  });

  it("make console links to the port of the service that runs on the data directory", async () => {
    await mooring("tenants", "create", "Linked");
    const served = await mkdtemp(path.join(dataDir, "served-"));
    await writeFile(path.join(served, "database-url"), database.url);
    const linkWith = async (env: Readonly<Record<string, string>>): Promise<string> => {
      const args = ["console", "link", "--tenant", "Linked", "--role", "viewer", "--json"];
      const made = await callCli(args, { DATA_DIR: served, ...env });
      assert.equal(made.code, 0, made.stderr);
      return new URL(String(made.json()["url"])).origin;
    };
    assert.equal(await linkWith({}), "http://localhost:8080");
    await writeFile(path.join(served, "base-url"), "http://localhost:9123\n");
    assert.equal(await linkWith({}), "http://localhost:9123");
    assert.equal(await linkWith({ PORT: "9124" }), "http://localhost:9124");
    assert.equal(await linkWith({ BASE_URL: "https://c.example" }), "https://c.example");
    assert.equal(await linkWith({ DATABASE_URL: database.url }), "http://localhost:8080");
  });

  it("suspend, resume and delete a tenant; deleting is a dry run without --yes", async () => {
    const made = await mooring("tenants", "create", "Ended", "--json");
    const { tenant } = made.json() as { tenant: { id: string } };
    const stateNow = async () => {
      const { stdout } = await mooring("tenants", "list");
      return new RegExp(`${tenant.id} +\\S+ +(\\S+)`).exec(stdout)?.[1];
    };
    const suspended = await mooring("tenants", "suspend", "Ended", "--reason", "unpaid");
    assert.equal(suspended.code, 0, suspended.stderr);
    assert.match(suspended.stdout, /^Ended is suspended: its names are served by the maintenance/);
    assert.equal(await stateNow(), "suspended");
    const resumed = await mooring("tenants", "resume", "Ended");
    assert.equal(resumed.stdout, "Ended is active again\n");
    assert.equal(await stateNow(), "active");

    const dry = await mooring("tenants", "delete", "Ended");
    assert.equal(dry.code, 0, dry.stderr);
    assert.match(dry.stdout, /^Would delete Ended/);
    assert.match(dry.stdout, /Ended now: 2 API keys, 0 sessions\n/);
    assert.match(dry.stdout, /2 applications, 0 members, .* 0 deliveries, 3 audit entries\n/);
    assert.match(dry.stdout, new RegExp(`To do it: mooring tenants delete ${tenant.id} --yes\n$`));
    assert.equal(await stateNow(), "active");
    const deleted = await mooring("tenants", "delete", "Ended", "--yes", "--json");
    assert.equal(deleted.code, 0, deleted.stderr);
    assert.partialDeepStrictEqual(deleted.json(), {
      applied: true,
      tenant: { state: "deleting" },
      counts: { api_keys: 2, open_connections: 0 },
    });
    assert.equal(await stateNow(), "deleting");
    const key = ["--tenant", "Ended", "--environment", "test", "--name", "late"];
    const refused = await mooring("keys", "create", ...key);
    assert.deepEqual(
      [refused.code, refused.stderr],
      [1, "mooring: Ended is being deleted: resume it first\n"],
    );
    const back = await mooring("tenants", "resume", tenant.id);
    assert.match(back.stdout, /^Ended is active again and will not be removed.\nWhat was archived/);
    assert.equal((await mooring("keys", "create", ...key)).code, 0);
    const absent = await mooring("tenants", "suspend", "Nobody");
    assert.deepEqual([absent.code, absent.stderr], [1, "mooring: there is no tenant Nobody\n"]);
  });

  it("make keys with the scopes asked for, and all of them when none is named", async () => {
    await mooring("tenants", "create", "Keys");
    const common = ["--tenant", "Keys", "--environment", "live", "--name", "mine", "--json"];
    const all = await mooring("keys", "create", ...common);
    assert.match(String(all.json()["key"]), /^sk_live_[0-9A-Za-z]{46}$/);
    assert.equal((all.json()["scopes"] as string[]).length, 5);
    const some = await mooring(
      "keys",
      "create",
      ...common,
      "--scope",
      "usage:read",
      "connections:read",
    );
    assert.deepEqual(some.json()["scopes"], ["usage:read", "connections:read"]);
  });

  it("list work that failed for good, and wake it", async () => {
    const none = await mooring("parked", "list");
    assert.equal(none.stdout, "Nothing is parked.\n");
    assert.deepEqual((await mooring("parked", "wake", "--all", "--json")).json(), { woken: 0 });
    assert.equal((await mooring("parked", "wake")).code, 2);
    assert.equal((await mooring("parked", "wake", "no-id")).code, 2);
  });

  it("install a newer list of registries, and no other file", async () => {
    const file = path.join(tmpdir(), `mooring-rdap-${process.pid}.json`);
    const services = [[["test"], ["https://rdap.example/"]]];
    const write = (publication: string) =>
      writeFile(file, JSON.stringify({ version: "1.0", publication, services }));
    try {
      await write("2020-01-01T00:00:00Z");
      const old = await mooring("rdap", "refresh", file);
      assert.equal(old.code, 1);
      assert.match(old.stderr, /the one in use, published 2026-\S+, is not older/);
      await write("2030-01-01T00:00:00Z");
      const done = await mooring("rdap", "refresh", file, "--json");
      assert.deepEqual(done.json(), {
        published_at: "2030-01-01T00:00:00.000Z",
        suffixes: 1,
        woken: 0,
      });
      await writeFile(file, "<html>");
      assert.match((await mooring("rdap", "refresh", file)).stderr, /the file is not JSON/);
    } finally {
      await rm(file, { force: true });
    }
    const none = await mooring("rdap", "refresh", file);
    assert.deepEqual([none.code, none.stderr], [1, `mooring: ${file}: there is no such file\n`]);
  });

  it("say what does not exist and end with 1", async () => {
    const noTenant = await mooring("tenants", "set-plan", "Nobody", "free");
    assert.deepEqual([noTenant.code, noTenant.stderr], [1, "mooring: there is no tenant Nobody\n"]);
    await mooring("tenants", "create", "Plans");
    const noPlan = await mooring("tenants", "set-plan", "Plans", "golden");
    assert.equal(noPlan.code, 1);
    assert.match(noPlan.stderr, /there is no plan golden; there are self_hosted, free/);
    const key = ["keys", "create", "--tenant", "Plans", "--environment", "test", "--name", "x"];
    const noApplication = await mooring(...key, "--application", "Shop");
    assert.equal(noApplication.code, 1);
    assert.match(noApplication.stderr, /Plans has no test application Shop/);
  });

  it("send the operator to `mooring migrate` when the schema is behind", async () => {
    const empty = await createEmptyDatabase();
    try {
      const env = { DATABASE_URL: empty.url, DATA_DIR: dataDir };
      // A process that cannot serve ends itself, so it is one of its own.
      for (const refused of [
        await callCli(["tenants", "list"], env),
        await runCli(["serve", "api"], env),
      ]) {
        assert.equal(refused.code, 78);
        assert.match(refused.stderr, /the database is empty .* run `mooring migrate`/);
      }
    } finally {
      await empty.drop();
    }
  });
});

describe("mooring migrate", () => {
  it("is safe from four places at once: each migration is applied by exactly one", async () => {
    const empty = await createEmptyDatabase();
    try {
      const env = { DATABASE_URL: empty.url };
      const runs = await Promise.all([1, 2, 3, 4].map(() => callCli(["migrate", "--json"], env)));
      for (const run of runs) assert.equal(run.code, 0, run.stderr);
      const applied = runs.flatMap((run) => run.json()["applied"] as string[]);
      assert.equal(new Set(applied).size, applied.length);
      assert.ok(applied.includes("0001_foundation.sql"));
      const again = await callCli(["migrate"], env);
      assert.match(again.stdout, /^nothing to do; the schema is at version \d+\n$/);
    } finally {
      await empty.drop();
    }
  });

  it("refuses a database of a newer release in one line", async () => {
    const ahead = await createTestDatabase();
    const client = new pg.Client({ connectionString: ahead.url });
    await client.connect();
    try {
      await client.query("insert into schema_migrations values (9999, 'later', '', now())");
      const refused = await callCli(["migrate"], { DATABASE_URL: ahead.url });
      assert.equal(refused.code, 78);
      assert.match(refused.stderr, /^mooring: the database has migration 9999, .*newer version\n$/);
    } finally {
      await client.end();
      await ahead.drop();
    }
  });
});
