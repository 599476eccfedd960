import { sql } from "kysely";
import type { CaLimit } from "../../../domain/certificates/certificate.ts";
import type { Tx } from "../../engine/transaction.ts";

/** How many of something a CA's limit leaves now; as many as `limit` again in `perSeconds`. */
export interface Allowance {
  readonly left: number;
  readonly limit: number;
  readonly perSeconds: number;
}

/** The limits of a CA, as the edges last noted them. */
export interface CaBudget {
  readonly orders: Allowance | null;
  readonly renewals: Allowance | null;
  /** Until then the CA takes no orders; null when it does. */
  readonly waitsUntil: Date | null;
  readonly waitsFor: "ca_rate_limited" | "ca_unavailable" | null;
}

export interface CaView {
  readonly issuer: string;
  /** Names that wait for one of its limits. */
  readonly waiting: number;
  readonly waitingFor: Readonly<Partial<Record<CaLimit, number>>>;
  readonly issuedLastDay: number;
  readonly issuedLastWeek: number;
  readonly failing: number;
  /** Null for a CA that no edge orders from now. */
  readonly budget: CaBudget | null;
}

type Counts = Omit<CaView, "budget" | "waiting">;

/** Certificates by CA; one that has ordered nothing yet counts where it waits. */
async function selectCounts(tx: Tx, now: Date): Promise<readonly Counts[]> {
  const { rows } = await sql<Counts>`
    with seen as (
      select case
          when waits_for ~ '^(orders|renewals):' then substring(waits_for from '^[a-z]+:(.*)$')
          when waits_for is not null then substring(waits_for from '^[a-z]+:(.*):[^:]*$')
          else coalesce(issuer, preferred_issuer, 'none yet') end as issuer,
        split_part(waits_for, ':', 1) as waits, issued_at, failures
      from certificates),
    waiting as (
      select issuer, jsonb_object_agg(waits, amount) as by_limit from (
        select issuer, waits, count(*)::int as amount from seen where waits is not null group by 1, 2) as counted
      group by issuer)
    select issuer,
      coalesce((select by_limit from waiting where waiting.issuer = seen.issuer), '{}') as "waitingFor",
      count(*) filter (where issued_at > ${now}::timestamptz - interval '1 day')::int as "issuedLastDay",
      count(*) filter (where issued_at > ${now}::timestamptz - interval '7 days')::int as "issuedLastWeek",
      count(*) filter (where failures > 0)::int as failing
    from seen group by issuer order by issuer`.execute(tx);
  return rows;
}

interface BudgetRow {
  readonly kind: "orders" | "renewals";
  readonly issuer: string;
  readonly left: number | null;
  readonly count: number | null;
  readonly seconds: number | null;
  readonly waitsUntil: Date | null;
  readonly waitsFor: CaBudget["waitsFor"];
}

/**
 * `arrives_at` is the theoretical arrival time of the next order (GCRA): what lies ahead of now is
 * used up.
 */
async function selectBudgets(tx: Tx, now: Date): Promise<readonly BudgetRow[]> {
  const { rows } = await sql<BudgetRow>`
    select split_part(name, ':', 1) as kind, substring(name from '^[a-z]+:(.*)$') as issuer,
      greatest(0, floor(rate_count - greatest(0, extract(epoch from arrives_at - ${now}::timestamptz))
        * rate_count / rate_seconds + 0.001))::int as left,
      rate_count as count, rate_seconds as seconds,
      case when held_until > ${now} then held_until end as "waitsUntil",
      case when held_until > ${now} then held_for end as "waitsFor"
    from issuance_budget where name like 'orders:%' or name like 'renewals:%'`.execute(tx);
  return rows;
}

export async function selectCaViews(tx: Tx, now: Date): Promise<readonly CaView[]> {
  const counts = new Map((await selectCounts(tx, now)).map((row) => [row.issuer, row]));
  const budgets = await selectBudgets(tx, now);
  const issuers = new Set([...counts.keys(), ...budgets.map(({ issuer }) => issuer)]);
  return [...issuers].sort().map((issuer) => {
    const own = budgets.filter((row) => row.issuer === issuer);
    const waitingFor = counts.get(issuer)?.waitingFor ?? {};
    return {
      issuer,
      waiting: Object.values(waitingFor).reduce((sum, amount) => sum + amount, 0),
      waitingFor,
      issuedLastDay: counts.get(issuer)?.issuedLastDay ?? 0,
      issuedLastWeek: counts.get(issuer)?.issuedLastWeek ?? 0,
      failing: counts.get(issuer)?.failing ?? 0,
      budget: own.length === 0 ? null : toBudget(own),
    };
  });
}

function toBudget(rows: readonly BudgetRow[]): CaBudget {
  const waiting = rows.find(({ waitsUntil }) => waitsUntil !== null);
  const allowance = (kind: BudgetRow["kind"]): Allowance | null => {
    const row = rows.find((one) => one.kind === kind);
    if (!row || row.left === null || row.count === null || row.seconds === null) return null;
    return { left: row.left, limit: row.count, perSeconds: row.seconds };
  };
  return {
    orders: allowance("orders"),
    renewals: allowance("renewals"),
    waitsUntil: waiting?.waitsUntil ?? null,
    waitsFor: waiting?.waitsFor ?? null,
  };
}
