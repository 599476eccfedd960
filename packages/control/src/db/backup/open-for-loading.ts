import type pg from "pg";

export interface OpenedForLoading {
  /** Every table that rows are copied into, in the schema `public`; all are empty. */
  readonly tables: readonly string[];
  /** Makes again what was taken off. */
  close(): Promise<void>;
}

/** One thing that is taken off: the statements for it, and for making it again. */
interface Obstacle {
  readonly off: string;
  readonly on: string;
}

/**
 * Prepares the schema that was created in this transaction for rows in any order. A superuser would
 * set `session_replication_role`; the owner of the tables may do this instead.
 */
export async function openForLoading(client: pg.Client): Promise<OpenedForLoading> {
  const find = async (text: string) => (await client.query<Obstacle>(text)).rows;
  const keys = await find(constraints);
  const indices = await find(indexes);
  const others = [...(await find(triggers)), ...(await find(rowSecurity))];
  const ranges = await find(emptyRanges);
  for (const { off } of [...keys, ...indices, ...others, ...ranges]) await client.query(off);
  const { rows } = await client.query<{ name: string }>(
    `select quote_ident(relname) as name from pg_class
     where relnamespace = 'public'::regnamespace and relkind in ('r', 'p') and not relispartition
       and relname <> 'schema_migrations' order by relname`,
  );
  const tables = rows.map(({ name }) => name);
  await client.query(`truncate ${tables.map((name) => `public.${name}`).join(", ")}`);
  return {
    tables,
    async close() {
      // Keys need the unique indexes, and see every row only without row security.
      const again = [...ranges, ...indices, ...keys, ...others];
      for (const { on } of again) await client.query(on);
    },
  };
}

/** Foreign keys, and checks that hold for new rows only. Those of partitions go with the parent. */
const constraints = `
  select format('alter table %s drop constraint %I', conrelid::regclass, conname) as off,
    format('alter table %s add constraint %I %s', conrelid::regclass, conname,
      pg_get_constraintdef(oid)) as on
  from pg_constraint
  where connamespace = 'public'::regnamespace and conparentid = 0 and coninhcount = 0
    and (contype = 'f' or contype = 'c' and not convalidated)
  order by conrelid, conname`;

/** Those that no constraint needs; a partitioned table keeps its own. */
const indexes = `
  select format('drop index %s', i.indexrelid::regclass) as off, pg_get_indexdef(i.indexrelid) as on
  from pg_index i join pg_class t on t.oid = i.indrelid
  where t.relnamespace = 'public'::regnamespace and t.relkind = 'r' and not t.relispartition
    and not exists (select from pg_constraint c where c.conindid = i.indexrelid
      and c.contype in ('p', 'u', 'x'))
  order by i.indexrelid`;

const triggers = `
  select format('alter table %s disable trigger %I', tgrelid::regclass, tgname) as off,
    format('alter table %s enable trigger %I', tgrelid::regclass, tgname) as on
  from pg_trigger t join pg_class c on c.oid = t.tgrelid
  where c.relnamespace = 'public'::regnamespace and not tgisinternal and tgparentid = 0
    and tgenabled = 'O'
  order by tgrelid, tgname`;

/** Tables whose partitions are made with their rows: all are loaded into one, then spread. */
const emptyRanges = `
  select format('create table %s_loading partition of %s default', relname, oid::regclass) as off,
    format('select spread_traffic_rows(%L, %L)', oid::regclass, relname || '_loading') as on
  from pg_class c join pg_partitioned_table p on p.partrelid = c.oid
  where relnamespace = 'public'::regnamespace and partstrat = 'r'
  order by oid`;

/** COPY refuses to write under row security, and keys would be checked on the rows in sight. */
const rowSecurity = `
  select format('alter table %s no force row level security', oid::regclass) as off,
    format('alter table %s force row level security', oid::regclass) as on
  from pg_class
  where relnamespace = 'public'::regnamespace and relkind in ('r', 'p') and relforcerowsecurity
  order by oid`;
