import type { Queries } from "./queries.ts";

/** Makes every certificate due, without a question to the CA about when. */
export async function renewAll(queries: Queries, at: Date): Promise<void> {
  await queries.query("update certificates set renew_at = $1, due_at = $1, ari_due_at = null", [
    at,
  ]);
}

/** How far all renewals together have got. */
export interface RenewalMeasure {
  /** When the next order is due; null when none is. */
  readonly dueAt: Date | null;
  /** When the next question about a renewal's time is due; null when none is. */
  readonly askAt: Date | null;
  readonly overdue: number;
  readonly expired: number;
  /** How long the certificate that expires first is still valid. */
  readonly leastLeftMs: number;
}

export async function measureRenewals(queries: Queries, now: Date): Promise<RenewalMeasure> {
  const { rows } = await queries.query<{
    due_at: Date | null;
    ask_at: Date | null;
    overdue: string;
    expired: string;
    ends: Date;
  }>(
    `select min(due_at) as due_at, min(ari_due_at) as ask_at, min(not_after) as ends,
       count(*) filter (where renew_at < $1) as overdue, count(*) filter (where not_after <= $1) as expired
     from certificates`,
    [now],
  );
  const [row] = rows;
  if (row === undefined) throw new Error("no row was measured");
  return {
    dueAt: row.due_at,
    askAt: row.ask_at,
    overdue: Number(row.overdue),
    expired: Number(row.expired),
    leastLeftMs: row.ends.getTime() - now.getTime(),
  };
}
