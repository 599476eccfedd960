import { sql } from "kysely";
import type { Connection } from "../../../domain/connections/connection.ts";
import type { Tx } from "../../engine/transaction.ts";
import { type ProvidedCertificate, storeProvided } from "./provided-certificates.ts";

/** The served certificate, when it is the tenant's own. */
export interface StoredOwn {
  readonly fingerprint: string | null;
  /** From then on an automatic one is obtained. */
  readonly replaceAt: Date | null;
}

export async function selectOwn(tx: Tx, connection: Connection): Promise<StoredOwn | null> {
  const { rows } = await sql<{ fingerprint: string | null; renew_at: Date | null }>`
    select fingerprint, renew_at from certificates
    where hostname = ${connection.hostname} and connection_id = ${connection.id}
      and source = 'own' and chain is not null`.execute(tx);
  const [row] = rows;
  return row ? { fingerprint: row.fingerprint, replaceAt: row.renew_at } : null;
}

/**
 * Replaces whatever is there. An order under way is dropped: its certificate is not stored. False
 * when the connection has no claim.
 */
export async function storeOwn(
  tx: Tx,
  connection: Connection,
  own: ProvidedCertificate & { readonly issueId: string },
  now: Date,
): Promise<boolean> {
  const source = { source: "own", issuer: "own", retainsValid: false } as const;
  if (!(await storeProvided(tx, connection, own, source, now))) return false;
  await sql`delete from acme_orders where hostname = ${connection.hostname}`.execute(tx);
  return true;
}

/** The own certificate is served until an automatic one is there, which is due now. */
export async function replaceOwn(tx: Tx, connection: Connection, now: Date): Promise<void> {
  await sql`update certificates set renew_at = ${now}, due_at = ${now}
    where hostname = ${connection.hostname} and connection_id = ${connection.id}
      and source = 'own'`.execute(tx);
  await sql`select pg_notify('mooring_due', 'certificates')`.execute(tx);
}
