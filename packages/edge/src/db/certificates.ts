import { foreignText } from "@mooring/dns";
import type { SealContext } from "@mooring/vault";
import type pg from "pg";

/** A certificate's row as an edge serves it. */
export interface StoredCertificate {
  readonly hostname: string;
  readonly epoch: number;
  readonly chain: string;
  readonly sealedKey: string;
  readonly notAfter: Date;
}

/** A row that is due, for its first certificate or a renewal. */
export interface WantedCertificate {
  readonly hostname: string;
  readonly connectionId: string;
  readonly tenantId: string;
  readonly environment: "test" | "live";
  readonly epoch: number;
  readonly registrableDomain: string;
  readonly status: "pending" | "issued" | "renewing" | "failed" | "expired" | "revoked";
  /** The name of the issuer of the served certificate. */
  readonly issuer: string | null;
  readonly chain: string | null;
  readonly notAfter: Date | null;
  readonly failures: number;
  readonly version: number;
}

/** The vault context of a row's private key. */
export function certificateKeyContext(tenantId: string, hostname: string): SealContext {
  return { tenant: tenantId, table: "certificates", row: hostname, column: "sealed_key" };
}

/** The certificate of exactly this claim, if it is still valid. */
export async function loadCertificate(
  pool: pg.Pool,
  hostname: string,
  epoch: number,
  now: Date,
): Promise<StoredCertificate | null> {
  const { rows } = await pool.query<{ chain: string; sealed_key: string; not_after: Date }>({
    name: "load_certificate",
    text: `select chain, sealed_key, not_after from certificates
      where hostname = $1 and epoch = $2 and chain is not null and sealed_key is not null and not_after > $3`,
    values: [hostname, epoch, now],
  });
  const row = rows[0];
  if (!row) return null;
  return { hostname, epoch, chain: row.chain, sealedKey: row.sealed_key, notAfter: row.not_after };
}

/** Whether a certificate is expected soon for a name that has none; null when there is no row. */
export async function certificateProgress(
  pool: pg.Pool,
  hostname: string,
  epoch: number,
): Promise<{ readonly isExpected: boolean } | null> {
  const { rows } = await pool.query<{ failures: number }>(
    "select failures from certificates where hostname = $1 and epoch = $2",
    [hostname, epoch],
  );
  const row = rows[0];
  // After a failure the next attempt is minutes away: too long for a handshake to wait.
  return row ? { isExpected: row.failures === 0 } : null;
}

/** New names and renewals are claimed separately, so that neither starves the other. */
export type Lane = "first" | "renewal";

/** Leases due rows of a lane; renewals by expiry, soonest first, so that no served name lapses. */
export async function claimDueCertificates(
  pool: pg.Pool,
  lane: Lane,
  now: Date,
  leasedUntil: Date,
  limit: number,
): Promise<WantedCertificate[]> {
  const { rows } = await pool.query<{
    hostname: string;
    connection_id: string;
    tenant_id: string;
    environment: "test" | "live";
    epoch: string;
    registrable_domain: string | null;
    status: WantedCertificate["status"];
    issuer: string | null;
    chain: string | null;
    not_after: Date | null;
    failures: number;
    version: string;
  }>({
    name: "claim_due_certificates",
    text: `with due as (
        select hostname from certificates
        where due_at <= $1 and (leased_until is null or leased_until <= $1) and (chain is null) = $4
        order by not_after, due_at limit $3 for update skip locked)
      update certificates c set leased_until = $2, version = c.version + 1,
        status = case when c.chain is null then 'pending' when c.not_after <= $1 then 'expired'
          else 'renewing' end
      from due where c.hostname = due.hostname
      returning c.hostname, c.connection_id, c.tenant_id, c.environment, c.epoch, c.registrable_domain,
        c.status, c.issuer, c.chain, c.not_after, c.failures, c.version`,
    values: [now, leasedUntil, limit, lane === "first"],
  });
  return rows.map((row) => ({
    hostname: row.hostname,
    connectionId: row.connection_id,
    tenantId: row.tenant_id,
    environment: row.environment,
    epoch: Number(row.epoch),
    registrableDomain: row.registrable_domain ?? row.hostname,
    status: row.status,
    issuer: row.issuer,
    chain: row.chain,
    notAfter: row.not_after,
    failures: row.failures,
    version: Number(row.version),
  }));
}

