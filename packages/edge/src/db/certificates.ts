import { foreignText } from "@mooring/dns/lookup";
import type { SealContext } from "@mooring/vault";
import type pg from "pg";
import type { Queries } from "./queries.ts";

/** A certificate's row as an edge serves it. */
export interface StoredCertificate {
  readonly hostname: string;
  readonly epoch: number;
  readonly chain: string;
  readonly sealedKey: string;
  readonly notAfter: Date;
}

/** A row that is due, for its first certificate or a renewal. */
export interface DueCertificate {
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
  /** The CA that CAA allows, when it is not the first one. */
  readonly preferredIssuer: string | null;
  /** How often the order was put off because the name does not resolve to us yet. */
  readonly waits: number;
  /** Until when caches, also the CA's, may have an older answer; null when not known. */
  readonly cachedUntil: Date | null;
  readonly version: number;
}

/** The vault context of a row's private key. */
export function certificateKeyContext(tenantId: string, hostname: string): SealContext {
  return { tenant: tenantId, table: "certificates", row: hostname, column: "sealed_key" };
}

/** A visitor waits: a frozen database must not hold up the certificate that is on disk. */
const handshakeTimeoutMs = 1_500;

/** The certificate of exactly this claim, if it is still valid. */
export async function loadCertificate(
  queries: Queries,
  hostname: string,
  epoch: number,
  now: Date,
): Promise<StoredCertificate | null> {
  const query: pg.QueryConfig & { readonly query_timeout: number } = {
    name: "load_certificate",
    text: `select chain, sealed_key, not_after from certificates
      where hostname = $1 and epoch = $2 and chain is not null and sealed_key is not null and not_after > $3`,
    values: [hostname, epoch, now],
    query_timeout: handshakeTimeoutMs,
  };
  const { rows } = await queries.query<{ chain: string; sealed_key: string; not_after: Date }>(
    query,
  );
  const row = rows[0];
  if (!row) return null;
  return { hostname, epoch, chain: row.chain, sealedKey: row.sealed_key, notAfter: row.not_after };
}

/** New names and renewals are claimed separately, so that neither starves the other. */
export type Lane = "first" | "renewal";

/**
 * Of those that have been due for longest, the soonest to expire first, so that no served name
 * lapses. Names are passed on as arrays: of a join the server would expect a tenth of the table
 * from a limit that it does not know when it plans, and read all that is due.
 */
const dueByExpiry = `longest as materialized (
    select hostname from certificates
    where due_at <= $1 and (leased_until is null or leased_until <= $1) and chain is not null
    order by due_at limit 16 * $3),
  due as (
    select hostname from certificates where hostname = any (array(select hostname from longest))
      and due_at <= $1 and (leased_until is null or leased_until <= $1)
    order by not_after, due_at limit $3 for update skip locked)`;

/** As many tenants are read, from each of two places: a claim costs the same however many wait. */
const maxTenants = 128;

const tenantsFrom = (name: string, first: string): string => `${name} as (
    (select tenant_id, 1 as counted from certificates where chain is null and due_at is not null and ${first}
     order by tenant_id limit 1)
    union all
    select (select c.tenant_id from certificates c where chain is null and due_at is not null
        and c.tenant_id > w.tenant_id order by c.tenant_id limit 1), counted + 1
    from ${name} w where w.tenant_id is not null and counted < ${maxTenants})`;

/**
 * One by one between the tenants, so that one with many names does not delay the others: the first
 * tenants, those after a random place, and the one that has been due for longest.
 */
