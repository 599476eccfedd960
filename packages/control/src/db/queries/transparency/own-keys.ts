import { sql } from "kysely";
import { chainKeyHash } from "../../../domain/transparency/own-key.ts";
import type { Tx } from "../../engine/transaction.ts";

/** The key of a certificate that was brought with it is one of ours from now on. */
export async function rememberKey(tx: Tx, chain: string, now: Date): Promise<void> {
  await sql`insert into certificate_keys (sha256, created_at) values (${chainKeyHash(chain)}, ${now})
    on conflict (sha256) do update set created_at = excluded.created_at`.execute(tx);
}

/**
 * Whether the key is ours: of an order, or of a certificate that is stored for one of the
 * connections, since a release before stored no keys.
 */
export async function isOwnKey(
  tx: Tx,
  publicKey: Buffer,
  connectionIds: readonly string[],
): Promise<boolean> {
  const { rows } = await sql<{ chain: string | null }>`
    select null as chain from certificate_keys where sha256 = ${publicKey}
    union all
    select chain from certificates where connection_id = any (${connectionIds}::uuid[]) and chain is not null
      and hostname = any (array(select hostname from claims where connection_id = any (${connectionIds}::uuid[])))
    union all
    select chain from imported_certificates where connection_id = any (${connectionIds}::uuid[])`.execute(
    tx,
  );
  return rows.some(({ chain }) => chain === null || chainKeyHash(chain).equals(publicKey));
}

/** Keys of certificates that ended long ago. */
export async function sweepKeys(tx: Tx, before: Date, limit: number): Promise<number> {
  const { numAffectedRows } = await sql`delete from certificate_keys where sha256 = any (array(
    select sha256 from certificate_keys where created_at < ${before} limit ${limit}))`.execute(tx);
  return Number(numAffectedRows ?? 0n);
}
