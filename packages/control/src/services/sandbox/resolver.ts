import {
  type AnswerRecord,
  canonicalIpv6,
  type Failed,
  type FoundZone,
  isAtOrBelow,
  type NameServer,
  type QueryType,
  type Reply,
  type Resolver,
  registrableDomain,
} from "@mooring/dns";
import {
  isSandboxName,
  isUnderMagic,
  nameserverAddress,
  type SandboxZone,
  sandboxTtlSeconds,
} from "../../domain/sandbox/sandbox.ts";
import { createZoneReader, type Step, zoneStep } from "./zone-answers.ts";

export interface SandboxResolverParts {
  /** Null for a zone that was never written: it counts as registered and empty. */
  readonly loadZone: (zone: string) => Promise<SandboxZone | null>;
  /** When the connection that has claimed the hostname first went live; null before. */
  readonly liveSince: (hostname: string) => Promise<Date | null>;
  readonly now: () => Date;
  /**
   * Target of the desired records, and of those that name a target below it; answered here even
   * when no DNS has them.
   */
  readonly edge: { readonly cname: string; readonly addresses: readonly string[] };
  /** Answers every name that is not under `.test`. */
  readonly outside: Resolver;
}

const bogus: Failed = { outcome: "failed", reason: "bogus" };

/** Resolves names under `.test` from sandbox zones, and all others through `outside`. */
export function createSandboxResolver(parts: SandboxResolverParts): Resolver {
  const { outside } = parts;
  const readZone = createZoneReader(parts);

  const findZone = async (name: string, signal: AbortSignal): Promise<FoundZone> => {
    signal.throwIfAborted();
    if (!isSandboxName(name)) return outside.findZone(name, signal);
    return isUnderMagic(name, "dnssec") ? bogus : findSandboxZone(name, signal);
  };

  const findSandboxZone = async (name: string, signal: AbortSignal): Promise<FoundZone> => {
    const apex = registrableDomain(name);
    if (apex === null) return { outcome: "failed", reason: "lame" };
    const { nameservers } = await readZone(apex, signal);
    return { outcome: "found", zone: apex, servers: toServers(nameservers) };
  };

  const findUncheckedZone: Resolver["findUncheckedZone"] = async (name, signal) => {
    signal.throwIfAborted();
    if (isSandboxName(name)) return findSandboxZone(name, signal);
    return outside.findUncheckedZone?.(name, signal) ?? outside.findZone(name, signal);
  };

  const askServer: Resolver["askServer"] = async (server, name, type, { signal, transport }) => {
    signal.throwIfAborted();
    if (!isSandboxName(name)) return outside.askServer(server, name, type, { signal, transport });
    const apex = registrableDomain(name);
    if (apex === null) return { outcome: "failed", reason: "lame" };
    const zone = await readZone(apex, signal);
    if (!zone.nameservers.includes(server.host)) return { outcome: "failed", reason: "refused" };
    return follow(name, { authoritative: true, transport }, async (owner) =>
      isAtOrBelow(owner, apex) ? zoneStep(zone, owner, type, flatten(type, signal, 0)) : leftOpen,
    );
  };

  const resolveWithin = (
    name: string,
    type: QueryType,
    signal: AbortSignal,
    depth: number,
  ): Promise<Reply> =>
    follow(name, { authoritative: false, transport: "udp" }, async (owner): Promise<Step> => {
      signal.throwIfAborted();
      // An edge that is known by its name only has its addresses in DNS.
      const isOurs = isAtOrBelow(owner, parts.edge.cname) && parts.edge.addresses.length > 0;
      if (isOurs) return edgeStep(parts.edge, owner, type);
      if (!isSandboxName(owner)) {
        return { kind: "reply", reply: await outside.resolve(owner, type, signal) };
      }
      if (isUnderMagic(owner, "dnssec")) return { kind: "reply", reply: bogus };
      const apex = registrableDomain(owner);
      if (apex === null) return { ...leftOpen, negativeTtlSeconds: sandboxTtlSeconds };
      return zoneStep(await readZone(apex, signal), owner, type, flatten(type, signal, depth));
    });

  /**
   * The server resolves an ALIAS of its zone itself; the depth limit ends one that points to
   * itself.
   */
  const flatten =
    (type: QueryType, signal: AbortSignal, depth: number) =>
    async (target: string): Promise<Reply> =>
      depth >= maxAliasDepth
        ? { outcome: "failed", reason: "cname_loop" }
        : resolveWithin(target, type, signal, depth + 1);

  return {
    findZone,
    findUncheckedZone,
    askServer,
    resolve: (name, type, signal) => resolveWithin(name, type, signal, 0),
  };
}

const maxAliasDepth = 8;

/** A server does not answer for names in other zones (RFC 1034 §4.3.2). */
const leftOpen = { kind: "absent", rcode: "NOERROR", negativeTtlSeconds: null } as const;

function toServers(nameservers: readonly string[]): readonly NameServer[] {
  return nameservers
    .map((host, index) => ({ host, addresses: [nameserverAddress(index)] }))
    .sort((a, b) => (a.host < b.host ? -1 : 1));
}

function edgeStep(edge: SandboxResolverParts["edge"], name: string, type: QueryType): Step {
  const records = edge.addresses
    .map((address): AnswerRecord => {
      const ipv6 = canonicalIpv6(address);
      return {
        name,
        type: ipv6 === null ? "A" : "AAAA",
        value: ipv6 ?? address,
        ttl: sandboxTtlSeconds,
        priority: null,
      };
    })
    .filter((record) => record.type === type);
  if (records.length > 0) return { kind: "records", records };
  return { kind: "absent", rcode: "NOERROR", negativeTtlSeconds: sandboxTtlSeconds };
}

interface ReplyFlags {
  readonly authoritative: boolean;
  readonly transport: "udp" | "tcp";
}

/** A longer chain of CNAMEs counts as a loop, as in the network resolver. */
const maxChain = 8;

/** Follows CNAMEs until a step ends the chain, whose rcode is the reply's (RFC 6604 §3). */
async function follow(
  name: string,
  flags: ReplyFlags,
  stepAt: (owner: string) => Promise<Step>,
): Promise<Reply> {
  const chain: string[] = [];
  for (let owner = name; ; ) {
    const step = await stepAt(owner);
    if (step.kind !== "cname") return finish(step, chain, flags);
    const { target } = step;
    if (target === name || chain.includes(target) || chain.length === maxChain) {
      return { outcome: "failed", reason: "cname_loop" };
    }
    chain.push(target);
    owner = target;
  }
}

function finish(
  step: Exclude<Step, { readonly kind: "cname" }>,
  chain: readonly string[],
  flags: ReplyFlags,
): Reply {
  if (step.kind === "records")
    return { outcome: "records", records: step.records, chain, ...flags };
  if (step.kind === "absent") {
    const { rcode, negativeTtlSeconds } = step;
    return {
      outcome: "absent",
      rcode,
      chain,
      negativeTtlSeconds,
      authoritative: flags.authoritative,
    };
  }
  const { reply } = step;
  return reply.outcome === "failed" ? reply : { ...reply, chain: [...chain, ...reply.chain] };
}
