import type { SingleFlight } from "@mooring/concurrency";
import { withinBudget } from "../client/call-budget.ts";
import { createJointFlight } from "../client/share.ts";
import { rootAnchors } from "../dnssec/trust-anchor.ts";
import { createValidator } from "../dnssec/validator.ts";
import { indeterminate } from "../dnssec/verdict.ts";
import { findZone, oneServer } from "./find-zone.ts";
import type { FoundZone, Resolver, ReusingResolver } from "./resolver.ts";
import { resolverNetwork } from "./resolver-network.ts";
import { type Asking, createMemories } from "./reused-answers.ts";
import { createWire, type NetworkLimits, type WireOptions } from "./wire-questions.ts";

const defaultLimits: NetworkLimits = {
  attemptTimeoutMs: 2_000,
  udpAttempts: 2,
  callTimeoutMs: 10_000,
  maxInFlight: 1_024,
  maxWaiting: 20_000,
  authoritative: { ratePerSecond: 20, burst: 60, maxInFlight: 16 },
  recursive: { ratePerSecond: 2_000, burst: 2_000, maxInFlight: 128 },
};

export interface NetworkResolverOptions extends WireOptions {
  /** DS data of the root's keys: key tag, algorithm, digest type and digest; by default IANA's. */
  readonly trustAnchors?: readonly string[];
  /** The time that signatures are compared with. */
  readonly now?: () => Date;
  readonly limits?: Partial<NetworkLimits>;
}

/**
 * The resolver that queries real servers. Only its reusing forms use an answer twice; sockets
 * outlive a call by milliseconds.
 */
export function createNetworkResolver(options: NetworkResolverOptions): Resolver {
  const limits = { ...defaultLimits, ...options.limits };
  const now = options.now ?? (() => new Date());
  const wire = createWire(options, limits);
  const memories = createMemories(now);
  const coalesceZones = createJointFlight<FoundZone>();
  const validate = createValidator({
    source: wire.dnssecSource(wire.askUnchecked),
    anchors: options.trustAnchors ?? rootAnchors,
    now,
  });
  const budgeted = <T>(signal: AbortSignal, run: (inner: AbortSignal) => Promise<T>) =>
    withinBudget(limits.callTimeoutMs, signal, run);
  const resolverOver = (asking: Asking, zonesOf: ZoneFinder): Resolver => ({
    findZone: (name, signal) =>
      budgeted(signal, (inner) => zonesOf(name, inner, (shared) => findZone(asking, name, shared))),
    findUncheckedZone: (name, signal) => {
      const unchecked = { ...asking, askRecursive: asking.askUnchecked };
      return budgeted(signal, (inner) => findZone(unchecked, name, inner));
    },
    resolve: (name, type, signal) =>
      budgeted(signal, async (inner) => (await asking.askRecursive(name, type, inner)).reply),
    askServer: (server, name, type, { signal, transport }) =>
      budgeted(signal, (inner) => wire.askServer(server, { name, type, transport }, inner)),
    resolveEach: (name, type, signal) =>
      Promise.all(
        wire.resolvers.map(async (to) => ({
          network: resolverNetwork(to.address),
          reply: await budgeted(signal, (inner) => wire.askOne(to, name, type, inner)),
        })),
      ),
    validate: async (name, types, signal) => {
      const source = wire.dnssecSource(asking.askUnchecked);
      const verdict = await budgeted(signal, (inner) => validate(name, types, inner, source));
      return verdict.outcome === "failed" ? indeterminate : verdict;
    },
  });
  const reusing = (sinceMs: number): ReusingResolver => {
    const asking = memories.reusing(wire, sinceMs);
    return {
      ...resolverOver(asking, createJointFlight()),
      pickServer: async (zone, signal) => {
        const found = await budgeted(signal, (inner) => oneServer(asking, zone, inner));
        return found !== null && "host" in found ? found : null;
      },
    };
  };
  return {
    ...resolverOver(memories.storing(wire), coalesceZones),
    reuse: (oldest) => reusing(oldest === "ttl" ? 0 : now().getTime()),
  };
}

type ZoneFinder = SingleFlight<FoundZone>;
