import assert from "node:assert/strict";
import { copyFile, mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { after, before, describe, it } from "node:test";
import { pathToFileURL } from "node:url";
import { generateRootKey, migrate } from "@mooring/control";
import { callCli } from "@mooring/testing/cli/run-cli";
import { connect, openCaller } from "@mooring/testing/clients/connecting";
import {
  type DedicatedPostgres,
  startDedicatedApp,
  startDedicatedPostgres,
} from "@mooring/testing/control/database-faults";
import { call } from "@mooring/testing/control/http";
import { fillTables } from "@mooring/testing/database/fill-tables";
import pg from "pg";

const migrations = path.resolve(import.meta.dirname, "../../../../control/migrations");

describe("mooring backup and restore, by an owner who is no superuser", () => {
  let server: DedicatedPostgres;
  let folder = "";
  let file = "";
  const secretKey = generateRootKey();
  before(async () => {
    server = await startDedicatedPostgres();
    folder = await mkdtemp(path.join(tmpdir(), "mooring-backup-"));
    file = path.join(folder, "mooring.backup");
    await asSuperuser("postgres", async (admin) => {
      await admin.query("alter system set fsync = off");
      await admin.query("select pg_reload_conf()");
      await admin.query("create role keeper login createrole password 'of-this-test'");
    });
    await createDatabase("migrated");
    await migrate(ownerUrl("migrated"));
    await createDatabase("source template migrated");
    await fillSource();
  });
  after(async () => {
    await server.close();
    await rm(folder, { recursive: true, force: true });
  });

  async function asSuperuser<T>(name: string, work: (admin: pg.Client) => Promise<T>): Promise<T> {
    const url = new URL(server.url);
    url.pathname = `/${name}`;
    const admin = new pg.Client({ connectionString: url.toString() });
    await admin.connect();
    try {
      return await work(admin);
    } finally {
      await admin.end();
    }
  }

  function ownerUrl(name: string): string {
    const url = new URL(server.url);
    Object.assign(url, { username: "keeper", password: "of-this-test", pathname: `/${name}` });
    return url.toString();
  }

  async function createDatabase(name: string): Promise<void> {
    await asSuperuser("postgres", (admin) => admin.query(`create database ${name} owner keeper`));
  }

  const mooring = (database: string, args: readonly string[], key = secretKey) =>
    callCli(args, { DATABASE_URL: ownerUrl(database), SECRET_KEY: key, DATA_DIR: folder });

  /** Rows in every table of a tenant, made by the API where it makes some. */
  async function fillSource(): Promise<void> {
    const app = await startDedicatedApp(ownerUrl("source"));
    const caller = await openCaller(app.api.url, app.first.keys.test);
    const ask = (route: string, body: unknown) =>
      call(app.api.url, route, { key: app.first.keys.test, body });
    const made = await connect(caller, "www.backup.test");
    const application = caller.applicationId;
    const credential = { provider: "sandbox", name: "mine", fields: { token: "sandbox" } };
    await ask(`/v1/applications/${application}/credentials`, credential);
    const hook = { application_id: application, url: "https://hook.example/", events: ["*"] };
    await ask("/v1/webhook-endpoints", hook);
    const tenant = app.first.tenant.id;
    await app.close();
    await asSuperuser("source", async (admin) => {
      for (const table of ["sessions", "sign_in_links"]) {
        const [columns, values] =
          table === "sessions"
            ? ["id, signed_in_by, last_seen_at,", "gen_random_uuid(), 'link', now(),"]
            : ["", ""];
        await admin.query(
          `insert into ${table} (${columns} token_hash, tenant_id, role, created_at, expires_at)
           values (${values} sha256('1'), $1, 'owner', now(), now())`,
          [tenant],
        );
      }
      const filled = await fillTables(admin, { tenant_id: tenant, connection_id: made.id });
      assert.ok(filled.length > 30);
      // Text that COPY must escape.
      await admin.query("update tenants set name = E'tab\\t, back\\\\slash,\\nline, \\\\N, ä'");
      // A row that is older than the check of new rows.
      await admin.query(
        `alter table webhook_endpoints drop constraint webhook_endpoints_masked;
         update webhook_endpoints set masked_url = null, sealed_url = 'v1.k';`,
      );
      await admin.query("select nextval('claim_epochs') from generate_series(1, 41)");
      await admin.query("create table of_somebody_else (id int)");
    });
  }

  /** What every table has, and the state of the sequences. */
  function readRows(name: string): Promise<Record<string, string>> {
    return asSuperuser(name, async (admin) => {
      const { rows: tables } = await admin.query<{ name: string; isSequence: boolean }>(
        `select relname as name, relkind = 'S' as "isSequence" from pg_class
         where relnamespace = 'public'::regnamespace and relkind in ('r', 'S')
           and relname not in ('schema_migrations', 'of_somebody_else')`,
      );
      const found: Record<string, string> = {};
      for (const { name: table, isSequence } of tables) {
        const { rows } = await admin.query<{ text: string }>(
          isSequence
            ? `select concat(last_value, is_called) as text from ${table}`
            : `select coalesce(string_agg(t::text, '|' order by t::text), '') as text from only ${table} t`,
        );
        found[table] = rows[0]?.text ?? "";
      }
      return found;
    });
  }

  /** Everything of the schema that a load takes off and makes again, and who may do what. */
  function readSchema(name: string): Promise<unknown> {
    return asSuperuser(name, async (admin) => {
      const { rows } = await admin.query(`
        select * from (select 'constraint', conrelid::regclass::text || conname, pg_get_constraintdef(oid)
          from pg_constraint where connamespace = 'public'::regnamespace
        union all select 'index', indexrelid::regclass::text, pg_get_indexdef(indexrelid) || indisvalid
          from pg_index join pg_class on oid = indrelid where relnamespace = 'public'::regnamespace
        union all select 'trigger', tgrelid::regclass::text || tgname, tgenabled::text
          from pg_trigger join pg_class c on c.oid = tgrelid
          where relnamespace = 'public'::regnamespace and not tgisinternal
        union all select 'relation', oid::regclass::text,
          concat(relkind, relrowsecurity, relforcerowsecurity, relacl, relowner::regrole)
          from pg_class where relnamespace = 'public'::regnamespace
        union all select 'policy', polrelid::regclass::text || polname,
          pg_get_expr(polqual, polrelid) || coalesce(pg_get_expr(polwithcheck, polrelid), '')
          from pg_policy
        union all select 'function', p.oid::regprocedure::text, concat(prosrc, proowner::regrole, proacl)
          from pg_proc p where pronamespace = 'public'::regnamespace
        union all select 'extension', extname, '' from pg_extension) s (kind, name, text)
        -- Partitions are made with their rows.
        where name !~ '^traffic_(hours|days)_2'
        order by 1, 2, 3`);
      return rows;
    });
  }

  it("writes a file for its owner alone, and never over another", async () => {
    const { code, stdout, stderr } = await mooring("source", ["backup", file, "--json"]);
    assert.equal(code, 0, stderr);
    const report = JSON.parse(stdout) as Record<string, unknown>;
    assert.deepEqual(report["left_out"], ["of_somebody_else"]);
    assert.equal((await stat(file)).mode & 0o777, 0o600);
    assert.equal((await stat(file)).size, report["bytes"]);
    const bytes = await readFile(file);
    const again = await mooring("source", ["backup", file]);
    assert.equal(again.code, 1);
    assert.match(again.stderr, /exists already/);
    assert.deepEqual(await readFile(file), bytes);
    assert.deepEqual((await readdir(folder)).sort(), ["mooring.backup"]);
    // Nothing of a tenant is readable in it.
    assert.ok(!bytes.includes("backup.test") && !bytes.includes("sandbox"));
  });

  it("restores every row, sealed values as they were, and the schema that a migration makes", async () => {
    await createDatabase("target");
    const { code, stdout, stderr } = await mooring("target", ["restore", file]);
    assert.equal(code, 0, stderr);
    assert.match(stdout, /the schema is at version \d+/);
    const [before, restored] = [await readRows("source"), await readRows("target")];
    assert.deepEqual(restored, before);
    for (const table of ["tenants", "credentials", "key_check", "webhook_endpoints", "events"]) {
      assert.notEqual(before[table], "", table);
    }
    assert.match(before["credentials"] ?? "", /v1\.k/);
    assert.deepEqual(await readSchema("target"), await readSchema("migrated"));
    await asSuperuser("target", async (admin) => {
      const { rows } = await admin.query("select rolsuper from pg_roles where rolname = 'keeper'");
      assert.deepEqual(rows, [{ rolsuper: false }]);
    });
  });

  it("is refused on a database that has anything in it", async () => {
    await createDatabase("used");
    await asSuperuser("used", (admin) => admin.query("create table mine (id int)"));
    const { code, stderr } = await mooring("used", ["restore", file]);
    assert.equal(code, 1);
    assert.match(stderr, /the database is not empty: it has mine: .* nothing was written/);
  });

  it("is refused for a file that was cut off or changed, and for another key", async () => {
    await createDatabase("untouched");
    const whole = await readFile(file);
    const other = path.join(folder, "other.backup");
    const flipped = (at: number): Buffer => {
      const bytes = Buffer.from(whole);
      bytes[at] = (bytes[at] ?? 0) ^ 1;
      return bytes;
    };
    const cases: readonly (readonly [string, Buffer, RegExp])[] = [
      ["cut off", whole.subarray(0, -1), /it was cut off or changed; nothing was written/],
      ["cut off half way", whole.subarray(0, whole.length / 2), /cut off or changed/],
      ["changed", flipped(whole.length - 100), /cut off or changed/],
      ["another release in the header", flipped(whole.indexOf('"release":"') + 11), /changed/],
      ["another file", Buffer.from("-- PostgreSQL database dump\n"), /not one that `mooring/],
      ["empty", Buffer.alloc(0), /not one that `mooring backup` has written/],
      ["a later format", Buffer.from("mooring-backup 2\n{}\n"), /written by a newer release/],
    ];
    for (const [what, bytes, expected] of cases) {
      await writeFile(other, bytes);
      const { code, stderr } = await mooring("untouched", ["restore", other]);
      assert.equal(code, 1, what);
      assert.match(stderr, expected, what);
    }
    const stranger = await mooring("untouched", ["restore", file], generateRootKey());
    assert.equal(stranger.code, 1);
    const [id] = secretKey.split(":");
    assert.match(stranger.stderr, new RegExp(`root key ${id}, which is not in SECRET_KEY`));
    const rotated = [generateRootKey(), secretKey].join(",");
    assert.equal((await mooring("untouched", ["restore", "--check", file], rotated)).code, 0);
    await asSuperuser("untouched", async (admin) => {
      const { rows } = await admin.query("select to_regclass('schema_migrations') as found");
      assert.deepEqual(rows, [{ found: null }]);
    });
  });

  it("restores what an older release has written, and migrates it", async () => {
    const level = 60;
    const older = path.join(folder, "migrations");
    await mkdir(older);
    for (const name of await readdir(migrations)) {
      if (Number(name.slice(0, 4)) <= level) {
        await copyFile(path.join(migrations, name), path.join(older, name));
      }
    }
    await createDatabase("older");
    await migrate(ownerUrl("older"), { directory: pathToFileURL(`${older}/`) });
    const tenant = "0190d7a8-0000-7000-8000-000000000001";
    await asSuperuser("older", (admin) =>
      admin.query(
        "insert into tenants (id, name, plan, created_at) values ($1, 'Old', 'free', now())",
        [tenant],
      ),
    );
    const dump = path.join(folder, "older.backup");
    const written = await mooring("older", ["backup", dump]);
    assert.equal(written.code, 0, written.stderr);
    await createDatabase("upgraded");
    const { code, stderr, json } = await mooring("upgraded", ["restore", dump, "--json"]);
    assert.equal(code, 0, stderr);
    const applied = json()["applied"] as string[];
    assert.match(applied[0] ?? "", /^0061_/);
    assert.equal(json()["schema"], level);
    await asSuperuser("upgraded", async (admin) => {
      const { rows } = await admin.query("select name from tenants where id = $1", [tenant]);
      assert.deepEqual(rows, [{ name: "Old" }]);
    });
    assert.deepEqual(await readSchema("upgraded"), await readSchema("migrated"));
  });

  it("names the login that it needs when it is another", async () => {
    await asSuperuser("source", (admin) =>
      admin.query("create role reader login password 'of-this-test'"),
    );
    const url = ownerUrl("source").replace("keeper", "reader");
    const env = { DATABASE_URL: url, SECRET_KEY: secretKey };
    const { code, stderr } = await callCli(["backup", path.join(folder, "never")], env);
    assert.equal(code, 78, stderr);
    assert.match(stderr, /use the login that owns the database/);
  });
});
