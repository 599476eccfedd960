import { connectPrimary } from "@mooring/postgres";
import type pg from "pg";
import type { KeyCheck } from "../queries/operator/secrets.ts";
import { schemaVersions } from "./migrate.ts";
import { sqlState } from "./sql-state.ts";

/** What can be read of a database server without changing it. */
export interface DatabaseInfo {
  /** The major version, 18. */
  readonly version: number;
  readonly user: string;
  readonly schema: { readonly expected: number; readonly actual: number };
  readonly roles: readonly RoleFacts[];
  /** The server's clock less ours. */
  readonly skewMs: number;
  /** Null when this schema has none yet, or the operator role cannot be taken on. */
  readonly keyChecks: readonly KeyCheck[] | null;
}

export interface RoleFacts {
  readonly name: string;
  readonly exists: boolean;
  /** Neither superuser nor exempt from row security. */
  readonly isConfined: boolean;
  /** The user of the URL may act as this role. */
  readonly isGranted: boolean;
}

const processRoles = [
  "mooring_api",
  "mooring_worker",
  "mooring_edge",
  "mooring_dns",
  "mooring_operator",
];

export async function readDatabaseInfo(url: string, timeoutMs = 5_000): Promise<DatabaseInfo> {
  const client = await connectPrimary(url, {
    connectionTimeoutMillis: timeoutMs,
    query_timeout: timeoutMs,
    application_name: "mooring_doctor",
  });
  try {
    const { version, user, skewMs } = await readServer(client);
    const roles = await readRoles(client, version);
    return {
      version,
      user,
      skewMs,
      roles,
      schema: await schemaVersions(url),
      keyChecks: await readKeyChecks(client, roles),
    };
  } finally {
    await client.end();
  }
}

async function readServer(
  client: pg.Client,
): Promise<Pick<DatabaseInfo, "version" | "user" | "skewMs">> {
  const before = Date.now();
  const { rows } = await client.query<{ version: string; user: string; ms: string }>(
    `select current_setting('server_version_num') as version, current_user as user,
            extract(epoch from clock_timestamp()) * 1000 as ms`,
  );
  const after = Date.now();
  const row = rows[0];
  return {
    version: Math.floor(Number(row?.version ?? 0) / 10_000),
    user: row?.user ?? "",
    skewMs: Math.round(Number(row?.ms ?? after) - (before + after) / 2),
  };
}

async function readRoles(client: pg.Client, version: number): Promise<RoleFacts[]> {
  // Since 16 a membership may come without the right to SET ROLE, which is what a pool does.
  const privilege = version >= 16 ? "SET" : "MEMBER";
  const { rows } = await client.query<{
    name: string;
    found: boolean;
    confined: boolean;
    granted: boolean;
  }>(
    `select requested.name, r.oid is not null as found,
            coalesce(not r.rolsuper and not r.rolbypassrls, false) as confined,
            coalesce(pg_has_role(current_user, r.oid, $2), false) as granted
     from unnest($1::text[]) with ordinality as requested (name, position)
     left join pg_roles r on r.rolname = requested.name
     order by requested.position`,
    [processRoles, privilege],
  );
  return rows.map((row) => ({
    name: row.name,
    exists: row.found,
    isConfined: row.confined,
    isGranted: row.granted,
  }));
}

async function readKeyChecks(
  client: pg.Client,
  roles: readonly RoleFacts[],
): Promise<KeyCheck[] | null> {
  if (!roles.find((role) => role.name === "mooring_operator")?.isGranted) return null;
  try {
    await client.query("set role mooring_operator");
    const { rows } = await client.query<{ key_id: string; sealed: string }>(
      "select key_id, sealed from key_check order by created_at, key_id",
    );
    return rows.map((row) => ({ keyId: row.key_id, sealed: row.sealed }));
  } catch (error) {
    // No such table, or a schema of which the operator has been given nothing yet.
    if (sqlState(error) === "42P01" || sqlState(error) === "42501") return null;
    throw error;
  }
}
