import { orElse } from "@mooring/concurrency";
import { isAtOrBelow, type Resolver, resolveAddresses } from "@mooring/dns";
import type { Clock } from "@mooring/postgres";
import type { Config } from "../config/config.ts";
import { newRandomLabel } from "../domain/random-label.ts";
import { isSandboxName } from "../domain/sandbox/sandbox.ts";
import type { Logger } from "../process/log.ts";
import { withBudget } from "./budget.ts";
import type { DnsView } from "./dns-view.ts";

/**
 * Whether names below the edge's resolve to the edge: `elsewhere` when they have other addresses,
 * `absent` when they have none, `unknown` when DNS did not answer.
 */
export type TargetsFound = "published" | "absent" | "elsewhere" | "unknown";

/** Whether the operator has published the wildcard record that the targets of connections need. */
export interface EdgeTargets {
  /** Whether the records of a new connection may name a target of its own. */
  mayBeDesired(hostname: string, signal: AbortSignal): Promise<boolean>;
  /** What was found last; null where all share the edge's name, and before the first answer. */
  found(): TargetsFound | null;
}

type EdgeConfig = Pick<Config, "edgeCname" | "edgeIpv4" | "edgeIpv6">;

/** Asks for a random label below the edge's name, which nobody has asked for before. */
export async function askForTarget(
  resolver: Resolver,
  { edgeCname, edgeIpv4, edgeIpv6 }: EdgeConfig,
  signal: AbortSignal,
): Promise<TargetsFound> {
  // Each machine resolves these itself, all of them to itself (RFC 6761 section 6.3).
  if (isAtOrBelow(edgeCname, "localhost")) return "published";
  const [found, own] = await Promise.all([
    resolveAddresses(resolver, `${newRandomLabel()}.${edgeCname}`, signal),
    resolveAddresses(resolver, edgeCname, signal),
  ]);
  if (found === null) return "unknown";
  if (found.length === 0) return "absent";
  const ours = new Set([...edgeIpv4, ...edgeIpv6, ...(own ?? [])]);
  if (found.every((address) => ours.has(address))) return "published";
  return own === null ? "unknown" : "elsewhere";
}

/** A record that is missing is asked for more often than one that is there. */
const freshMs: Readonly<Record<TargetsFound, number>> = {
  published: 10 * 60_000,
  absent: 60_000,
  elsewhere: 60_000,
  unknown: 10_000,
};
const budgetMs = 3_000;

interface Parts {
  readonly config: Config;
  readonly dns: DnsView;
  readonly clock: Clock;
  readonly log: Logger;
}

export function createEdgeTargets({ config, dns, clock, log }: Parts): EdgeTargets {
  let last: { readonly found: TargetsFound; readonly at: Date } | null = null;
  let asking: Promise<TargetsFound> | null = null;

  const ask = async (): Promise<TargetsFound> => {
    const resolver = dns.resolverFor("live", config.edgeCname);
    const { signal } = new AbortController();
    const answer = await withBudget(budgetMs, signal, (inner) =>
      orElse(inner, askForTarget(resolver, config, inner), "unknown" as const),
    );
    // What was not answered now does not change what was known.
    const found = answer === "unknown" ? (last?.found ?? answer) : answer;
    if (found !== "published" && found !== last?.found) {
      log.warn(
        { found, name: `*.${config.edgeCname}` },
        "targets do not resolve to the edge: new connections get the shared name",
      );
    }
    last = { found, at: clock.now() };
    return found;
  };

  const current = async (): Promise<TargetsFound> => {
    const ageMs = last === null ? 0 : clock.now().getTime() - last.at.getTime();
    if (last !== null && ageMs < freshMs[last.found]) return last.found;
    asking ??= ask().finally(() => {
      asking = null;
    });
    return asking;
  };

  return {
    async mayBeDesired(hostname, signal) {
      if (config.edgeTargets !== "unique") return false;
      // The sandbox answers for names below the edge's itself.
      if (isSandboxName(hostname)) return true;
      const found = await current();
      signal.throwIfAborted();
      return found === "published";
    },
    found: () => (config.edgeTargets === "unique" ? (last?.found ?? null) : null),
  };
}
