import { randomBytes } from "node:crypto";
import { isIPv4, isIPv6 } from "node:net";
import { type AskResult, ask, createClient, type DnsClient } from "../client/ask.ts";
import { createLimiter, type ServerPolicy } from "../client/limiter.ts";
import { createCoalescer, withinBudget } from "../client/shared-calls.ts";
import type { Endpoint } from "../client/udp.ts";
import { rootAnchors } from "../dnssec/trust-anchor.ts";
import { createValidator } from "../dnssec/validator.ts";
import { indeterminate } from "../dnssec/verdict.ts";
import { normalizeName } from "../name.ts";
import type { QueryType } from "../wire/rdata.ts";
import { createDnssecSource } from "./dnssec-source.ts";
import { findZone, type ZoneSearch } from "./find-zone.ts";
import { interpret } from "./interpret.ts";
import { askRecursive, askUnchecked, type RecursiveAnswer } from "./recursive.ts";
import type { FoundZone, NameServer, Reply, Resolver } from "./resolver.ts";
import { resolverNetwork } from "./resolver-network.ts";

export interface NetworkLimits {
  /** One packet out, one answer back. */
  readonly attemptTimeoutMs: number;
  readonly udpAttempts: number;
  /** One call of the resolver, including the wait for a slot. */
  readonly callTimeoutMs: number;
  /** Queries in flight, each on at most one socket, and callers waiting for a slot. */
  readonly maxInFlight: number;
  readonly maxWaiting: number;
  /** Other people's servers; queried sparingly. */
  readonly authoritative: ServerPolicy;
  /** The operator's own resolvers. */
  readonly recursive: ServerPolicy;
}

const defaultLimits: NetworkLimits = {
  attemptTimeoutMs: 2_000,
  udpAttempts: 2,
  callTimeoutMs: 10_000,
  maxInFlight: 1_024,
  maxWaiting: 20_000,
  authoritative: { ratePerSecond: 20, burst: 60, maxInFlight: 16 },
  recursive: { ratePerSecond: 2_000, burst: 2_000, maxInFlight: 128 },
};

export interface NetworkResolverOptions {
  /** Recursive resolvers in order of preference: `192.0.2.53`, `192.0.2.53:53`, `[2001:db8::53]:53`. */
  readonly resolvers: readonly string[];
  readonly authoritativePort?: number;
  /** Whether an authoritative server's address may be contacted; by default any may. */
  readonly permitAddress?: (address: string) => boolean;
  /** DS data of the root's keys: key tag, algorithm, digest type and digest; by default IANA's. */
  readonly trustAnchors?: readonly string[];
  /** The time that signatures are compared with. */
  readonly now?: () => Date;
  readonly clock?: { nowMs(): number };
  readonly random?: (size: number) => Uint8Array;
  readonly limits?: Partial<NetworkLimits>;
}

