import { type Selectable, sql } from "kysely";
import {
  nextAttempt,
  readFault,
  type ShownCertificate,
} from "../../../domain/certificates/certificate.ts";
import { importedIssuer } from "../../../domain/certificates/imported-certificate.ts";
import type { Connection } from "../../../domain/connections/connection.ts";
import type { Observation } from "../../../domain/connections/observation.ts";
import { createLoader, type Loader } from "../../engine/loader.ts";
import type { Database } from "../../engine/pool.ts";
import { type RowOrJson, readTimeOrNull } from "../../engine/times.ts";
import type { Transactions, Tx } from "../../engine/transaction.ts";
import type { Tables } from "../../tables.ts";
import { announceDue } from "../connections/due-connections.ts";

type Certified = Pick<Connection, "id" | "hostname">;

const shownColumns = [
  "status",
  "source",
  "ca",
  "fingerprint",
  "not_after",
  "error_code",
  "issue_id",
  "epoch",
  "due_at",
] as const;

/** Not in what clients poll. */
const unlistedColumns = ["issuer", "ca_error", "last_error"] as const;

/** The certificate requested for this connection; null when none was asked for yet. */
export async function selectCertificate(
  tx: Tx,
  connection: Certified,
): Promise<ShownCertificate | null> {
  const row = await tx
    .selectFrom("certificates")
    .select([...shownColumns, ...unlistedColumns])
    .where("hostname", "=", connection.hostname)
    .where("connection_id", "=", connection.id)
    .executeTakeFirst();
  return row ? toShownCertificate(row) : null;
}

/** The same for connections that are being checked; checks that run together share a round trip. */
export function certificateLoader({
  system,
}: Pick<Transactions, "system">): Loader<Certified, ShownCertificate> {
  return createLoader({
    identify: ({ id }) => id,
    fetch: async (connections) => {
      const hostnames = connections.map(({ hostname }) => hostname);
      const ids = connections.map(({ id }) => id);
      const rows = await system((tx) =>
        tx
          .selectFrom("certificates")
          .select(["connection_id", ...unlistedColumns, ...shownColumns])
          .where("hostname", "=", (eb) => eb.fn.any(eb.val(hostnames)))
          .where("connection_id", "=", (eb) => eb.fn.any(eb.val(ids)))
          .execute(),
      );
      return rows.map((row) => [row.connection_id, toShownCertificate(row)] as const);
    },
  });
}

type CertificateRow = Selectable<Tables["certificates"]>;

/**
 * Without the issuer it is not said whether the certificate was imported, nor why the last attempt
 * failed.
 */
type ShownRow = Pick<CertificateRow, (typeof shownColumns)[number]> &
  Partial<Pick<CertificateRow, (typeof unlistedColumns)[number]>>;

export function toShownCertificate(row: RowOrJson<ShownRow>): ShownCertificate {
  return {
    status: row.status,
    source: row.source,
    ca: row.ca,
    fingerprint: row.fingerprint,
    notAfter: readTimeOrNull(row.not_after),
    errorCode: row.error_code,
    nextAttemptAt: readTimeOrNull(nextAttempt(row.due_at, row.issue_id, row.error_code)),
    issueId: row.issue_id,
    epoch: row.epoch,
    ...(row.issuer === undefined
      ? {}
      : { isImported: row.issuer === importedIssuer, fault: readFault(row) }),
  };
}

/**
 * Makes the hostname's certificate due under the connection's claim. A row of an older claim is
 * taken over and starts again: its certificate was proven for another connection.
 */
export async function wantCertificate(tx: Tx, connection: Connection, now: Date): Promise<void> {
  await sql`insert into certificates as c
      (hostname, connection_id, tenant_id, environment, epoch, registrable_domain, status, due_at, cached_until,
       created_at)
    select k.hostname, k.connection_id, k.tenant_id, k.environment, k.epoch,
      ${connection.registrableDomain}, 'pending', ${now}, c.cached_until, ${now}
    from claims k join only connections c on c.id = k.connection_id where k.connection_id = ${connection.id}
    on conflict (hostname) do update set
      connection_id = excluded.connection_id, tenant_id = excluded.tenant_id,
      environment = excluded.environment, epoch = excluded.epoch, status = 'pending', ca = null,
      not_before = null, not_after = null, last_error = null, ca_error = null, error_code = null, issuer = null,
      source = 'automatic', fingerprint = null, chain = null, sealed_key = null, issued_at = null, issue_id = null, renew_at = null,
      renewal_info = null, ari_due_at = null, alarmed_at = null, failures = 0, registrable_domain = excluded.registrable_domain,
      waits_for = null, turn = null, preferred_issuer = null, waits = 0, cached_until = excluded.cached_until,
      due_at = excluded.due_at, leased_until = null, version = c.version + 1
    where c.epoch <> excluded.epoch`.execute(tx);
  announceDue(tx, "certificates");
}

/**
 * Makes an order that was put off due now. Only one that waits for DNS with `waiting`; with `any`
 * also one that has failed, but never one that waits for the CA: it would be refused again.
 */
