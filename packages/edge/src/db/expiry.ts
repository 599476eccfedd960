import type { CertificateHealth } from "../metrics/metrics.ts";
import type { Queries } from "./queries.ts";
import { estimateCertificates } from "./waiting-certificates.ts";

/** A certificate close to or past its expiry without a successor. */
export interface ExpiringCertificate {
  readonly hostname: string;
  readonly connectionId: string;
  readonly notAfter: Date;
  readonly failures: number;
  readonly lastError: string | null;
}

interface Row {
  readonly hostname: string;
  readonly connection_id: string;
  readonly not_after: Date;
  readonly failures: number;
  readonly last_error: string | null;
}

const columns = "hostname, connection_id, not_after, failures, last_error";

/** Rows of one statement: after a long outage there may be many. */
const batchSize = 500;

/**
 * Marks and returns certificates that have expired, some at a time; each is returned to one edge
 * only.
 */
export async function markExpired(queries: Queries, now: Date): Promise<ExpiringCertificate[]> {
  const { rows } = await queries.query<Row>(
    `update certificates set status = 'expired' where hostname in (
       select hostname from certificates where not_after <= $1 and status <> 'expired'
       order by not_after desc limit ${batchSize} for update skip locked)
     returning ${columns}`,
    [now],
  );
  return rows.map(toExpiring);
}

/**
 * Certificates with at most a quarter of their lifetime left, some at a time; the next alarm of
 * each is at `nextAt`. A tenant's own certificate is the tenant's to renew, until an automatic one
 * is due.
 */
export async function takeAlarms(
  queries: Queries,
  now: Date,
  nextAt: Date,
): Promise<ExpiringCertificate[]> {
  const { rows } = await queries.query<Row & { is_ours: boolean }>(
    `update certificates set
       alarm_at = case when source = 'own' and renew_at > $1 then renew_at else $2 end,
       alarmed_at = case when source = 'own' and renew_at > $1 then alarmed_at else $1 end
     where hostname in (
       select hostname from certificates where alarm_at <= $1
       order by alarm_at limit ${batchSize} for update skip locked)
     returning ${columns}, alarmed_at is not null as is_ours`,
    [now, nextAt],
  );
  return rows.filter((row) => row.is_ours).map(toExpiring);
}

/**
 * Sets the time of the alarm of certificates from before there was one; false when there is none
 * left.
 */
export async function setMissingAlarms(queries: Queries): Promise<boolean> {
  const { rowCount } = await queries.query(
    `update certificates set alarm_at = not_after - (not_after - not_before) / 4 where hostname in (
       select hostname from certificates where alarm_at is null and not_after is not null
       limit ${batchSize} for update skip locked)`,
  );
  return (rowCount ?? 0) > 0;
}

/** For metrics: what is more is not counted, or is estimated. */
const maxCounted = 10_000;

/** Counts over all certificates of the installation, at a cost that does not grow with them. */
export async function certificateHealth(queries: Queries, now: Date): Promise<CertificateHealth> {
  const { rows } = await queries.query<{
    served: string;
    near_end: string;
    expired: string;
    soonest: Date | null;
  }>(
    `select
       (select count(*) from (select from certificates where not_after > $1
          order by not_after limit ${maxCounted + 1}) as c) as served,
       (select count(*) from (select from certificates where alarmed_at is not null and not_after > $1
          limit ${maxCounted}) as c) as near_end,
       (select count(*) from (select from certificates where not_after <= $1
          order by not_after limit ${maxCounted}) as c) as expired,
       (select min(not_after) from certificates where not_after > $1) as soonest`,
    [now],
  );
  const row = rows[0];
  const served = Number(row?.served ?? 0);
  return {
    served: served > maxCounted ? Math.max(served, await estimateCertificates(queries)) : served,
    nearEnd: Number(row?.near_end ?? 0),
    expired: Number(row?.expired ?? 0),
    soonestEnd: row?.soonest ?? null,
  };
}

function toExpiring(row: Row): ExpiringCertificate {
  return {
    hostname: row.hostname,
    connectionId: row.connection_id,
    notAfter: row.not_after,
    failures: row.failures,
    lastError: row.last_error,
  };
}
