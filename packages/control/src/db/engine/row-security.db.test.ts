import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { after, before, describe, it } from "node:test";
import { assertConfined } from "@mooring/postgres";
import { startTestApp, type TestApp } from "@mooring/testing/control/app";
import { call } from "@mooring/testing/control/http";
import { makeSides, type Sides } from "@mooring/testing/control/world";
import pg from "pg";
import { openDatabase } from "./pool.ts";

interface TenantTable {
  readonly name: string;
  readonly enabled: boolean;
  readonly forced: boolean;
  /** Whether `environment` is there and always set, so that it must be a wall too. */
  readonly hasEnvironment: boolean;
  readonly mayInsert: boolean;
  readonly maySelect: boolean;
  readonly mayUpdate: boolean;
  readonly mayDelete: boolean;
}

interface Statement {
  readonly sql: string;
  readonly values: unknown[];
}

/** Every way in which a tenant in its test environment could touch what is not its own. */
function trespasses(table: TenantTable, own: string, other: string): Statement[] {
  const { name, hasEnvironment } = table;
  const strangers = hasEnvironment ? "tenant_id <> $1 or environment <> 'test'" : "tenant_id <> $1";
  const insert = (tenant: string, environment: string): Statement => ({
    sql: hasEnvironment
      ? `insert into ${name} (tenant_id, environment) values ($1, '${environment}')`
      : `insert into ${name} (tenant_id) values ($1)`,
    values: [tenant],
  });
  return [
    ...(table.mayInsert ? [insert(other, "test")] : []),
    ...(table.mayInsert && hasEnvironment ? [insert(own, "live")] : []),
    ...(table.mayDelete ? [{ sql: `delete from ${name} where ${strangers}`, values: [own] }] : []),
    ...(table.mayUpdate ? [{ sql: `update ${name} set tenant_id = $1`, values: [other] }] : []),
  ];
}

