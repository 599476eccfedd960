import { sql } from "kysely";
import type { Connection } from "../../domain/connection.ts";
import { importedIssuer } from "../../domain/imported-certificate.ts";
import type { OwnCertificate } from "../../domain/own-certificate.ts";
import type { Tx } from "../engine/transaction.ts";
import { connectionColumns, toConnection } from "./connections.ts";

type StoredFields = Pick<
  OwnCertificate,
  "chain" | "notBefore" | "notAfter" | "ca" | "fingerprint"
> & {
  readonly sealedKey: string;
  readonly renewAt: Date;
};

/** A certificate that waits for the proof of its hostname. */
export type ImportedCertificate = StoredFields;

/** Fails where one waits already. */
export async function insertImported(
  tx: Tx,
  connection: Connection,
  given: ImportedCertificate,
  now: Date,
): Promise<void> {
  await sql`insert into imported_certificates
      (connection_id, tenant_id, environment, ca, chain, sealed_key, fingerprint, not_before, not_after,
       renew_at, created_at)
    values (${connection.id}, ${connection.tenantId}, ${connection.environment}, ${given.ca}, ${given.chain},
      ${given.sealedKey}, ${given.fingerprint}, ${given.notBefore}, ${given.notAfter}, ${given.renewAt},
      ${now})`.execute(tx);
}

/** Whether a valid one waits for the proof of the connection's hostname. */
export async function hasImported(tx: Tx, id: string, now: Date): Promise<boolean> {
  const { rows } = await sql`select from imported_certificates
    where connection_id = ${id} and not_after > ${now}`.execute(tx);
  return rows.length > 0;
}

/** Deletes and returns it: from then on it is served, or nobody has it any more. */
export async function takeImported(tx: Tx, id: string): Promise<ImportedCertificate | null> {
  const { rows } = await sql<ImportedRow>`
    delete from imported_certificates where connection_id = ${id}
    returning ca, chain, sealed_key, fingerprint, not_before, not_after, renew_at`.execute(tx);
  const [row] = rows;
  if (!row) return null;
  return {
    ca: row.ca,
    chain: row.chain,
    sealedKey: row.sealed_key,
    fingerprint: row.fingerprint,
    notBefore: row.not_before,
    notAfter: row.not_after,
    renewAt: row.renew_at,
  };
}

interface ImportedRow {
  readonly ca: string;
  readonly chain: string;
  readonly sealed_key: string;
  readonly fingerprint: string;
  readonly not_before: Date;
  readonly not_after: Date;
  readonly renew_at: Date;
}

/**
 * Stores the certificate under the connection's claim, to be renewed like every other. The edges learn of it at
 * the commit. A valid certificate of the same claim stays.
 */
export async function storeImported(
  tx: Tx,
  connection: Connection,
  given: ImportedCertificate & { readonly issueId: string },
  now: Date,
): Promise<void> {
  await sql`insert into certificates as c
      (hostname, connection_id, tenant_id, environment, epoch, registrable_domain, status, source, issuer, ca,
       chain, sealed_key, fingerprint, not_before, not_after, issue_id, issued_at, renew_at, due_at, created_at)
    select k.hostname, k.connection_id, k.tenant_id, k.environment, k.epoch, ${connection.registrableDomain},
      'issued', 'automatic', ${importedIssuer}, ${given.ca}, ${given.chain}, ${given.sealedKey},
      ${given.fingerprint}, ${given.notBefore}, ${given.notAfter}, ${given.issueId}::uuid, ${now},
      ${given.renewAt}, ${given.renewAt}, ${now}
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
      version = c.version + 1
    where c.epoch <> excluded.epoch or c.chain is null or c.not_after <= ${now}`.execute(tx);
  await sql`select pg_notify('mooring_certificates', ${connection.hostname})`.execute(tx);
}

/** What the application has of the hostname, whichever customer's, newest first. */
export async function selectSameName(
  tx: Tx,
  applicationId: string,
  hostname: string,
): Promise<readonly Connection[]> {
  const rows = await tx
    .selectFrom("connections")
    .select(connectionColumns)
    .where("hostname", "=", hostname)
    .where("application_id", "=", applicationId)
    .where("state", "not in", ["archived", "failed"])
    .orderBy("created_at", "desc")
    .orderBy("id", "desc")
    .execute();
  return rows.map(toConnection);
}
