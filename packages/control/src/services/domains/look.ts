import {
  type CaaVerdict,
  canonicalIpv6,
  type DnssecStatus,
  dnssecStatus,
  type FoundZone,
  type Resolver,
} from "@mooring/dns";
import type { DesiredRecord } from "../../domain/connection.ts";
import type { Environment } from "../../domain/tenancy.ts";
import { orElse, withBudget } from "./budget.ts";
import { caaAfterConnect } from "./caa-after-connect.ts";
import { domainConnectOffer } from "./domain-connect-cache.ts";
import { type DomainConnectOffer, templateKind } from "./domain-connect-offer.ts";
import { findKnownZone } from "./known-zone.ts";
import { lookAtName, type SeenName, unseen } from "./look-at-name.ts";
import type { LookRuntime } from "./recent-facts.ts";

export interface LookInput {
  readonly environment: Environment;
  readonly hostname: string;
  /** The records that will be wanted, as far as they can be told before the provider is known. */
  readonly wanted: readonly DesiredRecord[];
  /**
   * Whether Domain Connect could set these records: by the default templates (null), or by those of
   * the application with this id.
   */
  readonly domainConnect: { readonly applicationId: string | null } | null;
  readonly budgetMs: number;
  readonly signal: AbortSignal;
}

/** What DNS says about a hostname; what could not be had in time is null or `unknown`. */
export interface DomainFacts {
  readonly zone: FoundZone | null;
  readonly dnssec: DnssecStatus;
  readonly caa: CaaVerdict | null;
  readonly names: readonly SeenName[];
  /** The edge's own addresses and those that its name has at the moment. */
  readonly edgeAddresses: ReadonlySet<string>;
  readonly domainConnect: DomainConnectOffer | null;
}

/** Gathers everything at once, and gives what is known when the budget ends. */
export function look(runtime: LookRuntime, input: LookInput): Promise<DomainFacts> {
  const { hostname, environment } = input;
  const resolver = runtime.dns.resolverFor(environment, hostname);
  return withBudget(input.budgetMs, input.signal, async (signal) => {
    const zone = orElse(signal, findKnownZone(runtime, resolver, hostname, signal), null);
    const [found, dnssec, caa, names, edgeAddresses, domainConnect] = await Promise.all([
      zone,
      orElse(signal, dnssecOf(resolver, zone, signal), "unknown"),
      orElse<CaaVerdict | null>(signal, caaOf(runtime, resolver, input, signal), null),
      Promise.all(
        namesOf(input).map((name) =>
          orElse(signal, lookAtName(runtime, resolver, name, signal), unseen(name)),
        ),
      ),
      edgeAddressesOf(runtime, resolver, signal),
      orElse(signal, offerOf(runtime, resolver, { ...input, zone, signal }), null),
    ]);
    return { zone: found, dnssec, caa, names, edgeAddresses, domainConnect };
  });
}

function namesOf({ hostname, wanted }: LookInput): readonly string[] {
  return [...new Set([hostname, ...wanted.map(({ host }) => host)])];
}

async function dnssecOf(
  resolver: Resolver,
  zone: Promise<FoundZone | null>,
  signal: AbortSignal,
): Promise<DnssecStatus> {
  const found = await zone;
  // A resolver that validates refuses the delegation itself.
  if (found?.outcome === "failed" && found.reason === "bogus") return "bogus";
  return found?.outcome === "found" ? dnssecStatus(resolver, found.zone, signal) : "unknown";
}

function caaOf(
  { config }: LookRuntime,
  resolver: Resolver,
  { hostname, wanted }: LookInput,
  signal: AbortSignal,
): Promise<CaaVerdict> {
  const alias = wanted.find(({ host, type }) => host === hostname && type === "CNAME");
  return caaAfterConnect(resolver, config, { hostname, cname: alias?.value ?? null }, signal);
}

async function offerOf(
  runtime: LookRuntime,
  resolver: Resolver,
  input: Pick<LookInput, "hostname" | "domainConnect"> & {
    readonly zone: Promise<FoundZone | null>;
    readonly signal: AbortSignal;
  },
): Promise<DomainConnectOffer | null> {
  const found = await input.zone;
  if (found?.outcome !== "found" || input.domainConnect === null) return null;
  const { zone } = found;
  const { hostname, signal } = input;
  const kind = templateKind(hostname, zone);
  const question = { zone, kind, signal, ...input.domainConnect };
  return domainConnectOffer(runtime, resolver, question);
}

/** What cannot be resolved is left out: the configured addresses are always known. */
async function edgeAddressesOf(
  { config }: LookRuntime,
  resolver: Resolver,
  signal: AbortSignal,
): Promise<ReadonlySet<string>> {
  const replies = await Promise.all(
    (["A", "AAAA"] as const).map((type) =>
      orElse(signal, resolver.resolve(config.edgeCname, type, signal), null),
    ),
  );
  const resolved = replies.flatMap((reply) =>
    reply?.outcome === "records" ? reply.records.map(({ value }) => value) : [],
  );
  const ipv6 = config.edgeIpv6.map((address) => canonicalIpv6(address) ?? address);
  return new Set([...config.edgeIpv4, ...ipv6, ...resolved]);
}
