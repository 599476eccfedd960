import type { JsonWebKey } from "node:crypto";
import type { Database } from "./pool.ts";
import { inTransaction, type Tx } from "./transaction.ts";

export type SigningPurpose = "widget" | "assertion";

export interface SigningKeyRow {
  readonly id: string;
  readonly purpose: SigningPurpose;
  readonly publicJwk: JsonWebKey;
  readonly sealed: string;
  readonly createdAt: Date;
  readonly retiredAt: Date | null;
}

/** Newest first; retired ones are kept for as long as a token they signed may live. */
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
  return inTransaction(database.query, (tx) => selectSigningKeys(tx, purpose));
}