export async function hastenCertificate(
  tx: Tx,
  connection: Connection,
  now: Date,
  which: "waiting" | "any",
): Promise<void> {
  const { numAffectedRows } = await sql`update certificates set due_at = ${now}
    where hostname = ${connection.hostname} and connection_id = ${connection.id} and due_at > ${now}
      and (leased_until is null or leased_until <= ${now})
      and (waits > 0 or ${which === "any"} and (chain is null or failures > 0)
        and error_code is distinct from 'ca_rate_limited'
        and error_code is distinct from 'ca_unavailable')`.execute(tx);
  if ((numAffectedRows ?? 0n) > 0n) announceDue(tx, "certificates");
}

/**
 * Has an order that failed, waits or was given up tried now, whatever it waits for. Answers whether
 * there was one: not for a certificate that is in place, nor for one that somebody brought.
 */
export async function retryCertificate(
  tx: Tx,
  connection: Connection,
  now: Date,
): Promise<boolean> {
  const { numAffectedRows } = await sql`update certificates set due_at = ${now}, turn = null
    where hostname = ${connection.hostname} and connection_id = ${connection.id} and source = 'automatic'
      and (chain is null or failures > 0 or error_code is not null or status in ('failed', 'expired', 'revoked'))
      `.execute(tx);
  if ((numAffectedRows ?? 0n) === 0n) return false;
  await announceDue(tx, "certificates");
  return true;
}

/**
 * What a probe showed of a certificate that another edge serves; there is no key and nothing is
 * due.
 */
export async function storeProbed(
  tx: Tx,
  connection: Connection,
  { probe, certificate }: Pick<Observation, "probe" | "certificate">,
  now: Date,
): Promise<void> {
  if (probe?.outcome === "unknown" || !certificate) return;
  const { status, ca, notAfter, issueId, errorCode } = certificate;
  const valid = probe?.outcome === "valid" ? probe.certificate : null;
  await sql`insert into certificates as c
      (hostname, connection_id, tenant_id, environment, epoch, registrable_domain, status, source, ca, issuer,
       not_before, not_after, issue_id, issued_at, error_code, created_at)
    select k.hostname, k.connection_id, k.tenant_id, k.environment, k.epoch,
      ${connection.registrableDomain}, ${status}, 'external', ${ca}, 'external', ${valid?.notBefore ?? null},
      ${notAfter}, ${issueId}, ${valid ? now : null}, ${errorCode}, ${now}
    from claims k where k.connection_id = ${connection.id}
    on conflict (hostname) do update set
      connection_id = excluded.connection_id, tenant_id = excluded.tenant_id,
      environment = excluded.environment, epoch = excluded.epoch, status = excluded.status,
      source = excluded.source, fingerprint = null, ca = excluded.ca, issuer = excluded.issuer, not_before = excluded.not_before,
      not_after = excluded.not_after, issue_id = excluded.issue_id, error_code = excluded.error_code,
      issued_at = case when c.issue_id = excluded.issue_id then c.issued_at else excluded.issued_at end,
      due_at = null, leased_until = null, chain = null, sealed_key = null, renew_at = null,
      failures = 0, last_error = null, ca_error = null, version = c.version + 1
    where c.issue_id is distinct from excluded.issue_id or c.status <> excluded.status
      or c.epoch <> excluded.epoch`.execute(tx);
}

/** The key of a name that was given up is destroyed at once, and with it the orders for it. */
export async function dropCertificate(tx: Tx, connection: Connection): Promise<void> {
  await sql`delete from imported_certificates where connection_id = ${connection.id}`.execute(tx);
  const { numDeletedRows } = await tx
    .deleteFrom("certificates")
    .where("hostname", "=", connection.hostname)
    .where("connection_id", "=", connection.id)
    .executeTakeFirst();
  if (numDeletedRows === 0n) return;
  await sql`delete from acme_orders where hostname = ${connection.hostname}`.execute(tx);
  await sql`delete from acme_challenges where hostname = ${connection.hostname}`.execute(tx);
}

/** Edges read the last thousand again; many more stay for an edge that was disconnected. */
const retainedChanges = 100_000;

/** Forgets old entries of the change logs of hosts and certificates; answers how many went. */
export async function sweepHostChanges(tx: Tx): Promise<number> {
  const hosts = await sql`
    delete from host_changes where id < (select max(id) from host_changes) - ${retainedChanges}`.execute(
    tx,
  );
  const certificates = await sql`delete from certificate_changes
    where id < (select max(id) from certificate_changes) - ${retainedChanges}`.execute(tx);
  return Number((hosts.numAffectedRows ?? 0n) + (certificates.numAffectedRows ?? 0n));
}

/** The URLs of our accounts at these CAs, as far as an edge has opened them. */
export async function selectAccountUris(
  tx: Tx,
  directories: readonly string[],
): Promise<readonly string[]> {
  const { rows } = await sql<{ url: string }>`
    select url from acme_accounts where directory = any (${directories}) and url is not null`.execute(
    tx,
  );
  return rows.map(({ url }) => url);
}

/** The local CA's root, in PEM; null before an edge has made one. */
export async function selectLocalRoot(database: Database): Promise<string | null> {
  const rows = await database.prepared<{ certificate: string }>(
    { name: "local_root", text: "select certificate from local_ca where id = 1" },
    [],
  );
  return rows[0]?.certificate ?? null;
}
