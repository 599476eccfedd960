import type { FoundZone } from "@mooring/dns";
import type { Runtime } from "../runtime.ts";
import type { DomainConnectOffer } from "./domain-connect-offer.ts";
import { createExpiringCache, type ExpiringCache } from "./expiring-cache.ts";

/** What looking at a domain needs of the process. */
export type LookRuntime = Pick<Runtime, "config" | "clock" | "egress" | "dns"> &
  Partial<Pick<Runtime, "domainConnectClients" | "transaction">>;

/** What one process has lately learnt about domains; detection only, never a proof. */
export interface RecentFacts {
  readonly zones: ExpiringCache<FoundZone>;
  readonly offers: ExpiringCache<DomainConnectOffer>;
}

const MAX_ENTRIES = 5_000;

const byRuntime = new WeakMap<LookRuntime, RecentFacts>();

export function recentFacts(runtime: LookRuntime): RecentFacts {
  const existing = byRuntime.get(runtime);
  if (existing !== undefined) return existing;
  const bounds = { maxEntries: MAX_ENTRIES, nowMs: () => runtime.clock.now().getTime() };
  const made = {
    zones: createExpiringCache<FoundZone>(bounds),
    offers: createExpiringCache<DomainConnectOffer>(bounds),
  };
  byRuntime.set(runtime, made);
  return made;
}
