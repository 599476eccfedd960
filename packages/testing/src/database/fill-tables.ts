import { randomBytes, randomUUID } from "node:crypto";
import type pg from "pg";

export interface FilledTable {
  readonly name: string;
}

interface Column {
  readonly name: string;
  readonly type: string;
  readonly isRequired: boolean;
}

/**
 * Every table with a `tenant_id`, partitions with their parent, each with at least one row of the
 * tenant. Rows that nothing has made are made of the catalogue: required columns by their type, the
 * first value that a check allows, and the first row of the tenant that a key refers to.
 */
export async function fillTables(
  session: pg.Client,
  known: { readonly tenant_id: string; readonly connection_id: string },
): Promise<readonly FilledTable[]> {
  const { rows: tables } = await session.query<FilledTable>(
    `select c.relname as name from pg_class c join pg_attribute a on a.attrelid = c.oid
     where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and not c.relispartition
       and a.attname = 'tenant_id' order by c.relname`,
  );
  // Its partitions are made for the days that have rows.
  await session.query("select add_traffic_partition(now())");
  for (const { name } of tables) {
    const { rows } = await session.query(
      `select from only ${name} where tenant_id = $1
       union all select from ${name} where tenant_id = $1 limit 1`,
      [known.tenant_id],
    );
    if (rows.length === 0) await insertRow(session, name, known);
  }
  // A connection has had trouble with its origin; this table has no tenant.
  await session.query(
    "insert into origin_health (connection_id, failures) values ($1, '{}') on conflict do nothing",
    [known.connection_id],
  );
  return tables;
}

/**
 * A row of the table as it is now, of whatever the catalogue requires; columns that it does not
 * have are left out.
 */
export async function insertRow(
  session: pg.Client,
  table: string,
  known: Readonly<Record<string, string>>,
): Promise<void> {
  const { rows: columns } = await session.query<Column>(
    `select attname as name, format_type(atttypid, null) as type,
       attnotnull and not atthasdef and attidentity = '' as "isRequired"
     from pg_attribute where attrelid = $1::regclass and attnum > 0 and not attisdropped`,
    [table],
  );
  const { rows: checks } = await session.query<{ text: string }>(
    "select pg_get_constraintdef(oid) as text from pg_constraint where conrelid = $1::regclass and contype = 'c'",
    [table],
  );
  const parents: Readonly<Record<string, string>> = {
    application_id: "applications",
    member_id: "members",
    endpoint_id: "webhook_endpoints",
    event_id: "events",
  };
  // The environment that `allowedBy` finds first.
  const inTest: Readonly<Record<string, string>> = { application_id: "and environment = 'test'" };
  const values: Record<string, unknown> = {};
  for (const { name, type, isRequired } of columns) {
    if (known[name] !== undefined) values[name] = known[name];
    else if (!isRequired) continue;
    else if (parents[name] !== undefined) {
      const { rows } = await session.query<{ id: string }>(
        `select id from ${parents[name]} where tenant_id = $1 ${inTest[name] ?? ""} limit 1`,
        [known["tenant_id"]],
      );
      values[name] = rows[0]?.id;
    } else values[name] = allowedBy(checks, name) ?? sample(type);
  }
  const names = Object.keys(values);
  await session.query(
    `insert into ${table} (${names.join(", ")}) values (${names.map((_, index) => `$${index + 1}`).join(", ")})`,
    Object.values(values),
  );
}

/** The first text that a check names for the column. */
function allowedBy(checks: readonly { readonly text: string }[], column: string): string | null {
  for (const { text } of checks) {
    const match = new RegExp(`\\b${column} = (?:ANY \\(ARRAY\\[)?'([^']*)'`).exec(text);
    if (match?.[1] !== undefined) return match[1];
  }
  return null;
}

function sample(type: string): unknown {
  if (type === "uuid") return randomUUID();
  if (type === "bytea") return randomBytes(32); // as long as a hash
  if (type === "boolean") return false;
  if (type === "jsonb") return "{}";
  if (type === "date" || type.startsWith("timestamp")) return new Date();
  if (type === "integer" || type === "bigint") return 0;
  if (type.endsWith("[]")) return [];
  return randomUUID();
}
