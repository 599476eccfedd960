import type pg from "pg";
import type { CertificateHealth } from "../metrics/metrics.ts";

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

/** A tenant's own certificate is the tenant's to renew, until an automatic one is due. */
const isOurs = "(source <> 'own' or renew_at <= $1)";

const columns = "hostname, connection_id, not_after, failures, last_error";

/** Marks and returns certificates that have expired; each is returned to one edge only. */
export async function markExpired(pool: pg.Pool, now: Date): Promise<ExpiringCertificate[]> {
  const { rows } = await pool.query<Row>(
    `update certificates set status = 'expired' where not_after <= $1 and status <> 'expired'
     returning ${columns}`,
    [now],
  );
  return rows.map(toExpiring);
}

/** Certificates with at most a quarter of their lifetime left and no alarm since `alarmedBefore`. */
export async function takeAlarms(
  pool: pg.Pool,
  now: Date,
  alarmedBefore: Date,
): Promise<ExpiringCertificate[]> {
  const { rows } = await pool.query<Row>(
    `update certificates set alarmed_at = $1
     where not_after - (not_after - not_before) / 4 <= $1 and (alarmed_at is null or alarmed_at <= $2)
       and ${isOurs}
     returning ${columns}`,
    [now, alarmedBefore],
  );
  return rows.map(toExpiring);
}

/** Counts over all certificates of the installation. */
export async function certificateHealth(pool: pg.Pool, now: Date): Promise<CertificateHealth> {
  const { rows } = await pool.query<{
    served: string;
    near_end: string;
    expired: string;
    soonest: Date | null;
  }>(
    `select count(*) filter (where not_after > $1) as served,
       count(*) filter (where not_after > $1 and not_after - (not_after - not_before) / 4 <= $1
         and ${isOurs}) as near_end,
       count(*) filter (where not_after <= $1) as expired,
       min(not_after) filter (where not_after > $1) as soonest
     from certificates where not_after is not null`,
    [now],
  );
  const row = rows[0];
  return {
    served: Number(row?.served ?? 0),
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