const dueRoundRobin = `recursive ${tenantsFrom("first_tenants", "true")},
  ${tenantsFrom("later_tenants", "tenant_id > $4")},
  longest as (
    select tenant_id from (select tenant_id from certificates
      where chain is null and due_at <= $1 and (leased_until is null or leased_until <= $1)
      order by due_at limit $3) as l),
  waiting as (
    select tenant_id from first_tenants union select tenant_id from later_tenants
    union select tenant_id from longest),
  ranked as (
    select hostname from waiting w cross join lateral (
      select c.hostname, c.due_at, row_number() over (order by c.due_at) as turn from certificates c
      where c.tenant_id = w.tenant_id and chain is null and due_at <= $1
        and (leased_until is null or leased_until <= $1)
      order by c.due_at limit $3) as due
    order by turn, due_at limit $3),
  due as (
    select hostname from certificates where hostname = any (array(select hostname from ranked))
      and due_at <= $1 and (leased_until is null or leased_until <= $1) for update skip locked)`;

const firstIdsAt = Date.parse("2026-01-01T00:00:00Z");

/** An id as it is made at a random time until now: ids of tenants begin with the time. */
function randomTenantId(now: Date): string {
  const at = firstIdsAt + Math.random() * Math.max(0, now.getTime() - firstIdsAt);
  const time = Math.floor(at).toString(16).padStart(12, "0");
  return `${time.slice(0, 8)}-${time.slice(8)}-7000-8000-000000000000`;
}

/** Leases due rows of a lane. */
export async function claimDueCertificates(
  queries: Queries,
  lane: Lane,
  now: Date,
  leasedUntil: Date,
  limit: number,
): Promise<DueCertificate[]> {
  const { rows } = await queries.query<{
    hostname: string;
    connection_id: string;
    tenant_id: string;
    environment: "test" | "live";
    epoch: string;
    registrable_domain: string | null;
    status: DueCertificate["status"];
    issuer: string | null;
    chain: string | null;
    not_after: Date | null;
    failures: number;
    preferred_issuer: string | null;
    waits: number;
    cached_until: Date | null;
    version: string;
  }>({
    name: `claim_${lane}_certificates`,
    text: `with ${lane === "first" ? dueRoundRobin : dueByExpiry}
      update certificates c set leased_until = $2, version = c.version + 1,
        status = case when c.chain is null then 'pending' when c.not_after <= $1 then 'expired'
          else 'renewing' end
      where c.hostname = any (array(select hostname from due))
      returning c.hostname, c.connection_id, c.tenant_id, c.environment, c.epoch, c.registrable_domain,
        c.status, c.issuer, c.chain, c.not_after, c.failures, c.preferred_issuer, c.waits, c.cached_until,
        c.version`,
    values: [now, leasedUntil, limit, ...(lane === "first" ? [randomTenantId(now)] : [])],
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
    preferredIssuer: row.preferred_issuer,
    waits: row.waits,
    cachedUntil: row.cached_until,
    version: Number(row.version),
  }));
}

/** Extends leases that are still held under these versions. */
export async function extendCertificates(
  queries: Queries,
  held: ReadonlyMap<string, number>,
  leasedUntil: Date,
): Promise<void> {
  await queries.query(
    `update certificates c set leased_until = $3
     from unnest($1::text[], $2::bigint[]) as h (hostname, version)
     where c.hostname = h.hostname and c.version = h.version and c.leased_until is not null`,
    [[...held.keys()], [...held.values()], leasedUntil],
  );
}

/** Releases a lease, if it is still held under this version, and wakes the other edges. */
export async function releaseCertificate(queries: Queries, held: DueCertificate): Promise<void> {
  await queries.query(
    `update certificates set leased_until = null, version = version + 1
     where hostname = $1 and version = $2`,
    [held.hostname, held.version],
  );
  await queries.query("select pg_notify('mooring_due', 'certificates')");
}

