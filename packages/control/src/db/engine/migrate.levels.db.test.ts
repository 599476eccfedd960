import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { copyFile, mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { describe, it } from "node:test";
import { pathToFileURL } from "node:url";
import { call } from "@mooring/testing/control/http";
import { createEmptyDatabase } from "@mooring/testing/database/database";
import { insertRow } from "@mooring/testing/database/fill-tables";
import { proofSize } from "@mooring/testing/processes/proof-size";
import pg from "pg";
import { readConfig } from "../../config/config.ts";
import { createLogger } from "../../process/log.ts";
import { openRuntime } from "../../process/open-runtime.ts";
import { startApi } from "../../process/start-api.ts";
import { createOperatorKey } from "../../services/operator/tenants.ts";
import { migrate } from "./migrate.ts";

const migrations = path.resolve(import.meta.dirname, "../../../migrations");
/** Tables that rows of others refer to. */
const parents = ["members", "webhook_endpoints", "events"];
/** Every level with SOAK; otherwise one of ten, and the newest. */
const levelStep = proofSize(10, 1);
const log = createLogger({ level: "error", name: "test" });

/** What was written when the schema was at a level. */
interface Level {
  readonly version: number;
  readonly tenantId: string;
  /** Null while there were no connections yet. */
  readonly connectionId: string | null;
  /** The number of the tenant's rows in each table. */
  readonly rows: ReadonlyMap<string, number>;
}

/** The tables of that moment that have rows of a tenant. */
async function listTables(client: pg.Client): Promise<readonly string[]> {
  const { rows } = await client.query<{ name: string }>(
    `select c.relname as name from pg_class c join pg_attribute a on a.attrelid = c.oid
     where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and not c.relispartition
       and a.attname = 'tenant_id' order by c.relname`,
  );
  return rows.map(({ name }) => name);
}

async function countRows(client: pg.Client, tenantId: string): Promise<Map<string, number>> {
  const parts = (await listTables(client)).map(
    (table) =>
      `select '${table}' as name, count(*)::int as count from ${table} where tenant_id = $1`,
  );
  const { rows } = await client.query<{ name: string; count: number }>(parts.join(" union all "), [
    tenantId,
  ]);
  return new Map(rows.map(({ name, count }) => [name, count]));
}

/** What a row needs beside what the catalogue says, by table. */
function listSpecials(
  memberId: string,
): Readonly<Record<string, Readonly<Record<string, string>>>> {
  return {
    members: { id: memberId },
    sessions: { role: "owner" },
    sign_in_links: { role: "owner" },
    sending_domains: { records: "[]", advice: "[]" },
    connections: { desired_records: "[]", registrable_domain: "example.com", kind: "subdomain" },
    archived_connections: {
      state: "archived",
      desired_records: "[]",
      registrable_domain: "example.com",
      kind: "subdomain",
      archived_at: new Date().toISOString(),
    },
  };
}

/** One tenant with a row in every table that the schema has by now. */
async function fillLevel(client: pg.Client, version: number): Promise<Level> {
  const [tenantId, applicationId, memberId] = [randomUUID(), randomUUID(), randomUUID()];
  await insertRow(client, "tenants", {
    id: tenantId,
    name: `Level ${version}`,
    plan: "self_hosted",
  });
  const owner = { tenant_id: tenantId, environment: "test" };
  await insertRow(client, "applications", { ...owner, id: applicationId, name: "Default" });
  // Its partitions are made for the days that have rows.
  const { rows } = await client.query(
    "select from pg_proc where proname = 'add_traffic_partition'",
  );
  if (rows.length > 0) await client.query("select add_traffic_partition(now())");
  const tables = await listTables(client);
  const specials = listSpecials(memberId);
  const connectionId = tables.includes("connections") ? randomUUID() : null;
  const hostname = `level-${version}.example.com`;
  const ofApplication = { ...owner, application_id: applicationId, hostname };
  if (connectionId !== null) {
    const state = { id: connectionId, state: "pending_ownership" };
    await insertRow(client, "connections", {
      ...ofApplication,
      ...specials["connections"],
      ...state,
    });
  }
  const ofConnection = connectionId && {
    connection_id: connectionId,
    prover_id: connectionId,
    holder_id: connectionId,
  };
  const ofMember = tables.includes("members") ? { member_id: memberId } : {};
  const counts = await countRows(client, tenantId);
  const parentsFirst = [...parents.filter((name) => tables.includes(name)), ...tables];
  for (const table of new Set(parentsFirst.filter((name) => counts.get(name) === 0))) {
    const known = { ...ofApplication, ...ofConnection, ...ofMember, ...specials[table] };
    await insertRow(client, table, known);
  }
  return { version, tenantId, connectionId, rows: await countRows(client, tenantId) };
}

/** Applies the migrations one after the other, with rows after each. */
async function fillLevels(
  client: pg.Client,
  url: string,
  directory: string,
): Promise<readonly Level[]> {
  const files = (await readdir(migrations)).filter((name) => name.endsWith(".sql")).sort();
  const levels: Level[] = [];
  for (const [index, file] of files.entries()) {
    await copyFile(path.join(migrations, file), path.join(directory, file));
    if (index % levelStep !== 0 && index < files.length - 1) continue;
    await migrate(url, { directory: pathToFileURL(`${directory}/`) });
    try {
      levels.push(await fillLevel(client, index + 1));
    } catch (error) {
      throw new Error(`no rows could be written after ${file}`, { cause: error });
    }
  }
  return levels;
}

/** No table that still exists has lost a row. */
async function assertComplete(client: pg.Client, levels: readonly Level[]): Promise<void> {
  for (const { version, tenantId, rows } of levels) {
    const now = await countRows(client, tenantId);
    for (const [table, count] of rows) {
      const left = now.get(table) ?? count;
      assert.ok(left >= count, `${table} of level ${version}: ${left} of ${count}`);
    }
  }
}

describe("data of every earlier schema", () => {
  it("is there after all later migrations, and the API reads it", async (t) => {
    const database = await createEmptyDatabase();
    const directory = await mkdtemp(path.join(tmpdir(), "mooring-levels-"));
    const client = new pg.Client({ connectionString: database.url });
    await client.connect();
    t.after(async () => {
      await client.end();
      await database.drop();
      await rm(directory, { recursive: true, force: true });
    });
    const levels = await fillLevels(client, database.url, directory);
    await assertComplete(client, levels);
    await readAll(database.url, directory, levels);
    t.diagnostic(`${levels.length} levels, ${levels.at(-1)?.rows.size} tables`);
  });
});

/** As an operator would after the upgrade: a new key for each tenant, and its connections by it. */
async function readAll(url: string, directory: string, levels: readonly Level[]): Promise<void> {
  const config = readConfig({
    DATABASE_URL: url,
    DATA_DIR: directory,
    PORT: "0",
    DNS_RESOLVERS: "127.0.0.1:9",
    RATE_LIMITS: "general=100000:100000",
  });
  const operator = await openRuntime(config, {
    url,
    role: "mooring_operator",
    name: "operator",
    log,
  });
  const api = await startApi(config, { log });
  try {
    for (const { version, tenantId, connectionId } of levels) {
      const { secret: key } = await createOperatorKey(operator.runtime, {
        tenant: tenantId,
        environment: "test",
        application: "Default",
        name: "after the upgrade",
      });
      const list = await call(api.url, "/v1/connections", { key });
      assert.equal(list.status, 200, `level ${version}: ${list.text}`);
      if (connectionId === null) continue;
      assert.ok(list.text.includes(connectionId), `level ${version}: ${list.text}`);
      for (const route of ["", "/events"]) {
        const answer = await call(api.url, `/v1/connections/${connectionId}${route}`, { key });
        assert.equal(answer.status, 200, `level ${version} ${route}: ${answer.text}`);
      }
    }
  } finally {
    await api.close();
    await operator.close();
  }
}
