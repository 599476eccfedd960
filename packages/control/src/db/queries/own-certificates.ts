import { sql } from "kysely";
import type { Connection } from "../../domain/connection.ts";
import type { OwnCertificate } from "../../domain/own-certificate.ts";
import type { Tx } from "../engine/transaction.ts";

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
 * Stores the certificate under the connection's claim, in place of whatever is there. An order under way
 * is dropped: its certificate is not stored. False when the connection has no claim.
 */
export async function storeOwn(
  tx: Tx,
  connection: Connection,
  own: Pick<OwnCertificate, "chain" | "notBefore" | "notAfter" | "ca" | "fingerprint"> & {
    readonly sealedKey: string;
    readonly issueId: string;
    readonly replaceAt: Date;
  },
  now: Date,
): Promise<boolean> {
  const { numAffectedRows } = await sql`insert into certificates as c
      (hostname, connection_id, tenant_id, environment, epoch, registrable_domain, status, source, issuer, ca,
       chain, sealed_key, fingerprint, not_before, not_after, issue_id, issued_at, renew_at, due_at, created_at)
    select k.hostname, k.connection_id, k.tenant_id, k.environment, k.epoch, ${connection.registrableDomain},
      'issued', 'own', 'own', ${own.ca}, ${own.chain}, ${own.sealedKey}, ${own.fingerprint}, ${own.notBefore},
      ${own.notAfter}, ${own.issueId}::uuid, ${now}, ${own.replaceAt}, ${own.replaceAt}, ${now}
    from claims k where k.connection_id = ${connection.id}
    on conflict (hostname) do update set
      connection_id = excluded.connection_id, tenant_id = excluded.tenant_id,
      environment = excluded.environment, epoch = excluded.epoch,
      registrable_domain = excluded.registrable_domain, status = excluded.status, source = excluded.source,
      issuer = excluded.issuer, ca = excluded.ca, chain = excluded.chain, sealed_key = excluded.sealed_key,
      fingerprint = excluded.fingerprint, not_before = excluded.not_before, not_after = excluded.not_after,
      issue_id = excluded.issue_id, issued_at = excluded.issued_at, renew_at = excluded.renew_at,
      due_at = excluded.due_at, ari_due_at = null, renewal_info = null, alarmed_at = null, failures = 0,
      waits = 0, waits_for = null, turn = null, last_error = null, error_code = null, leased_until = null,
      version = c.version + 1`.execute(tx);
  if ((numAffectedRows ?? 0n) === 0n) return false;
  await sql`delete from acme_orders where hostname = ${connection.hostname}`.execute(tx);
  await announceCertificate(tx, connection);
  return true;
}

/** The own certificate is served until an automatic one is there, which is due now. */
export async function replaceOwn(tx: Tx, connection: Connection, now: Date): Promise<void> {
  await sql`update certificates set renew_at = ${now}, due_at = ${now}
    where hostname = ${connection.hostname} and connection_id = ${connection.id}
      and source = 'own'`.execute(tx);
  await sql`select pg_notify('mooring_due', 'certificates')`.execute(tx);
}

/** The edges drop what they have of the name, and serve what is stored. */
async function announceCertificate(tx: Tx, { hostname }: Connection): Promise<void> {
  await sql`select pg_notify('mooring_certificates', ${hostname})`.execute(tx);
}
