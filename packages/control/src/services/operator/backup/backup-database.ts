import { connectPrimary } from "@mooring/postgres";
import { createVault, type RootKeys, type Vault } from "@mooring/vault";
import type pg from "pg";
import type { BackupEntry } from "../../../db/backup/entries.ts";
import { type LoadProgress, loadEntries } from "../../../db/backup/load-entries.ts";
import { openSnapshot, type Snapshot } from "../../../db/backup/read-snapshot.ts";
import { findUnknownMigration } from "../../../db/engine/migrate.ts";
import { BackupFileError, type BackupHeader, openBackup, writeBackup } from "./backup-file.ts";

/** Opens nothing but backups. */
export function backupVault(rootKeys: RootKeys): Vault {
  return createVault(rootKeys, { purposes: ["backup"] });
}

export interface BackupProgress {
  readonly table: string;
  /** How many are done. */
  readonly tables: number;
  readonly tablesTotal: number;
  /** Bytes as the server sends them. */
  readonly bytes: number;
}

export interface BackupContents extends BackupHeader {
  readonly tables: number;
  readonly rows: number;
  /** Of rows, before they are compressed. */
  readonly row_bytes: number;
}

interface BackupOptions {
  readonly url: string;
  readonly vault: Vault;
  readonly release: string;
  readonly now: Date;
  /** Ends the session at the server; what is in progress rejects. */
  readonly signal: AbortSignal;
  readonly onProgress: (progress: BackupProgress) => void;
}

export interface DatabaseBackup {
  readonly schema: number;
  /** Tables that are not of this schema, and not in the backup. */
  readonly others: readonly string[];
  /** The file, as it is read from the server. */
  readonly bytes: AsyncIterable<Buffer>;
}

/** Runs `store` on a backup of the database as it is at this moment. */
export function backupDatabase<T>(
  options: BackupOptions,
  store: (backup: DatabaseBackup) => Promise<T>,
): Promise<T> {
  return withSession(options, async (client) => {
    const { rows } = await client.query<{ version: string }>(
      "select split_part(current_setting('server_version'), ' ', 1) as version",
    );
    const snapshot = await openSnapshot(client);
    const schema = Math.max(...snapshot.migrations.keys());
    const header = {
      created_at: options.now.toISOString(),
      release: options.release,
      schema,
      postgres: rows[0]?.version ?? "",
    };
    const entries = watched(snapshot, options.onProgress);
    const bytes = writeBackup(options.vault, header, entries);
    return store({ schema, others: snapshot.others, bytes });
  });
}

async function* watched(
  snapshot: Snapshot,
  onProgress: (progress: BackupProgress) => void,
): AsyncGenerator<BackupEntry> {
  const tablesTotal = snapshot.tables.length;
  let [table, tables, bytes] = ["", 0, 0];
  for await (const entry of snapshot.entries()) {
    if (entry.kind === "table") table = entry.name;
    if (entry.kind === "rows") bytes += entry.bytes.length;
    if (entry.kind === "table_end") tables += 1;
    if (table !== "") onProgress({ table, tables, tablesTotal, bytes });
    yield entry;
  }
}

/**
 * Reads a whole file, compares everything that it says of itself, and refuses what this release
 * could not restore. Needs no database.
 */
export async function verifyBackup(
  vault: Vault,
  source: AsyncIterable<Uint8Array>,
): Promise<BackupContents> {
  const { header, entries } = await openBackup(vault, source);
  let [tables, rows, bytes] = [0, 0, 0];
  for await (const entry of entries()) {
    if (entry.kind === "rows") bytes += entry.bytes.length;
    if (entry.kind === "schema") await refuseUnknown(new Map(entry.migrations));
    if (entry.kind === "end") ({ tables, rows } = entry);
  }
  return { ...header, tables, rows, row_bytes: bytes };
}

async function refuseUnknown(migrations: ReadonlyMap<number, string>): Promise<void> {
  const version = await findUnknownMigration(migrations);
  if (version === null) return;
  throw new BackupFileError(
    `the file is of a release with migration ${version}, which this one does not have: restore it with that release or a newer one`,
  );
}

interface RestoreOptions {
  readonly url: string;
  readonly vault: Vault;
  readonly source: AsyncIterable<Uint8Array>;
  readonly signal: AbortSignal;
  readonly onProgress: (progress: LoadProgress) => void;
}

/**
 * Writes a file into an empty database, all of it or nothing. The schema is then that of the
 * backup; `migrate` brings it up to date.
 */
export function restoreDatabase(options: RestoreOptions): Promise<void> {
  const { vault, source, signal, onProgress } = options;
  return withSession(options, async (client, detach) => {
    const { entries } = await openBackup(vault, source);
    const beforeCommit = (): void => {
      signal.throwIfAborted();
      detach();
    };
    await loadEntries(client, entries(), { onProgress, beforeCommit });
  });
}

/**
 * A session that ends with the work, or with the signal: then the server rolls back. After `detach`
 * the signal is not heeded.
 */
async function withSession<T>(
  { url, signal }: { readonly url: string; readonly signal: AbortSignal },
  work: (client: pg.Client, detach: () => void) => Promise<T>,
): Promise<T> {
  signal.throwIfAborted();
  const client = await connectPrimary(url, { application_name: "mooring_backup" });
  // The statement in progress rejects with the reason; without a listener the process would end.
  client.on("error", () => undefined);
  const end = (): void => void client.end().catch(() => undefined);
  signal.addEventListener("abort", end, { once: true });
  let isDetached = false;
  const detach = (): void => {
    isDetached = true;
    signal.removeEventListener("abort", end);
  };
  try {
    return await work(client, detach);
  } catch (error) {
    // The reason, instead of what it did to the statement in progress.
    if (!isDetached) signal.throwIfAborted();
    throw error;
  } finally {
    detach();
    await client.end().catch(() => undefined);
  }
}
