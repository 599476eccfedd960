import { randomBytes } from "node:crypto";
import { isIPv4, isIPv6 } from "node:net";
import { type AskResult, ask, createClient, type DnsClient } from "../client/ask.ts";
import { createLimiter, type ServerPolicy } from "../client/limiter.ts";
import { createJointFlight } from "../client/share.ts";
import type { Endpoint } from "../client/udp.ts";
import type { DnssecSource } from "../dnssec/chain.ts";
import { normalizeName } from "../name.ts";
import type { QueryType } from "../wire/rdata.ts";
import type { AskDelegation } from "./descend.ts";
import { createDnssecSource } from "./dnssec-source.ts";
import type { RecursiveAsk } from "./find-zone.ts";
import { interpret } from "./interpret.ts";
import { askRecursive, askUnchecked, type RecursiveAnswer } from "./recursive.ts";
import type { NameServer, Reply } from "./resolver.ts";
import { createResolverOrder } from "./resolver-order.ts";

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

export interface WireOptions {
  /**
   * Recursive resolvers: `192.0.2.53`, `192.0.2.53:53`, `[2001:db8::53]:53`; names are spread over
   * them.
   */
  readonly resolvers: readonly string[];
  readonly authoritativePort?: number;
  /** Whether an authoritative server's address may be contacted; by default any may. */
  readonly permitAddress?: (address: string) => boolean;
  /** How many processes ask authoritative servers under one limit; 1 by default. */
  readonly processes?: () => number;
  readonly clock?: { nowMs(): number };
  readonly random?: (size: number) => Uint8Array;
}

export interface AuthoritativeQuestion {
  readonly name: string;
  readonly type: QueryType;
  readonly transport: "udp" | "tcp";
}

/** Every way to put a question to the network; nothing here uses an answer twice. */
export interface WireQuestions {
  readonly resolvers: readonly Endpoint[];
  readonly askRecursive: RecursiveAsk;
  /** With checking disabled: also what a validating resolver refuses. */
  readonly askUnchecked: RecursiveAsk;
  readonly askDelegation: AskDelegation;
  /** Asks this recursive resolver only. */
  askOne(to: Endpoint, name: string, type: QueryType, signal: AbortSignal): Promise<Reply>;
  askServer(
    server: NameServer,
    question: AuthoritativeQuestion,
    signal: AbortSignal,
  ): Promise<Reply>;
  /** Answers with signatures; `recurse` finds the servers. */
  dnssecSource(recurse: RecursiveAsk): DnssecSource;
}

export function createWire(options: WireOptions, limits: NetworkLimits): WireQuestions {
  const nowMs = options.clock?.nowMs ?? (() => performance.now());
  const client = createClient({
    limiter: createLimiter({ ...limits, nowMs }),
    random: options.random ?? randomBytes,
    attemptTimeoutMs: limits.attemptTimeoutMs,
    udpAttempts: limits.udpAttempts,
  });
  const resolvers = options.resolvers.map(parseEndpoint);
  const order = createResolverOrder(resolvers, nowMs);
  const recursive = { client, policy: limits.recursive, ...order };
  const coalesce = createJointFlight<RecursiveAnswer>();
  const { permitAddress } = options;
  const authoritative = {
    client,
    policy: { ...limits.authoritative, processes: options.processes },
    port: options.authoritativePort ?? 53,
    addressesOf: ({ addresses }: NameServer) =>
      permitAddress === undefined ? addresses : addresses.filter(permitAddress),
  };
  return {
    resolvers,
    askRecursive: (name, type, signal) =>
      coalesce(`${type} ${name}`, signal, (shared) => askRecursive(recursive, name, type, shared)),
    askUnchecked: (name, type, signal) => askUnchecked(recursive, name, type, signal),
    async askDelegation(server, name, signal) {
      const question = { name, type: "NS", transport: "udp" } as const;
      const asked = await askAddresses(authoritative, server, question, signal);
      return asked.kind === "message" ? asked.message : null;
    },
    async askOne(to, name, type, signal) {
      const only = { ...recursive, resolversFor: () => [to] };
      return (await askRecursive(only, name, type, signal)).reply;
    },
    async askServer(server, question, signal) {
      const asked = await askAddresses(authoritative, server, question, signal);
      if (asked.kind === "failed") return { outcome: "failed", reason: asked.reason };
      return interpret(asked.message, question, asked.transport, true);
    },
    dnssecSource: (recurse) => createDnssecSource({ ...authoritative, recurse }),
  };
}

interface AuthoritativeOptions {
  readonly client: DnsClient;
  readonly policy: ServerPolicy;
  readonly port: number;
  readonly addressesOf: (server: NameServer) => readonly string[];
}

/** All addresses belong to one server; the first that answers counts. */
async function askAddresses(
  options: AuthoritativeOptions,
  server: NameServer,
  question: AuthoritativeQuestion,
  signal: AbortSignal,
): Promise<AskResult> {
  let last: AskResult = { kind: "failed", reason: "unreachable" };
  if (normalizeName(question.name) !== question.name) {
    return { kind: "failed", reason: "malformed" };
  }
  for (const address of options.addressesOf(server)) {
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
