import { sql } from "kysely";
import type { Tx } from "./transaction.ts";

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
