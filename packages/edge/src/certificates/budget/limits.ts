/** The limits of one CA on what this installation orders there. */
export interface IssuanceLimits {
  readonly ordersPer3Hours: number;
  readonly certificatesPerDomainPerWeek: number;
  readonly certificatesPerNamePerWeek: number;
  readonly failuresPerNamePerHour: number;
  /**
   * Our own pace for renewals, which name what they replace and are exempt at the CA. Null: it
   * grows with the number of certificates.
   */
  readonly renewalsPerMinute: number | null;
  /**
   * The part of the orders that queued names use up. The rest is reserved for tenants with few
   * names, as many for each tenant without waiting. One tenant alone still gets the whole rate.
   */
  readonly tenantShare: number;
}

/** The limits that Let's Encrypt publishes. */
export const defaultIssuanceLimits: IssuanceLimits = {
  ordersPer3Hours: 300,
  certificatesPerDomainPerWeek: 50,
  certificatesPerNamePerWeek: 5,
  failuresPerNamePerHour: 5,
  renewalsPerMinute: null,
  tenantShare: 0.9,
};

/** Overrides by the URL of a directory; `*` stands for every directory that is not named. */
export type IssuanceLimitTable = Readonly<Record<string, Partial<IssuanceLimits>>>;

export function findLimits(table: IssuanceLimitTable, directory: string): IssuanceLimits {
  return { ...defaultIssuanceLimits, ...(table[directory] ?? table["*"]) };
}

/** A leaky bucket: `count` at once, and one more every `perMs / count`. */
export interface Rate {
  readonly count: number;
  readonly perMs: number;
}

const minute = 60_000;
const hour = 60 * minute;
const week = 7 * 24 * hour;

const minutesOfDay = 1_440;
const fewestRenewals = 20;

/**
 * All certificates within a day: what a CA revokes at once is replaced in time, and a lifetime of
 * six days leaves room for an outage. The times of renewals are spread, so that mostly far fewer
 * are due.
 */
function renewalPace({ renewalsPerMinute }: IssuanceLimits, certificates: number): number {
  return renewalsPerMinute ?? Math.max(fewestRenewals, Math.ceil(certificates / minutesOfDay));
}

/** `certificates` is about how many the installation has. */
export function deriveRates(limits: IssuanceLimits, certificates = 0) {
  return {
    orders: { count: limits.ordersPer3Hours, perMs: 3 * hour },
    domain: { count: limits.certificatesPerDomainPerWeek, perMs: week },
    name: { count: limits.certificatesPerNamePerWeek, perMs: week },
    failures: { count: limits.failuresPerNamePerHour, perMs: hour },
    renewals: { count: renewalPace(limits, certificates), perMs: minute },
  } as const satisfies Record<string, Rate>;
}

export function stepMs({ count, perMs }: Rate): number {
  return perMs / count;
}

/** How many may be taken now; `arrivesAt` is the theoretical arrival time of the next (GCRA). */
export function available(rate: Rate, arrivesAt: number, now: number): number {
  return rate.count - Math.max(0, arrivesAt - now) / stepMs(rate);
}