/** Releases a lease until `dueAt` without a notification: nothing has changed. */
export async function postponeCertificate(
  queries: Queries,
  held: DueCertificate,
  dueAt: Date,
): Promise<void> {
  await queries.query(
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
  /** SHA-256 of the first certificate, in lower-case hexadecimal. */
  readonly fingerprint: string;
  readonly sealedKey: string;
  readonly notBefore: Date;
  readonly notAfter: Date;
  readonly renewAt: Date;
  /** When the CA is first asked for renewal information; null where it offers none. */
  readonly ariDueAt: Date | null;
}

/**
 * Stores a new certificate if the lease's version and the claim's epoch are still current; false
 * otherwise, and the certificate is then never served. The old certificate is replaced only here,
 * and the order is deleted only here: after an earlier crash the order is resumed.
 */
export async function storeCertificate(
  queries: Queries,
  due: DueCertificate,
  made: NewCertificate,
  now: Date,
): Promise<boolean> {
  const { rowCount } = await queries.query(
    `with stored as (
       update certificates set status = 'issued', issue_id = $4, issuer = $5, ca = $6, chain = $7,
         sealed_key = $8, not_before = $9, not_after = $10, renew_at = $11, due_at = $11, issued_at = $12,
         ari_due_at = $13, source = 'automatic', fingerprint = $14, renewal_info = null, alarmed_at = null, failures = 0, waits = 0, last_error = null,
         ca_error = null, error_code = null, waits_for = null, turn = null, leased_until = null, version = version + 1
       where hostname = $1 and version = $2 and epoch = $3
         and exists (select from edge_hosts('', 1, array[$1::text]) h where h.epoch = $3)
       returning hostname),
     over as (delete from acme_orders o using stored s where o.hostname = s.hostname)
     select from stored`,
    [
      due.hostname,
      due.version,
      due.epoch,
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
      made.fingerprint,
    ],
  );
  if ((rowCount ?? 0) === 0) return false;
  await announce(queries, due, now);
  return true;
}

/** Records a failure and the time of the next attempt; the served certificate stays. */
export async function failCertificate(
  queries: Queries,
  due: DueCertificate,
  failure: {
    readonly errorCode: string;
    readonly message: string;
    /** What the CA said, if it was the CA that refused. */
    readonly caError: { readonly type: string; readonly detail: string | null } | null;
    readonly dueAt: Date;
    /** False for a delay that is not a failure, such as a permission that was not given. */
    readonly counts: boolean;
  },
  now: Date,
): Promise<void> {
  await queries.query(
    `update certificates set status = case
         when chain is null then 'failed' when not_after <= $7 then 'expired'
         when renewal_info->'withdrawn' = 'true' then 'revoked' else 'issued' end,
       error_code = $3, last_error = $4, due_at = $5, failures = failures + $6, waits = 0, leased_until = null,
       ca_error = $8, waits_for = null, turn = null, version = version + 1
     where hostname = $1 and version = $2`,
    [
      due.hostname,
      due.version,
      failure.errorCode,
      foreignText(failure.message, 1_000),
      failure.dueAt,
      failure.counts ? 1 : 0,
      now,
      failure.caError && JSON.stringify(failure.caError),
    ],
  );
  await announce(queries, due, now);
}

/**
 * Puts an order off that waits for DNS. Nothing is announced: for the control plane nothing has
 * changed, and its own checks see the same DNS.
 */
export async function deferCertificate(
  queries: Queries,
  due: DueCertificate,
  wait: { readonly message: string; readonly dueAt: Date },
): Promise<void> {
  await queries.query(
    `update certificates set status = 'pending', error_code = null, last_error = $3, ca_error = null, due_at = $4,
       waits = waits + 1, leased_until = null, version = version + 1
     where hostname = $1 and version = $2`,
    [due.hostname, due.version, wait.message.slice(0, 1_000), wait.dueAt],
  );
}

/** Notifies the other edges, which drop the name from their caches, and has control recheck it. */
export async function announce(
  queries: Queries,
  about: Pick<DueCertificate, "connectionId" | "hostname">,
  now: Date,
): Promise<void> {
  await queries.query("select recheck_connection($1, $2), pg_notify('mooring_certificates', $3)", [
    about.connectionId,
    now,
    about.hostname,
  ]);
}
