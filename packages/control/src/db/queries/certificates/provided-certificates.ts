import { sql } from "kysely";
import type { OwnCertificate } from "../../../domain/certificates/own-certificate.ts";
import type { Connection } from "../../../domain/connections/connection.ts";
import type { Tx } from "../../engine/transaction.ts";
import { rememberKey } from "../transparency/own-keys.ts";

/** A certificate that comes with its key, instead of by an order. */
export interface ProvidedCertificate
  extends Pick<OwnCertificate, "chain" | "notBefore" | "notAfter" | "ca" | "fingerprint"> {
  readonly sealedKey: string;
  /** From then on an automatic one is obtained. */
  readonly renewAt: Date;
}

export interface ProvidedSource {
  readonly source: "own" | "automatic";
  readonly issuer: string;
  /** A valid certificate of the same claim stays, unless it is of this issuer and ends sooner. */
  readonly retainsValid: boolean;
}

/**
 * Stores the certificate under the connection's claim; the edges learn of it at the commit. False
 * when the connection has no claim, or what is there stays.
 */
export async function storeProvided(
  tx: Tx,
  connection: Connection,
  provided: ProvidedCertificate & { readonly issueId: string },
  { source, issuer, retainsValid }: ProvidedSource,
  now: Date,
): Promise<boolean> {
  const { numAffectedRows } = await sql`insert into certificates as c
      (hostname, connection_id, tenant_id, environment, epoch, registrable_domain, status, source, issuer, ca,
       chain, sealed_key, fingerprint, not_before, not_after, issue_id, issued_at, renew_at, due_at, created_at)
    select k.hostname, k.connection_id, k.tenant_id, k.environment, k.epoch, ${connection.registrableDomain},
      'issued', ${source}, ${issuer}, ${provided.ca}, ${provided.chain}, ${provided.sealedKey}, ${provided.fingerprint},
      ${provided.notBefore}, ${provided.notAfter}, ${provided.issueId}::uuid, ${now}, ${provided.renewAt}, ${provided.renewAt},
      ${now}
    from claims k where k.connection_id = ${connection.id}
    on conflict (hostname) do update set
      connection_id = excluded.connection_id, tenant_id = excluded.tenant_id,
      environment = excluded.environment, epoch = excluded.epoch,
      registrable_domain = excluded.registrable_domain, status = excluded.status, source = excluded.source,
      issuer = excluded.issuer, ca = excluded.ca, chain = excluded.chain, sealed_key = excluded.sealed_key,
      fingerprint = excluded.fingerprint, not_before = excluded.not_before, not_after = excluded.not_after,
      issue_id = excluded.issue_id, issued_at = excluded.issued_at, renew_at = excluded.renew_at,
      due_at = excluded.due_at, ari_due_at = null, renewal_info = null, alarmed_at = null, failures = 0,
      waits = 0, waits_for = null, turn = null, last_error = null, ca_error = null, error_code = null, leased_until = null,
      version = c.version + 1
    where not ${retainsValid}::boolean or c.epoch <> excluded.epoch or c.chain is null
      or c.not_after <= ${now}
      or (c.source = excluded.source and c.issuer = excluded.issuer and c.not_after < excluded.not_after)`.execute(
    tx,
  );
  if ((numAffectedRows ?? 0n) === 0n) return false;
  await rememberKey(tx, provided.chain, now);
  await sql`select pg_notify('mooring_certificates', ${connection.hostname})`.execute(tx);
  return true;
}
