import { createHash } from "node:crypto";
import { readdir, readFile } from "node:fs/promises";
import { setTimeout as delay } from "node:timers/promises";
import { connectPrimary } from "@mooring/postgres";
import type pg from "pg";
import { applyMigration, applyToEmpty, type Migration } from "./apply-migration.ts";
import { sqlState } from "./sql-state.ts";

/**
 * Applies the numbered files of `migrations/` that the database does not have, in order, under an
 * advisory lock held by one dedicated connection: of four processes that start at once, one applies
 * and three wait. Forward only; a file that was applied and then edited is refused.
 */
export interface MigrationReport {
  readonly applied: readonly string[];
  readonly version: number;
}

const lockKey = 7_366_521_904_113;
const ownDirectory = new URL("../../../migrations/", import.meta.url);
const migrationsTable = `create table if not exists schema_migrations (
  version int primary key, name text not null, checksum text not null, applied_at timestamptz not null)`;

export interface MigrateOptions {
  /** How long to wait while another process migrates. */
  readonly waitMs?: number;
  /** Where the files are; by default those of this package. */
  readonly directory?: URL;
}

export async function migrate(url: string, options: MigrateOptions = {}): Promise<MigrationReport> {
  const client = await connectPrimary(url, { application_name: "mooring_migrate" });
  try {
    await lockMigrations(client, options.waitMs ?? 60_000);
    await client.query(migrationsTable);
    const known = await appliedMigrations(client);
    const files = await migrationFiles(options.directory ?? ownDirectory);
    refuseStrangers(known, files);
    const applied: string[] = [];
    for (const file of files) {
      if (known.has(file.version)) continue;
      await applyMigration(client, file);
      applied.push(file.name);
    }
    return { applied, version: files.at(-1)?.version ?? 0 };
  } finally {
    await client.end();
  }
}

/** What the code expects and what the database has; equal when nothing is to be done. */
export async function schemaVersions(url: string): Promise<{ expected: number; actual: number }> {
  const files = await migrationFiles(ownDirectory);
  const client = await connectPrimary(url);
  try {
    const known = await appliedMigrations(client).catch((error: unknown) => {
      if (sqlState(error) === "42P01") return new Map<number, string>();
      throw error;
    });
    return { expected: files.at(-1)?.version ?? 0, actual: Math.max(0, ...known.keys()) };
  } finally {
    await client.end();
  }
}

/**
 * Creates the schema as it was after these migrations, in the transaction that is open on the
 * client, so that an empty database gets all of it or nothing. Refuses migrations that this release
 * does not have. The caller has the lock.
 */
export async function createSchema(
  client: pg.Client,
  migrations: ReadonlyMap<number, string>,
): Promise<void> {
  const files = await migrationFiles(ownDirectory);
  refuseStrangers(migrations, files);
  await client.query(migrationsTable);
  for (const file of files) {
    if (migrations.has(file.version)) await applyToEmpty(client, file);
  }
}

/** The first of these that this release does not have, or has with other contents. */
export async function findUnknownMigration(
  migrations: ReadonlyMap<number, string>,
): Promise<number | null> {
  const files = await migrationFiles(ownDirectory);
  const known = new Map(files.map((file) => [file.version, file.checksum]));
  const unknown = [...migrations].find(([version, checksum]) => known.get(version) !== checksum);
  return unknown?.[0] ?? null;
}

/** Until the session ends. */
export async function lockMigrations(client: pg.Client, waitMs: number): Promise<void> {
  const deadline = performance.now() + waitMs;
  for (;;) {
    const { rows } = await client.query<{ locked: boolean }>(
      "select pg_try_advisory_lock($1) as locked",
      [lockKey],
    );
    if (rows[0]?.locked) return;
    if (performance.now() > deadline) {
      throw new Error("another process has been migrating this database for too long");
    }
    await delay(100);
  }
}

/** The checksums of what was applied, by version. */
export async function appliedMigrations(client: pg.Client): Promise<Map<number, string>> {
  const { rows } = await client.query<{ version: number; checksum: string }>(
    "select version, checksum from schema_migrations order by version",
  );
  return new Map(rows.map((row) => [row.version, row.checksum]));
}

async function migrationFiles(directory: URL): Promise<Migration[]> {
  const names = (await readdir(directory)).filter((name) => /^\d{4}_[a-z0-9_]+\.sql$/.test(name));
  return Promise.all(
    names.sort().map(async (name) => {
      const sql = await readFile(new URL(name, directory), "utf8");
      const checksum = createHash("sha256").update(sql).digest("hex");
      return { version: Number(name.slice(0, 4)), name, sql, checksum };
    }),
  );
}

function refuseStrangers(known: ReadonlyMap<number, string>, files: readonly Migration[]): void {
  const byVersion = new Map(files.map((file) => [file.version, file]));
  for (const [version, checksum] of known) {
    const file = byVersion.get(version);
    if (!file) {
      throw new Error(
        `the database has migration ${version}, which this version does not know: run a newer version`,
      );
    }
    if (file.checksum !== checksum) {
      throw new Error(
        `migration ${file.name} was changed after it was applied; add a new file instead`,
      );
    }
  }
}
