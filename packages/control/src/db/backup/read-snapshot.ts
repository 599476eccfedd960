import { createHash } from "node:crypto";
import { copyOut } from "@mooring/postgres";
import type pg from "pg";
import { appliedMigrations } from "../engine/migrate.ts";
import { type BackupEntry, copySettings, type SequenceState } from "./entries.ts";

export interface SnapshotTable {
  /** Quoted where it must be; in the schema `public`. */
  readonly name: string;
  readonly columns: readonly string[];
  readonly isPartitioned: boolean;
  /** The server's estimate. */
  readonly rows: number;
}

export interface Snapshot {
  readonly tables: readonly SnapshotTable[];
  /** Tables beside those of the schema; nothing of them is read. */
  readonly others: readonly string[];
  readonly migrations: ReadonlyMap<number, string>;
  /** Reads everything, once. */
  entries(): AsyncGenerator<BackupEntry>;
}

/**
 * Opens one snapshot of the whole database on the client, which sees nothing that is committed
 * later; it ends with the client. Writers and readers do not wait for it, a change of the schema
 * does.
 *
 * Rows are read as `mooring_operator`, which sees those of every tenant by policies: the owner of
 * the tables is bound by row security itself.
 */
export async function openSnapshot(client: pg.Client): Promise<Snapshot> {
  await client.query(copySettings);
  const before = (await findTables(client)).filter(({ isReadable }) => isReadable);
  await client.query("begin isolation level repeatable read read only");
  // Before the first read: a table that is rewritten after the snapshot would seem empty in it.
  await client.query(`lock table ${names(before).join(", ")} in access share mode`);
  const found = await findTables(client);
  const tables = found.filter(({ isReadable }) => isReadable);
  if (names(tables).join() !== names(before).join()) {
    throw new Error("the schema is being changed: try again when the migration has ended");
  }
  const migrations = await appliedMigrations(client);
  const others = names(found.filter(({ isReadable }) => !isReadable));
  return { tables, others, migrations, entries: () => readAll(client, tables, migrations) };
}

interface FoundTable extends SnapshotTable {
  /** The operator's role may read it: it is one of ours. */
  readonly isReadable: boolean;
  readonly isWhole: boolean;
}

const names = (tables: readonly SnapshotTable[]): string[] => tables.map(({ name }) => name);

/** All tables but that of the migrations, which is written when the schema is created. */
async function findTables(client: pg.Client): Promise<FoundTable[]> {
  const { rows } = await client.query<FoundTable>(
    `select quote_ident(c.relname) as name, c.relkind = 'p' as "isPartitioned",
       greatest(c.reltuples, 0)::float8 as rows,
       array(select quote_ident(a.attname) from pg_attribute a where a.attrelid = c.oid
         and a.attnum > 0 and not a.attisdropped and a.attgenerated = '' order by a.attnum) as columns,
       has_table_privilege('mooring_operator', c.oid, 'SELECT') as "isReadable",
       not c.relrowsecurity or (
         exists (select from pg_policy p where p.polrelid = c.oid and p.polpermissive
           and p.polcmd in ('r', '*') and pg_get_expr(p.polqual, p.polrelid) = 'true'
           and (select oid from pg_roles where rolname = 'mooring_operator') = any (p.polroles))
         and not exists (select from pg_policy p where p.polrelid = c.oid and not p.polpermissive))
         as "isWhole"
     from pg_class c
     where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p')
       and not c.relispartition and c.relname <> 'schema_migrations'
       and not exists (select from pg_depend d where d.objid = c.oid and d.deptype = 'e'
         and d.classid = 'pg_class'::regclass)
     order by c.relname`,
  );
  const hidden = rows.filter((row) => row.isReadable && !row.isWhole);
  if (hidden.length > 0) {
    throw new Error(`row security hides rows of ${names(hidden).join(", ")} from mooring_operator`);
  }
  return rows;
}

async function* readAll(
  client: pg.Client,
  tables: readonly SnapshotTable[],
  migrations: ReadonlyMap<number, string>,
): AsyncGenerator<BackupEntry> {
  yield { kind: "schema", migrations: [...migrations] };
  await client.query("set local role mooring_operator");
  let total = 0;
  for (const table of tables) {
    const { name, columns } = table;
    yield { kind: "table", name, columns };
    const reading = copyOut(client, copyStatement(table));
    const hash = createHash("sha256");
    for (;;) {
      const { done, value } = await reading.next();
      if (done) {
        yield { kind: "table_end", rows: value, sha256: hash.digest("hex") };
        total += value;
        break;
      }
      hash.update(value);
      yield { kind: "rows", bytes: value };
    }
  }
  await client.query("set local role none");
  yield { kind: "sequences", sequences: await readSequences(client) };
  yield { kind: "end", tables: tables.length, rows: total };
}

/** A table that others inherit from is read without their rows, a partitioned one with them. */
function copyStatement({ name, columns, isPartitioned }: SnapshotTable): string {
  const from = isPartitioned ? "from" : "from only";
  return `copy (select ${columns.join(", ")} ${from} public.${name}) to stdout`;
}

/** After the rows: sequences are not part of a snapshot, and must be past every row. */
async function readSequences(client: pg.Client): Promise<SequenceState[]> {
  const { rows: sequences } = await client.query<{ name: string }>(
    `select quote_ident(c.relname) as name from pg_class c join pg_sequence s on s.seqrelid = c.oid
     where c.relnamespace = 'public'::regnamespace
       and has_sequence_privilege(s.seqrelid, 'SELECT') order by c.relname`,
  );
  const states: SequenceState[] = [];
  for (const { name } of sequences) {
    const { rows } = await client.query<{ value: string; isCalled: boolean }>(
      `select last_value::text as value, is_called as "isCalled" from public.${name}`,
    );
    const [state] = rows;
    if (state !== undefined) states.push({ name, ...state });
  }
  return states;
}
