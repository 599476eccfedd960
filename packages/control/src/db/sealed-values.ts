import { type RawBuilder, sql } from "kysely";
import type { Tx } from "./transaction.ts";

/** Where sealed values stand. Names come from our own list, never from input. */
export interface SealedPlace {
  readonly table: string;
  readonly column: string;
  readonly idType: "uuid" | "text";
  /** Null where the rows belong to the installation as a whole. */
  readonly tenantColumn: "tenant_id" | null;
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
  const later = batch.after === null ? sql`true` : sql`id > ${batch.after}::${idType(place)}`;
  const { rows } = await sql<{ id: string; tenant_id: string | null; sealed: string }>`
    select id::text as id, ${tenant}::text as tenant_id, ${sql.ref(place.column)} as sealed
    from ${sql.table(place.table)}
    where ${later} and ${notUnder(place, batch.keyId)}
    order by ${sql.ref(`${place.table}.id`)} limit ${batch.limit} for update`.execute(tx);
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
    where target.id = fresh.id`.execute(tx);
}

export async function countSealedNotUnder(
  tx: Tx,
  place: SealedPlace,
  keyId: string,
): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*) as count from ${sql.table(place.table)}
    where ${notUnder(place, keyId)}`.execute(tx);
  return rows[0]?.count ?? 0;
}

/** The stored form is `v1.<root key id>.…`; null, where a value is optional, is not counted. */
function notUnder(place: SealedPlace, keyId: string): RawBuilder<unknown> {
  return sql`split_part(${sql.ref(place.column)}, '.', 2) <> ${keyId}`;
}

function idType(place: SealedPlace): RawBuilder<unknown> {
  return place.idType === "uuid" ? sql`uuid` : sql`text`;
}
