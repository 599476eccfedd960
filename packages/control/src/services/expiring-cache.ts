import type { FoundZone } from "@mooring/dns";
import type { Clock } from "../../../postgres/src/clock.ts";
import type { DomainConnectOffer } from "../domain/domain-connect/domain-connect.ts";

/** A cache bounded in time and size; the entry that was not read for longest is dropped first. */
export interface ExpiringCache<T> {
  get(key: string): T | undefined;
  set(key: string, value: T, lifetimeMs: number): void;
}

export function createExpiringCache<T>(options: {
  readonly maxEntries: number;
  readonly nowMs: () => number;
}): ExpiringCache<T> {
  // A Map iterates in insertion order and `get` re-inserts, so the first entry is the least recent.
  const entries = new Map<string, { readonly value: T; readonly until: number }>();
  return {
    get(key) {
      const entry = entries.get(key);
      if (entry === undefined) return undefined;
      entries.delete(key);
      if (entry.until <= options.nowMs()) return undefined;
      entries.set(key, entry);
      return entry.value;
    },
    set(key, value, lifetimeMs) {
      entries.delete(key);
      entries.set(key, { value, until: options.nowMs() + lifetimeMs });
      const [oldest] = entries.keys();
      if (entries.size > options.maxEntries && oldest !== undefined) entries.delete(oldest);
    },
  };
}

/** What one process has recently read about domains. Used for detection, never as a proof. */
export interface RecentDomainFacts {
  readonly zones: ExpiringCache<FoundZone>;
  readonly offers: ExpiringCache<DomainConnectOffer>;
  /** The slugs of panels by the name servers of their hosts; null where none was recognised. */
  readonly panels: ExpiringCache<string | null>;
  /** Ids of Domain Connect keys that DNS did not publish when last asked. */
  readonly unpublishedKeys: ExpiringCache<true>;
  /** Sandbox connections and zones whose readers were noted a moment ago. */
  readonly watches: ExpiringCache<true>;
}

const maxDomains = 5_000;
const maxKeys = 100;

export function createRecentDomainFacts(clock: Clock): RecentDomainFacts {
  const nowMs = () => clock.now().getTime();
  return {
    zones: createExpiringCache({ maxEntries: maxDomains, nowMs }),
    offers: createExpiringCache({ maxEntries: maxDomains, nowMs }),
    panels: createExpiringCache({ maxEntries: maxDomains, nowMs }),
    unpublishedKeys: createExpiringCache({ maxEntries: maxKeys, nowMs }),
    watches: createExpiringCache({ maxEntries: maxDomains, nowMs }),
  };
}
