import { sql } from "kysely";
import { importedIssuer } from "../../../domain/certificates/imported-certificate.ts";
import type { Connection } from "../../../domain/connections/connection.ts";
import type { Tx } from "../../engine/transaction.ts";
import { connectionFields, toConnection } from "../connections/connection-row.ts";
import { unmovedConnections } from "../connections/connection-table.ts";
import { rememberKey } from "../transparency/own-keys.ts";
import { type ProvidedCertificate, storeProvided } from "./provided-certificates.ts";

/** The certificate waits for the proof of its hostname. Fails where one waits already. */
export async function insertImported(
  tx: Tx,
  connection: Connection,
  provided: ProvidedCertificate,
  now: Date,
): Promise<void> {
  await sql`insert into imported_certificates
      (connection_id, tenant_id, environment, ca, chain, sealed_key, fingerprint, not_before, not_after,
       renew_at, created_at)
    values (${connection.id}, ${connection.tenantId}, ${connection.environment}, ${provided.ca}, ${provided.chain},
      ${provided.sealedKey}, ${provided.fingerprint}, ${provided.notBefore}, ${provided.notAfter}, ${provided.renewAt},
      ${now})`.execute(tx);
  await rememberKey(tx, provided.chain, now);
}

/** The end of the one that waits for the proof of its hostname; null where none waits. */
export async function importedEnd(tx: Tx, id: string): Promise<Date | null> {
  const { rows } = await sql<{ not_after: Date }>`select not_after from imported_certificates
    where connection_id = ${id}`.execute(tx);
  return rows[0]?.not_after ?? null;
}

/** Deletes and returns it: from then on it is served, or nobody has it any more. */
export async function takeImported(tx: Tx, id: string): Promise<ProvidedCertificate | null> {
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
 * To be renewed like every other. A valid certificate of the same claim stays, unless it was
 * imported too and ends sooner.
 */
export async function storeImported(
  tx: Tx,
  connection: Connection,
  provided: ProvidedCertificate & { readonly issueId: string },
  now: Date,
): Promise<void> {
  const source = { source: "automatic", issuer: importedIssuer, retainsValid: true } as const;
  await storeProvided(tx, connection, provided, source, now);
}

/** What the application has of the hostname, whichever customer's, newest first. */
export async function selectSameName(
  tx: Tx,
  applicationId: string,
  hostname: string,
): Promise<readonly Connection[]> {
  const rows = await tx
    .selectFrom(unmovedConnections)
    .select(connectionFields)
    .where("hostname", "=", hostname)
    .where("application_id", "=", applicationId)
    .where("state", "not in", ["archived", "failed"])
    .orderBy("created_at", "desc")
    .orderBy("id", "desc")
    .execute();
  return rows.map(toConnection);
}