/** The resolver that queries real servers. It caches no answers; sockets outlive a call by milliseconds. */
export function createNetworkResolver(options: NetworkResolverOptions): Resolver {
  const limits = { ...defaultLimits, ...options.limits };
  const nowMs = options.clock?.nowMs ?? (() => performance.now());
  const client = createClient({
    limiter: createLimiter({ ...limits, nowMs }),
    random: options.random ?? randomBytes,
    attemptTimeoutMs: limits.attemptTimeoutMs,
    udpAttempts: limits.udpAttempts,
  });
  const resolvers = options.resolvers.map(parseEndpoint);
  const recursive = { client, resolvers, policy: limits.recursive };
  const coalesce = createCoalescer<RecursiveAnswer>();
  const coalesceZones = createCoalescer<FoundZone>();
  const recurse = (name: string, type: QueryType, signal: AbortSignal) =>
    coalesce(`${type} ${name}`, signal, (shared) => askRecursive(recursive, name, type, shared));
  const authoritative = {
    client,
    policy: limits.authoritative,
    port: options.authoritativePort ?? 53,
  };
  const addressesOf = (server: NameServer) => permitted(server, options.permitAddress);
  const search: ZoneSearch = {
    askRecursive: recurse,
    askDelegation: async (server, name, signal) => {
      const question = { name, type: "NS", transport: "udp" } as const;
      const asked = await askAddresses(authoritative, addressesOf(server), question, signal);
      return asked.kind === "message" ? asked.message : null;
    },
  };
  const unchecked: ZoneSearch = {
    ...search,
    askRecursive: (name, type, signal) => askUnchecked(recursive, name, type, signal),
  };
  const validate = createValidator({
    source: createDnssecSource({ ...authoritative, recursive, addressesOf }),
    anchors: options.trustAnchors ?? rootAnchors,
    now: options.now ?? (() => new Date()),
  });
  return {
    findZone: (name, signal) =>
      withinBudget(limits.callTimeoutMs, signal, (inner) =>
        coalesceZones(name, inner, (shared) => findZone(search, name, shared)),
      ),
    findUncheckedZone: (name, signal) =>
      withinBudget(limits.callTimeoutMs, signal, (inner) => findZone(unchecked, name, inner)),
    resolve: (name, type, signal) =>
      withinBudget(limits.callTimeoutMs, signal, async (inner) => {
        const { reply } = await recurse(name, type, inner);
        return reply;
      }),
    askServer: (server, name, type, { signal, transport }) =>
      withinBudget(limits.callTimeoutMs, signal, (inner) =>
        askAuthoritative(authoritative, addressesOf(server), { name, type, transport }, inner),
      ),
    resolveEach: (name, type, signal) =>
      Promise.all(
        resolvers.map(async (to) => {
          const only = { ...recursive, resolvers: [to] };
          const reply = await withinBudget(limits.callTimeoutMs, signal, async (inner) => {
            const answer = await askRecursive(only, name, type, inner);
            return answer.reply;
          });
          return { network: resolverNetwork(to.address), reply };
        }),
      ),
    validate: async (name, types, signal) => {
      const verdict = await withinBudget(limits.callTimeoutMs, signal, (inner) =>
        validate(name, types, inner),
      );
      return verdict.outcome === "failed" ? indeterminate : verdict;
    },
  };
}

function permitted(
  server: NameServer,
  permitAddress: ((address: string) => boolean) | undefined,
): readonly string[] {
  return permitAddress === undefined ? server.addresses : server.addresses.filter(permitAddress);
}

interface AuthoritativeOptions {
  readonly client: DnsClient;
  readonly policy: ServerPolicy;
  readonly port: number;
}

interface AuthoritativeQuestion {
  readonly name: string;
  readonly type: QueryType;
  readonly transport: "udp" | "tcp";
}

async function askAuthoritative(
  options: AuthoritativeOptions,
  addresses: readonly string[],
  question: AuthoritativeQuestion,
  signal: AbortSignal,
): Promise<Reply> {
  const asked = await askAddresses(options, addresses, question, signal);
  if (asked.kind === "failed") return { outcome: "failed", reason: asked.reason };
  return interpret(asked.message, question, asked.transport, true);
}

/** All addresses belong to one server; the first that answers counts. */
async function askAddresses(
  options: AuthoritativeOptions,
  addresses: readonly string[],
  question: AuthoritativeQuestion,
  signal: AbortSignal,
): Promise<AskResult> {
  let last: AskResult = { kind: "failed", reason: "unreachable" };
  if (normalizeName(question.name) !== question.name) {
    return { kind: "failed", reason: "malformed" };
  }
  for (const address of addresses) {
    last = await ask(options.client, {
      ...question,
      to: { address, port: options.port },
      policy: options.policy,
      recursionDesired: false,
      checkingDisabled: false,
      signal,
    });
    if (last.kind === "message") return last;
  }
  return last;
}

function parseEndpoint(text: string): Endpoint {
  const [, v6, v4, digits = "53"] = /^(?:\[([^\]]+)\]|([^:[\]]+))(?::(\d+))?$/.exec(text) ?? [];
  const address = v6 ?? v4 ?? "";
  const port = Number(digits);
  const isAddress = v6 === undefined ? isIPv4(address) : isIPv6(address);
  if (!isAddress || port < 1 || port > 65_535) {
    throw new RangeError("A resolver is given as address, or address:port, IPv6 in brackets");
  }
  return { address, port };
}
