import { formatTime } from "../format-time.ts";

/** What a tenant may use in a calendar month (UTC); null means unlimited. */
interface PlanLimits {
  readonly connect: number | null;
  readonly active_domain: number | null;
  readonly cert: number | null;
  readonly api_call: number | null;
}

export interface Plan {
  readonly id: string;
  readonly name: string;
  readonly limits: PlanLimits;
  readonly price_cents: number;
}

/** Of every price. */
export const currency = "usd";

function connects(limit: number | null): PlanLimits {
  return { connect: limit, active_domain: null, cert: null, api_call: null };
}

/** Examples for operators who sell the service; PLANS_FILE replaces them. */
export const builtInPlans: readonly Plan[] = [
  { id: "self_hosted", name: "Self-hosted", limits: connects(null), price_cents: 0 },
  { id: "free", name: "Free", limits: connects(10), price_cents: 0 },
  { id: "starter", name: "Starter", limits: connects(100), price_cents: 2_900 },
  { id: "growth", name: "Growth", limits: connects(1_000), price_cents: 9_900 },
];

export interface Period {
  readonly start: Date;
  readonly end: Date;
}

/** The calendar month (UTC) of a time. */
export function calendarMonth(time: Date): Period {
  return {
    start: new Date(Date.UTC(time.getUTCFullYear(), time.getUTCMonth(), 1)),
    end: new Date(Date.UTC(time.getUTCFullYear(), time.getUTCMonth() + 1, 1)),
  };
}

/** `2026-11` → that month; null when it is not one of the years 2000 to 2999. */
export function parseMonth(text: string): Period | null {
  const match = /^(2\d{3})-(0[1-9]|1[0-2])$/.exec(text);
  if (!match) return null;
  return calendarMonth(new Date(Date.UTC(Number(match[1]), Number(match[2]) - 1, 1)));
}

/** The first day of the month, which is the period's key in the database. */
export function periodKey(period: Period): string {
  return formatTime(period.start).slice(0, 10);
}
