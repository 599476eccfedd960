import { orElse } from "@mooring/concurrency";
import {
  type CaaIssuer,
  type CaaVerdict,
  caaAllows,
  checkDnssec,
  type DnssecCheck,
  type FoundZone,
  type Reply,
  type Resolver,
  withoutCaches,
} from "@mooring/dns";
import { selectAccountUris } from "../../db/queries/certificates/certificates.ts";
import { caaIssuer } from "../../domain/certificates/certificate.ts";
import type { DesiredRecord } from "../../domain/connections/connection.ts";
import type { DomainConnectOffer } from "../../domain/domain-connect/domain-connect.ts";
import { isEdgeName } from "../../domain/ownership/target.ts";
import type { Environment } from "../../domain/tenancy.ts";
import { withBudget } from "../budget.ts";
import { domainConnectOffer, templateKind } from "./domain-connect-offer.ts";
import {
  type DomainCheckRuntime,
  evenIfBogus,
  findKnownZone,
  type NameObservation,
  observeName,
  unobserved,
} from "./observe-name.ts";

export interface DomainFactsInput {
  readonly environment: Environment;
  readonly hostname: string;
  /** The desired records, as far as they are known before the provider is. */
  readonly desired: readonly DesiredRecord[];
  /**
   * Whose Domain Connect template is looked up: that of the application with this id, or the shared
   * one for default records (`applicationId` null). Null: Domain Connect is not checked.
   */
  readonly domainConnect: { readonly applicationId: string | null } | null;
  readonly budgetMs: number;
  readonly signal: AbortSignal;
}

/** What DNS says about a hostname; a fact that was not answered in time is null or `unknown`. */
export interface DomainFacts {
  readonly zone: FoundZone | null;
  /**
   * The zone was found although its DNSSEC is broken: who serves it is known, and nothing is
   * written to it.
   */
  readonly isUnchecked: boolean;
  readonly dnssec: DnssecCheck;
  readonly caa: CaaVerdict | null;
  readonly names: readonly NameObservation[];
  /** The edge's configured addresses and those that its name resolves to now. */
  readonly edgeAddresses: ReadonlySet<string>;
  readonly domainConnect: DomainConnectOffer | null;
}

/** Asks for everything in parallel, and returns what is known when the budget ends. */
export function gatherDomainFacts(
  runtime: DomainCheckRuntime,
  input: DomainFactsInput,
): Promise<DomainFacts> {
  const { hostname, environment } = input;
  const resolver = runtime.dns.resolverFor(environment, hostname);
  return withBudget(input.budgetMs, input.signal, async (signal) => {
    const checked = orElse(signal, findKnownZone(runtime, resolver, hostname, signal), null);
    const detected = checked.then((found) => evenIfBogus(resolver, hostname, found, signal));
    const zone = orElse(signal, detected, null);
    const [strict, found, dnssec, caa, names, edgeAddresses, domainConnect] = await Promise.all([
      checked,
      zone,
      orElse(signal, checkDnssec(resolver, hostname, checked, signal), notValidated),
      orElse<CaaVerdict | null>(signal, checkCaa(runtime, resolver, input, signal), null),
      Promise.all(
        observedNames(input).map((name) =>
          orElse(signal, observeName(runtime, resolver, name, signal), unobserved(name)),
        ),
      ),
      resolveEdge(runtime, resolver, signal),
      orElse(signal, findOffer(runtime, resolver, { ...input, zone: checked, signal }), null),
    ]);
    const isUnchecked = found !== strict;
    return { zone: found, isUnchecked, dnssec, caa, names, edgeAddresses, domainConnect };
  });
}

function observedNames({ hostname, desired }: DomainFactsInput): readonly string[] {
  return [...new Set([hostname, ...desired.map(({ host }) => host)])];
}

const notValidated: DnssecCheck = { status: "unknown", fault: null };

function checkCaa(
  runtime: DomainCheckRuntime,
  resolver: Resolver,
  { hostname, desired }: DomainFactsInput,
  signal: AbortSignal,
): Promise<CaaVerdict> {
  const alias = desired.find(({ host, type }) => host === hostname && type === "CNAME");
  const { config, transaction } = runtime;
  const issuer = caaIssuer(config.acmeDirectoryUrls, async (directories) =>
    transaction ? transaction((tx) => selectAccountUris(tx, directories)) : [],
  );
  const findZone: Resolver["findZone"] = (name, inner) =>
    findKnownZone(runtime, resolver, name, inner);
  const asked = withoutCaches({ ...resolver, findZone }, (name) =>
    isEdgeName(config.edgeCname, name),
  );
  return caaAfterConnect(asked, issuer, { hostname, cname: alias?.value ?? null }, signal);
}

async function findOffer(
  runtime: DomainCheckRuntime,
  resolver: Resolver,
  input: Pick<DomainFactsInput, "hostname" | "domainConnect"> & {
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

/** The configured addresses, and those that the edge's name resolves to within the budget. */
async function resolveEdge(
  { config }: DomainCheckRuntime,
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
  return new Set([...config.edgeIpv4, ...config.edgeIpv6, ...resolved]);
}

/**
 * Whether CAA will allow a certificate once the desired records are published. CAA records behind
 * today's CNAME do not count, because that CNAME will be replaced. A CNAME to the edge resolves to
 * the edge's own CAA set (RFC 8659 §3).
 */
function caaAfterConnect(
  resolver: Resolver,
  issuer: CaaIssuer,
  name: { readonly hostname: string; readonly cname: string | null },
  signal: AbortSignal,
): Promise<CaaVerdict> {
  const { hostname, cname } = name;
  const resolve: Resolver["resolve"] = async (asked, type, inner) => {
    const reply = await resolver.resolve(asked, type, inner);
    if (asked !== hostname || reply.outcome === "failed") return reply;
    if (reply.outcome === "records" && reply.chain.length === 0) return reply;
    if (cname === null) return nothing;
    const target = await resolver.resolve(cname, type, inner);
    // A failure at the edge's own name is the operator's and says nothing about this domain.
    return target.outcome === "records" ? target : nothing;
  };
  const { findZone, askServer } = resolver;
  const after: Resolver = { findZone, askServer, resolve };
  return caaAllows(after, hostname, issuer, signal);
}

const nothing: Reply = {
  outcome: "absent",
  rcode: "NOERROR",
  chain: [],
  negativeTtlSeconds: null,
  authoritative: false,
};
