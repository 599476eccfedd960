import type { Host } from "../hosts/host.ts";
import type { TrafficCounts } from "../traffic/counts.ts";

/** How many requests names get, over the last minutes. */
export interface RequestRates {
  /** Counts as `inner` does, and by name. */
  readonly counts: TrafficCounts;
  /** Requests a second, the busiest first; called at equal intervals. */
  rank(elapsedMs: number): readonly NameRate[];
}

export interface NameRate {
  readonly hostname: string;
  readonly perSecond: number;
}

/** A burst is forgotten with this half-life. */
const halfLifeMs = 60_000;
/** Names that are followed; beyond that, the least busy are forgotten at the next ranking. */
const maxNames = 20_000;
const leastPerSecond = 0.01;

/** `share` is the part of all requests that this process sees. */
export function createRequestRates(inner: TrafficCounts, share: number): RequestRates {
  let counted = new Map<string, number>();
  let rates = new Map<string, number>();

  const count = ({ hostname }: Host): void => {
    const before = counted.get(hostname);
    if (before !== undefined || counted.size < maxNames) counted.set(hostname, (before ?? 0) + 1);
  };

  return {
    counts: {
      ended(host, exchange) {
        count(host);
        inner.ended(host, exchange);
      },
      transferred: (host, bytesIn, bytesOut) => inner.transferred(host, bytesIn, bytesOut),
      answered: (host, ms) => inner.answered(host, ms),
      secured: (host) => inner.secured(host),
      refused: (host) => inner.refused(host),
    },
    rank(elapsedMs) {
      const left = 0.5 ** (elapsedMs / halfLifeMs);
      const seconds = elapsedMs / 1_000;
      const next = new Map<string, number>();
      for (const hostname of new Set([...rates.keys(), ...counted.keys()])) {
        const now = (counted.get(hostname) ?? 0) / share / seconds;
        const rate = left * (rates.get(hostname) ?? 0) + (1 - left) * now;
        if (rate >= leastPerSecond) next.set(hostname, rate);
      }
      counted = new Map();
      const ranked = [...next]
        .map(([hostname, perSecond]) => ({ hostname, perSecond }))
        .sort((one, other) => other.perSecond - one.perSecond)
        .slice(0, maxNames);
      rates = new Map(ranked.map(({ hostname, perSecond }) => [hostname, perSecond]));
      return ranked;
    },
  };
}

export interface ChoiceLimits {
  readonly most: number;
  /** From so many requests a second on a name is promoted; below half of it, it is demoted. */
  readonly promoteAt: number;
}

/**
 * The names to be promoted. One that is promoted stays until it has lost half of what promotes, or
 * another one has half as much again.
 */
export function chooseNames(
  ranked: readonly NameRate[],
  promoted: ReadonlySet<string>,
  { most, promoteAt }: ChoiceLimits,
): readonly string[] {
  const weighed = ranked.flatMap(({ hostname, perSecond }) => {
    const isPromoted = promoted.has(hostname);
    if (perSecond < (isPromoted ? promoteAt / 2 : promoteAt)) return [];
    return [{ hostname, weight: isPromoted ? perSecond * 1.5 : perSecond }];
  });
  weighed.sort((one, other) => other.weight - one.weight);
  return weighed.slice(0, most).map(({ hostname }) => hostname);
}