/** Extends leases that are still held under these versions. */
export async function extendCertificates(
  pool: pg.Pool,
  held: ReadonlyMap<string, number>,
  leasedUntil: Date,
): Promise<void> {
  await pool.query(
    `update certificates c set leased_until = $3
     from unnest($1::text[], $2::bigint[]) as h (hostname, version)
     where c.hostname = h.hostname and c.version = h.version and c.leased_until is not null`,
    [[...held.keys()], [...held.values()], leasedUntil],
  );
}

/** Releases a lease, if it is still held under this version, and wakes the other edges. */
export async function releaseCertificate(pool: pg.Pool, held: WantedCertificate): Promise<void> {
  await pool.query(
    `update certificates set leased_until = null, version = version + 1
     where hostname = $1 and version = $2`,
    [held.hostname, held.version],
  );
  await pool.query("select pg_notify('mooring_due', 'certificates')");
}

/** Releases a lease until `dueAt` without a notification: nothing has changed. */
export async function postponeCertificate(
  pool: pg.Pool,
  held: WantedCertificate,
  dueAt: Date,
): Promise<void> {
  await pool.query(
    `update certificates set leased_until = null, due_at = $3, version = version + 1
     where hostname = $1 and version = $2`,
    [held.hostname, held.version, dueAt],
  );
}

export interface NewCertificate {
  readonly issueId: string;
  readonly issuer: string;
  readonly ca: string;
  readonly chain: string;
  readonly sealedKey: string;
  readonly notBefore: Date;
  readonly notAfter: Date;
  readonly renewAt: Date;
  /** When the CA is first asked for renewal information; null where it offers none. */
  readonly ariDueAt: Date | null;
}

/**
 * Stores a new certificate if the lease's version and the claim's epoch are still current; false
 * otherwise, and the certificate is then never served. The old certificate is replaced only here, and
 * the order is deleted only here: after an earlier crash the order is resumed.
 */
export async function storeCertificate(
  pool: pg.Pool,
  wanted: WantedCertificate,
  made: NewCertificate,
  now: Date,
): Promise<boolean> {
  const { rowCount } = await pool.query(
    `with stored as (
       update certificates set status = 'issued', issue_id = $4, issuer = $5, ca = $6, chain = $7,
         sealed_key = $8, not_before = $9, not_after = $10, renew_at = $11, due_at = $11, issued_at = $12,
         ari_due_at = $13, renewal_info = null, alarmed_at = null, failures = 0, last_error = null,
         error_code = null, leased_until = null, version = version + 1
       where hostname = $1 and version = $2 and epoch = $3
         and exists (select from edge_hosts('', 1, array[$1::text]) h where h.epoch = $3)
       returning hostname),
     over as (delete from acme_orders o using stored s where o.hostname = s.hostname)
     select from stored`,
    [
      wanted.hostname,
      wanted.version,
      wanted.epoch,
      made.issueId,
      made.issuer,
      made.ca,
      made.chain,
      made.sealedKey,
      made.notBefore,
      made.notAfter,
      made.renewAt,
      now,
      made.ariDueAt,
    ],
  );
  if ((rowCount ?? 0) === 0) return false;
  await announce(pool, wanted, now);
  return true;
}

/** Records a failure and the time of the next attempt; the served certificate stays. */
export async function failCertificate(
  pool: pg.Pool,
  wanted: WantedCertificate,
  failure: {
    readonly errorCode: string;
    readonly message: string;
    readonly dueAt: Date;
    /** False for a delay that is not a failure, such as an exhausted budget. */
    readonly counts: boolean;
  },
  now: Date,
): Promise<void> {
  await pool.query(
    `update certificates set status = case
         when chain is null then 'failed' when not_after <= $7 then 'expired'
         when renewal_info->'withdrawn' = 'true' then 'revoked' else 'issued' end,
       error_code = $3, last_error = $4, due_at = $5, failures = failures + $6, leased_until = null,
       version = version + 1
     where hostname = $1 and version = $2`,
    [
      wanted.hostname,
      wanted.version,
      failure.errorCode,
      foreignText(failure.message, 1_000),
      failure.dueAt,
      failure.counts ? 1 : 0,
      now,
    ],
  );
  await announce(pool, wanted, now);
}

/** Notifies the other edges, which drop the name from their caches, and has control recheck it. */
export async function announce(
  pool: pg.Pool,
  about: Pick<WantedCertificate, "connectionId" | "hostname">,
  now: Date,
): Promise<void> {
  await pool.query("select recheck_connection($1, $2), pg_notify('mooring_certificates', $3)", [
    about.connectionId,
    now,
    about.hostname,
  ]);
}