describe("row level security", () => {
  let app: TestApp;
  let own: Sides;
  let foreign: Sides;
  let admin: pg.Client;
  let tables: readonly TenantTable[];
  before(async () => {
    app = await startTestApp();
    own = await makeSides(app, "own");
    foreign = await makeSides(app, "foreign");
    for (const { key } of [own.test, own.live, foreign.test, foreign.live]) {
      const headers = { "idempotency-key": "same for all" };
      const made = await call(app.api.url, "/v1/applications", {
        key,
        body: { name: "x" },
        headers,
      });
      assert.equal(made.status, 201);
    }
    admin = new pg.Client({ connectionString: app.databaseUrl });
    await admin.connect();
    ({ rows: tables } = await admin.query<TenantTable>(`
      select c.relname as name, c.relrowsecurity as enabled, c.relforcerowsecurity as forced,
        exists (select from pg_attribute e where e.attrelid = c.oid and e.attname = 'environment'
                and e.attnotnull and not e.attisdropped) as "hasEnvironment",
        has_table_privilege('mooring_api', c.oid, 'insert') as "mayInsert",
        has_table_privilege('mooring_api', c.oid, 'select') as "maySelect",
        has_any_column_privilege('mooring_api', c.oid, 'update') as "mayUpdate",
        has_table_privilege('mooring_api', c.oid, 'delete') as "mayDelete"
      from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attname = 'tenant_id'
      where c.relkind in ('r', 'p') and c.relnamespace = 'public'::regnamespace and not a.attisdropped
      order by 1`));
  });
  after(async () => {
    await admin.end();
    await app.close();
  });

  /** Runs as the api role, in a tenant and environment or in none, and undoes everything. */
  async function asApi<T>(
    scope: readonly [string, string] | null,
    work: () => Promise<T>,
  ): Promise<T> {
    await admin.query("begin");
    try {
      await admin.query("set local role mooring_api");
      if (scope) {
        await admin.query(
          "select set_config('app.tenant', $1, true), set_config('app.environment', $2, true)",
          [...scope],
        );
      }
      return await work();
    } finally {
      await admin.query("rollback");
    }
  }

  /** The SQL state of a failure, or how many rows it gave or touched. */
  async function attempt(sql: string, values: unknown[] = []): Promise<string | number> {
    await admin.query("savepoint attempt");
    try {
      return (await admin.query(sql, values)).rowCount ?? 0;
    } catch (error) {
      await admin.query("rollback to savepoint attempt");
      return error instanceof Error && "code" in error ? String(error.code) : String(error);
    }
  }

  it("is enabled and forced on every table that has a tenant", () => {
    assert.ok(tables.length >= 8, tables.map((table) => table.name).join());
    const open = tables.filter((table) => !table.enabled || !table.forced);
    assert.deepEqual(
      open.map((table) => table.name),
      [],
    );
  });

  it("hides every row of every such table while no tenant is set", async () => {
    await asApi(null, async () => {
      for (const table of tables.filter(({ maySelect }) => maySelect)) {
        assert.equal(await attempt(`select from ${table.name}`), 0, table.name);
      }
      assert.equal(await attempt("select from tenants"), 0);
    });
    const { rows } = await admin.query<{ count: string }>("select count(*) from applications");
    assert.ok(Number(rows[0]?.count) > 4, "there was something to hide");
  });

  it("shows a tenant its own rows of its own environment alone", async () => {
    const id = own.tenant.tenant.id;
    await asApi([id, "test"], async () => {
      for (const table of tables.filter(({ maySelect }) => maySelect)) {
        const stranger = table.hasEnvironment
          ? "tenant_id <> $1 or environment <> 'test'"
          : "tenant_id <> $1";
        assert.equal(
          await attempt(`select from ${table.name} where ${stranger}`, [id]),
          0,
          table.name,
        );
      }
      assert.equal(await attempt("select from tenants"), 1);
      assert.ok(Number(await attempt("select from applications")) >= 2);
    });
  });

  it("refuses to write, change or remove another tenant's or environment's rows", async () => {
    const id = own.tenant.tenant.id;
    const other = foreign.tenant.tenant.id;
    await asApi([id, "test"], async () => {
      for (const table of tables) {
        for (const { sql, values } of trespasses(table, id, other)) {
          const outcome = await attempt(sql, values);
          assert.ok(
            outcome === "42501" || (outcome === 0 && !sql.startsWith("insert")),
            `${sql}: ${outcome}`,
          );
        }
      }
    });
  });

  it("cannot be stepped out of by the role itself", async () => {
    const { rows } = await admin.query(
      `select rolname from pg_roles where rolname like 'mooring\\_%'
       and (rolsuper or rolbypassrls or rolcreaterole or rolcreatedb or rolcanlogin)`,
    );
    assert.deepEqual(rows, []);
    const { rows: memberships } = await admin.query(
      `select r.rolname from pg_auth_members m join pg_roles r on r.oid = m.member
       where r.rolname like 'mooring\\_%'`,
    );
    assert.deepEqual(memberships, [], "no service role is a member of another role");
    await asApi(null, async () => {
      for (const table of tables) {
        assert.equal(
          await attempt(`alter table ${table.name} disable row level security`),
          "42501",
        );
        assert.equal(await attempt(`truncate ${table.name}`), "42501");
      }
    });
  });

  it("is only passed by named functions with a fixed search path that nobody else may run", async () => {
    const { rows } = await admin.query<{
      name: string;
      owner: string;
      config: string[] | null;
      public: boolean;
    }>(
      `select proname as name, pg_get_userbyid(proowner) as owner, proconfig as config,
         exists (select from aclexplode(coalesce(proacl, acldefault('f', proowner))) a where a.grantee = 0) as public
       from pg_proc where prosecdef and pronamespace = 'public'::regnamespace`,
    );
    assert.ok(rows.length >= 5);
    for (const { name, owner, config, public: isPublic } of rows) {
      // Only the owner of a table can attach a partition to it and drop one.
      const isOwners = /^(add|drop)_traffic_partitions?$/.test(name);
      assert.equal(owner, isOwners ? "postgres" : "mooring_definer", name);
      assert.match(config?.join() ?? "", /search_path=/, name);
      assert.equal(isPublic, false, name);
    }
  });

  it("is demanded at the start: a role that ignores it is refused", async () => {
    // Roles belong to the whole server.
    const role = `ignores_row_security_${randomBytes(6).toString("hex")}`;
    for (const [options, name] of [
      ["", "postgres"],
      [`-c role=${role}`, role],
    ] as const) {
      if (options) await admin.query(`create role ${role} bypassrls`);
      const pool = new pg.Pool({ connectionString: app.databaseUrl, options });
      const refusal = new RegExp(`${name}.*not bound by row security; refusing to start`);
      await assert.rejects(assertConfined(pool), refusal);
      await pool.end();
    }
    await admin.query(`drop role ${role}`);
    const confined = openDatabase({ url: app.databaseUrl, role: "mooring_api" });
    await assertConfined(confined.pool);
    await confined.close();
  });
});
