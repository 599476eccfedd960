import { copyIn } from "@mooring/postgres";
import type pg from "pg";
import { createSchema, lockMigrations } from "../engine/migrate.ts";
import { type BackupEntry, copySettings, type SequenceState } from "./entries.ts";
import { openForLoading } from "./open-for-loading.ts";

/** The database has something in it: what was found. */
export class NotEmptyError extends Error {
  readonly found: readonly string[];

  constructor(found: readonly string[]) {
    super(`the database is not empty: it has ${found.join(", ")}`);
    this.found = found;
  }
}

export interface LoadProgress {
  /** Null while indexes and keys are made, after the last table. */
  readonly table: string | null;
  /** How many are done. */
  readonly tables: number;
  /** Of rows, as they are sent to the server. */
  readonly bytes: number;
}

interface LoadOptions {
  readonly onProgress: (progress: LoadProgress) => void;
  /** The last moment at which a throw leaves the database empty. */
  readonly beforeCommit: () => void;
}

/**
 * Writes a backup into an empty database, in one transaction: schema, rows, sequences. Any failure,
 * and the end of the session, leaves the database as empty as it was. Needs no superuser: its owner
 * must be allowed to create roles.
 *
 * 1. The schema is created as it was after the migrations of the backup.
 * 2. What would stand in the way of rows in any order is taken off: foreign keys, checks that old
 *    rows need not satisfy, triggers, row security of the owner; and indexes, for speed.
 * 3. The rows that migrations have made are removed, those of the backup written and counted.
 * 4. What was taken off is made again, by which keys and unique values are checked.
 */
export async function loadEntries(
  client: pg.Client,
  entries: AsyncIterable<BackupEntry>,
  { onProgress, beforeCommit }: LoadOptions,
): Promise<void> {
  await client.query(copySettings);
  await lockMigrations(client, lockWaitMs);
  await client.query("begin");
  await refuseRows(client);
  const loading = new Loading(client, onProgress);
  const iterator = entries[Symbol.asyncIterator]();
  for (;;) {
    const { done, value } = await iterator.next();
    if (done) break;
    await loading.take(value, iterator);
  }
  beforeCommit();
  await client.query("commit");
}

const lockWaitMs = 5_000;

async function refuseRows(client: pg.Client): Promise<void> {
  const { rows } = await client.query<{ name: string }>(
    `select c.oid::regclass::text as name from pg_class c join pg_namespace n on n.oid = c.relnamespace
     where n.nspname <> 'information_schema' and n.nspname !~ '^pg_' and c.relkind in ('r', 'p', 'v', 'm', 'S', 'f')
       and not exists (select from pg_depend d where d.objid = c.oid and d.deptype = 'e'
         and d.classid = 'pg_class'::regclass)
     order by c.relkind <> 'r', name limit 3`,
  );
  if (rows.length > 0) throw new NotEmptyError(rows.map(({ name }) => name));
}

/** The state of a load between two entries. */
class Loading {
  readonly #client: pg.Client;
  readonly #onProgress: (progress: LoadProgress) => void;
  #close: () => Promise<void> = () => Promise.resolve();
  #names: readonly string[] = [];
  #missing = new Set<string>();
  #tables = 0;
  #bytes = 0;

  constructor(client: pg.Client, onProgress: (progress: LoadProgress) => void) {
    this.#client = client;
    this.#onProgress = onProgress;
  }

  async take(entry: BackupEntry, rest: AsyncIterator<BackupEntry>): Promise<void> {
    if (entry.kind === "schema") return this.#begin(new Map(entry.migrations));
    if (entry.kind === "table") return this.#load(entry.name, entry.columns, rest);
    if (entry.kind === "sequences") return this.#end(entry.sequences);
    if (entry.kind !== "end") throw new Error(`unexpected ${entry.kind} in the backup`);
  }

  async #begin(migrations: ReadonlyMap<number, string>): Promise<void> {
    await createSchema(this.#client, migrations);
    const opened = await openForLoading(this.#client);
    this.#close = opened.close;
    this.#missing = new Set(opened.tables);
    this.#names = opened.tables;
  }

  async #load(
    name: string,
    columns: readonly string[],
    rest: AsyncIterator<BackupEntry>,
  ): Promise<void> {
    if (!this.#missing.delete(name)) throw new Error(`the schema of the backup has no ${name}`);
    let expected = -1;
    const report = (length: number): void => {
      this.#bytes += length;
      this.#onProgress({ table: name, tables: this.#tables, bytes: this.#bytes });
    };
    async function* bytes(): AsyncGenerator<Buffer> {
      for (;;) {
        const { done, value } = await rest.next();
        if (done) return;
        if (value.kind === "table_end") expected = value.rows;
        if (value.kind !== "rows") return;
        report(value.bytes.length);
        yield value.bytes;
      }
    }
    const statement = `copy public.${name} (${columns.join(", ")}) from stdin`;
    const rows = await copyIn(this.#client, statement, bytes());
    if (rows !== expected) throw new Error(`${name} has ${rows} rows instead of ${expected}`);
    this.#tables += 1;
  }

  async #end(sequences: readonly SequenceState[]): Promise<void> {
    const [missing] = this.#missing;
    if (missing !== undefined) throw new Error(`the backup has no ${missing}`);
    this.#onProgress({ table: null, tables: this.#tables, bytes: this.#bytes });
    for (const { name, value, isCalled } of sequences) {
      await this.#client.query("select setval(to_regclass($1), $2, $3)", [
        `public.${name}`,
        value,
        isCalled,
      ]);
    }
    await this.#close();
    // Without statistics the first queries would be planned badly.
    await this.#client.query(`analyze ${this.#names.map((name) => `public.${name}`).join(", ")}`);
  }
}
