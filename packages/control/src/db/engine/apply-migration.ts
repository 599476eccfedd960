import { setTimeout as delay } from "node:timers/promises";
import type pg from "pg";
import { sqlState } from "./sql-state.ts";

export interface Migration {
  readonly version: number;
  readonly name: string;
  readonly sql: string;
  readonly checksum: string;
}

const lockTries = 20;

/**
 * Applies one file and records it. As a rule in one transaction, with short limits: what takes
 * longer would hold locks that traffic waits for. A file whose first line is `-- no transaction`
 * runs statement by statement without limits, for work that takes long on large tables and blocks
 * nobody.
 */
export async function applyMigration(client: pg.Client, file: Migration): Promise<void> {
  if (!isStepwise(file)) {
    await withLockRetry(() => applyAtOnce(client, file));
    return;
  }
  await client.query("set statement_timeout = 0; set lock_timeout = 0");
  for (const statement of splitStatements(file)) await applyStatement(client, statement);
  await record(client, file);
  await client.query("reset statement_timeout; reset lock_timeout");
}

/**
 * Applies one file to a database without rows, in the transaction that is open: nobody waits for
 * its indexes, and there is nothing to fill in.
 */
export async function applyToEmpty(client: pg.Client, file: Migration): Promise<void> {
  const statements = isStepwise(file)
    ? splitStatements(file)
        .filter((statement) => !statement.startsWith("call fill_"))
        .map((statement) => statement.replace(" index concurrently ", " index "))
    : [file.sql];
  for (const statement of statements) await client.query(statement);
  await record(client, file);
}

function isStepwise({ sql }: Migration): boolean {
  return sql.startsWith("-- no transaction\n");
}

async function applyAtOnce(client: pg.Client, file: Migration): Promise<void> {
  await client.query("begin");
  try {
    await client.query("set local lock_timeout = '1s'; set local statement_timeout = '5s'");
    await client.query(file.sql);
    await record(client, file);
    await client.query("commit");
  } catch (error) {
    await client.query("rollback");
    throw error;
  }
}

async function record(client: pg.Client, file: Migration): Promise<void> {
  await client.query(
    "insert into schema_migrations (version, name, checksum, applied_at) values ($1, $2, $3, clock_timestamp())",
    [file.version, file.name, file.checksum],
  );
}

/**
 * A lock held by long-running work is waited for in short tries, so that traffic is never queued.
 */
async function withLockRetry(work: () => Promise<void>): Promise<void> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      await work();
      return;
    } catch (error) {
      if (sqlState(error) !== "55P03" || attempt >= lockTries) throw error;
      await delay(200 + Math.random() * 300);
    }
  }
}

const createIndex = /^create (?:unique )?index concurrently if not exists (\w+) on /;

/**
 * A run that was interrupted is repeated from the first statement, so only statements that may be
 * repeated, and that let reads and writes continue, are allowed.
 */
const repeatable = [
  createIndex,
  /^drop index concurrently if exists /,
  /^alter table \w+ validate constraint /,
  /^analyze /,
  /^insert into \w+ .* on conflict do nothing$/,
  // A procedure that commits piece by piece, and does nothing when all is done.
  /^call fill_\w+\(\)$/,
];

function splitStatements({ name, sql }: Migration): readonly string[] {
  const statements = sql
    .replace(/^--.*$/gm, "")
    .split(/;\s*$/m)
    .map((statement) => statement.trim().replace(/\s+/g, " "))
    .filter((statement) => statement !== "");
  for (const statement of statements) {
    if (repeatable.some((allowed) => allowed.test(statement))) continue;
    throw new Error(`migration ${name} cannot run without a transaction: ${statement}`);
  }
  return statements;
}

async function applyStatement(client: pg.Client, statement: string): Promise<void> {
  const index = createIndex.exec(statement)?.[1];
  if (index !== undefined && (await isInvalid(client, index))) {
    await client.query(`drop index concurrently if exists ${index}`);
  }
  await client.query(statement);
}

/** A build that was interrupted leaves an index that is written but never read. */
async function isInvalid(client: pg.Client, index: string): Promise<boolean> {
  const { rows } = await client.query<{ found: boolean }>(
    "select exists (select from pg_index where indexrelid = to_regclass($1) and not indisvalid) as found",
    [index],
  );
  return rows[0]?.found === true;
}
