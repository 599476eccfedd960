import { type RawBuilder, sql } from "kysely";
import type { Tx } from "./transaction.ts";

/** Where sealed values stand. Names come from our own lists, never from input. */
export interface SealedPlace {
  readonly table: string;
  readonly column: string;
  /** What tells the rows apart. */
  readonly idColumn: string;
  readonly idType: "uuid" | "text" | "int";
  /** Null where the rows belong to the installation as a whole. */
  readonly tenantColumn: "tenant_id" | null;
  /** Where rows of several purposes stand in one column: those of this one. */
  readonly only?: { readonly column: string; readonly value: string };
}

export interface SealedRow {
  readonly id: string;
  readonly tenantId: string | null;
  readonly sealed: string;
}

/** The next rows by id whose value needs another root key, locked until the transaction ends. */
export async function lockSealedBatch(
  tx: Tx,
  place: SealedPlace,
  batch: { readonly keyId: string; readonly after: string | null; readonly limit: number },
): Promise<SealedRow[]> {
  const tenant = place.tenantColumn ? sql.ref(place.tenantColumn) : sql`null`;
  const id = sql.ref(`${place.table}.${place.idColumn}`);
  const later = batch.after === null ? sql`true` : sql`${id} > ${batch.after}::${idType(place)}`;
  const { rows } = await sql<{ id: string; tenant_id: string | null; sealed: string }>`
    select ${id}::text as id, ${tenant}::text as tenant_id, ${sql.ref(place.column)} as sealed
    from ${sql.table(place.table)}
    where ${later} and ${notUnder(place, batch.keyId)}
    order by ${id} limit ${batch.limit} for update`.execute(tx);
  return rows.map((row) => ({ id: row.id, tenantId: row.tenant_id, sealed: row.sealed }));
}

export async function updateSealed(
  tx: Tx,
  place: SealedPlace,
  rows: readonly Pick<SealedRow, "id" | "sealed">[],
): Promise<void> {
  const ids = rows.map((row) => row.id);
  const values = rows.map((row) => row.sealed);
  await sql`
    update ${sql.table(place.table)} as target set ${sql.ref(place.column)} = fresh.value
    from unnest(${ids}::${idType(place)}[], ${values}::text[]) as fresh (id, value)
    where ${sql.ref(`target.${place.idColumn}`)} = fresh.id`.execute(tx);
}

export async function countSealedNotUnder(
  tx: Tx,
  place: Pick<SealedPlace, "table" | "column" | "only">,
  keyId: string,
): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*) as count from ${sql.table(place.table)}
    where ${notUnder(place, keyId)}`.execute(tx);
  return rows[0]?.count ?? 0;
}

/** Every column of the schema that holds sealed values; their names say so. */
export async function selectSealedColumns(
  tx: Tx,
): Promise<Pick<SealedPlace, "table" | "column">[]> {
  const { rows } = await sql<{ table: string; column: string }>`
    select c.relname as table, a.attname as column
    from pg_attribute a join pg_class c on c.oid = a.attrelid
    where c.relnamespace = 'public'::regnamespace and c.relkind = 'r' and not a.attisdropped
      and a.attnum > 0 and a.attname like '%sealed%' and c.relname <> 'key_check'
    order by 1, 2`.execute(tx);
  return rows;
}

/** The stored form is `v1.<root key id>.…`; null, where a value is optional, is not counted. */
function notUnder(place: Pick<SealedPlace, "column" | "only">, keyId: string): RawBuilder<unknown> {
  const other = sql`split_part(${sql.ref(place.column)}, '.', 2) <> ${keyId}`;
  if (!place.only) return other;
  return sql`${other} and ${sql.ref(place.only.column)} = ${place.only.value}`;
}

function idType(place: SealedPlace): RawBuilder<unknown> {
  return { uuid: sql`uuid`, text: sql`text`, int: sql`int` }[place.idType];
}
