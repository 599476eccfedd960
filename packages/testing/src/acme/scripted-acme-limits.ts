/** Rate limits as Let's Encrypt has them, for the scripted CA. */
export interface CaLimits {
  /** How many, in how many milliseconds. */
  readonly orders: readonly [number, number];
  readonly domain: readonly [number, number];
  readonly failures: readonly [number, number];
}

const hour = 3_600_000;

/** The published limits: new orders of an account, certificates of a domain, failures of a name. */
export const publicCaLimits: CaLimits = {
  orders: [300, 3 * hour],
  domain: [50, 168 * hour],
  failures: [5, hour],
};

export interface Refusal {
  readonly detail: string;
  readonly retryAfterSeconds: number;
}

export interface CaLimiter {
  /** Null when the order is accepted, which then counts. */
  newOrder(hostname: string, isRenewal: boolean): Refusal | null;
  failed(hostname: string): void;
  issued(hostname: string, isRenewal: boolean): void;
}

/** Leaky buckets: the whole count at once, then one more each part of the time. */
export function createCaLimiter(limits: CaLimits, now: () => number): CaLimiter {
  const arrivals = new Map<string, number>();

  const waitMs = (name: string, [count, perMs]: readonly [number, number]): number => {
    const level = Math.max(0, (arrivals.get(name) ?? 0) - now());
    return Math.max(0, level + perMs / count - perMs);
  };
  const spend = (name: string, [count, perMs]: readonly [number, number]): void => {
    arrivals.set(name, Math.max(arrivals.get(name) ?? 0, now()) + perMs / count);
  };
  const refuse = (what: string, ms: number): Refusal | null =>
    ms <= 0
      ? null
      : {
          detail: `too many ${what}, retry after ${new Date(now() + ms).toISOString()}`,
          retryAfterSeconds: Math.ceil(ms / 1_000),
        };

  return {
    newOrder(hostname, isRenewal) {
      if (isRenewal) return null;
      const domain = registeredDomain(hostname);
      const refused =
        refuse(
          "new orders (300) from this account in the last 3h0m0s",
          waitMs("", limits.orders),
        ) ??
        refuse(
          `failed authorizations (5) for "${hostname}" in the last 1h0m0s`,
          waitMs(`failures ${hostname}`, limits.failures),
        ) ??
        refuse(
          `certificates (50) already issued for "${domain}" in the last 168h0m0s`,
          waitMs(`domain ${domain}`, limits.domain),
        );
      if (refused === null) spend("", limits.orders);
      return refused;
    },
    failed: (hostname) => spend(`failures ${hostname}`, limits.failures),
    issued(hostname, isRenewal) {
      if (!isRenewal) spend(`domain ${registeredDomain(hostname)}`, limits.domain);
    },
  };
}

function registeredDomain(hostname: string): string {
  return hostname.split(".").slice(-2).join(".");
}
