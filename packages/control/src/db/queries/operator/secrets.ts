import type { JsonWebKey } from "node:crypto";
import { type RawBuilder, sql } from "kysely";
import type { Database } from "../../engine/pool.ts";
import type { Tx } from "../../engine/transaction.ts";

/** A column of sealed values. Names come from our own lists, never from input. */
export interface SealedLocation {
  readonly table: string;
  readonly column: string;
  /** The columns that identify a row. */
  readonly idColumn: string;
  readonly idType: "uuid" | "text" | "int";
  /** Null where the rows belong to the installation as a whole. */
  readonly tenantColumn: "tenant_id" | null;
  /** Selects the rows of one purpose where a column has several. */
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
  location: SealedLocation,
  batch: { readonly keyId: string; readonly after: string | null; readonly limit: number },
): Promise<SealedRow[]> {
  const tenant = location.tenantColumn ? sql.ref(location.tenantColumn) : sql`null`;
  const id = sql.ref(`${location.table}.${location.idColumn}`);
  const later = batch.after === null ? sql`true` : sql`${id} > ${batch.after}::${idType(location)}`;
  const { rows } = await sql<{ id: string; tenant_id: string | null; sealed: string }>`
    select ${id}::text as id, ${tenant}::text as tenant_id, ${sql.ref(location.column)} as sealed
    from ${sql.table(location.table)}
    where ${later} and ${notUnder(location, batch.keyId)}
    order by ${id} limit ${batch.limit} for update`.execute(tx);
  return rows.map((row) => ({ id: row.id, tenantId: row.tenant_id, sealed: row.sealed }));
}

export async function updateSealed(
  tx: Tx,
  location: SealedLocation,
  rows: readonly Pick<SealedRow, "id" | "sealed">[],
): Promise<void> {
  const ids = rows.map((row) => row.id);
  const values = rows.map((row) => row.sealed);
  await sql`
    update ${sql.table(location.table)} as target set ${sql.ref(location.column)} = fresh.value
    from unnest(${ids}::${idType(location)}[], ${values}::text[]) as fresh (id, value)
    where ${sql.ref(`target.${location.idColumn}`)} = fresh.id`.execute(tx);
}

export async function countSealedNotUnder(
  tx: Tx,
  location: Pick<SealedLocation, "table" | "column" | "only">,
  keyId: string,
): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*) as count from ${sql.table(location.table)}
    where ${notUnder(location, keyId)}`.execute(tx);
  return rows[0]?.count ?? 0;
}

/** Every column of the schema that holds sealed values; their names say so. */
export async function selectSealedColumns(
  tx: Tx,
): Promise<Pick<SealedLocation, "table" | "column">[]> {
  const { rows } = await sql<{ table: string; column: string }>`
    select c.relname as table, a.attname as column
    from pg_attribute a join pg_class c on c.oid = a.attrelid
    where c.relnamespace = 'public'::regnamespace and c.relkind = 'r' and not a.attisdropped
      and a.attnum > 0 and a.attname like '%sealed%' and c.relname <> 'key_check'
    order by 1, 2`.execute(tx);
  return rows;
}

/** The stored form is `v1.<root key id>.…`; null, where a value is optional, is not counted. */
function notUnder(
  location: Pick<SealedLocation, "column" | "only">,
  keyId: string,
): RawBuilder<unknown> {
  const other = sql`split_part(${sql.ref(location.column)}, '.', 2) <> ${keyId}`;
  if (!location.only) return other;
  return sql`${other} and ${sql.ref(location.only.column)} = ${location.only.value}`;
}

function idType(location: SealedLocation): RawBuilder<unknown> {
  return { uuid: sql`uuid`, text: sql`text`, int: sql`int` }[location.idType];
}

export interface KeyCheck {
  readonly keyId: string;
  readonly sealed: string;
}

export async function selectKeyChecks(tx: Tx): Promise<KeyCheck[]> {
  const { rows } = await sql<{ key_id: string; sealed: string }>`
    select key_id, sealed from key_check order by created_at, key_id`.execute(tx);
  return rows.map((row) => ({ keyId: row.key_id, sealed: row.sealed }));
}

export async function insertKeyCheck(tx: Tx, check: KeyCheck, now: Date): Promise<void> {
  await sql`insert into key_check (key_id, sealed, created_at)
            values (${check.keyId}, ${check.sealed}, ${now})`.execute(tx);
}

/** Forgets every root key but this one; the ids of those forgotten. */
export async function deleteOtherKeyChecks(tx: Tx, keyId: string): Promise<string[]> {
  const { rows } = await sql<{ key_id: string }>`
    delete from key_check where key_id <> ${keyId} returning key_id`.execute(tx);
  return rows.map((row) => row.key_id);
}

export type SigningPurpose = "widget" | "assertion";

export interface SigningKeyRow {
  readonly id: string;
  readonly purpose: SigningPurpose;
  readonly publicJwk: JsonWebKey;
  readonly sealed: string;
  readonly createdAt: Date;
  readonly retiredAt: Date | null;
}

/** Newest first; retired ones stay for as long as a token they signed is valid. */
export async function selectSigningKeys(tx: Tx, purpose: SigningPurpose): Promise<SigningKeyRow[]> {
  const rows = await tx
    .selectFrom("signing_keys")
    .select(["id", "purpose", "public_jwk", "sealed", "created_at", "retired_at"])
    .where("purpose", "=", purpose)
    .orderBy("created_at", "desc")
    .orderBy("id", "desc")
    .execute();
  return rows.map((row) => ({
    id: row.id,
    purpose: row.purpose,
    publicJwk: row.public_jwk,
    sealed: row.sealed,
    createdAt: row.created_at,
    retiredAt: row.retired_at,
  }));
}

export async function insertSigningKey(tx: Tx, key: SigningKeyRow): Promise<void> {
  await tx
    .insertInto("signing_keys")
    .values({
      id: key.id,
      purpose: key.purpose,
      public_jwk: JSON.stringify(key.publicJwk),
      sealed: key.sealed,
      created_at: key.createdAt,
      retired_at: key.retiredAt,
    })
    .execute();
}

/** The ids of those that were in use until now. */
export async function retireSigningKeys(
  tx: Tx,
  purpose: SigningPurpose,
  now: Date,
): Promise<readonly string[]> {
  const rows = await tx
    .updateTable("signing_keys")
    .set({ retired_at: now })
    .where("purpose", "=", purpose)
    .where("retired_at", "is", null)
    .returning("id")
    .execute();
  return rows.map((row) => row.id);
}

export async function readSigningKeys(
  database: Database,
  purpose: SigningPurpose,
): Promise<SigningKeyRow[]> {
  return database.transaction((tx) => selectSigningKeys(tx, purpose));
}
