import type { Queries } from "./queries.ts";

/** What one process saw of an origin since its last report. */
export interface OriginReport {
  readonly connectionId: string;
  /** The last failures since the last success of the process, oldest first. */
  readonly failures: readonly Date[];
  /** The last success that the other processes do not know of. */
  readonly success: Date | null;
}

/** What a report changes for the control plane. */
export interface ReportedOrigin {
  readonly connectionId: string;
  /** Its connection has to be checked: an outage begins, or the reported one has ended. */
  readonly change: "unreachable" | "serving" | null;
}

/** Failing and serving origins are announced on it to the other edge processes. */
export const originsChannel = "mooring_origins";

/** Ids in one report: a notification has room for about two hundred. */
export const maxReports = 200;

/** Merges the reports of a process into the shared view and announces what has changed. */
export async function reportOrigins(
  queries: Queries,
  reports: readonly OriginReport[],
): Promise<ReportedOrigin[]> {
  const { rows } = await queries.query<{ connection_id: string; change: ReportedOrigin["change"] }>(
    {
      name: "report_origins",
      text: "select connection_id, change from report_origins($1)",
      values: [JSON.stringify(reports.map(toJson))],
    },
  );
  return rows.map(({ connection_id: connectionId, change }) => ({ connectionId, change }));
}

function toJson({ connectionId, failures, success }: OriginReport): object {
  return { id: connectionId, failures, success };
}

/**
 * The origins whose last request failed, with its time; for a process that missed a notification.
 */
export async function failingOrigins(queries: Queries): Promise<ReadonlyMap<string, Date>> {
  const { rows } = await queries.query<{ connection_id: string; last_failure_at: Date }>(
    "select connection_id, last_failure_at from origin_health where failing_since is not null",
  );
  return new Map(rows.map((row) => [row.connection_id, row.last_failure_at]));
}

/** Has the control plane check the connection now. */
export async function recheckConnection(
  queries: Queries,
  connectionId: string,
  now: Date,
): Promise<void> {
  await queries.query("select recheck_connection($1, $2)", [connectionId, now]);
}
