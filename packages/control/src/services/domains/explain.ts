import { cdnName, createCdnFinder, type Resolver, splitHostname } from "@mooring/dns";
import { createGuard } from "@mooring/egress";
import type { Clock } from "@mooring/postgres";
import type { Config } from "../../config/config.ts";
import { localEdge } from "../../config/edge-addresses.ts";
import { caaIssuer } from "../../domain/certificates/certificate.ts";
import { type Connection, untouched } from "../../domain/connections/connection.ts";
import { type Diagnosis, diagnose } from "../../domain/diagnosis/diagnose.ts";
import { newRandomLabel } from "../../domain/random-label.ts";
import { deriveRecords } from "../connections/current-records.ts";
import { gatherDns } from "../connections/diagnosis/gather-dns.ts";
import { networkResolver } from "../dns-view.ts";
import { createRecentDomainFacts } from "../expiring-cache.ts";
import { checkHostname, type DomainCheck } from "./check.ts";
import { requireHostname } from "./hostname.ts";
import { type InUse, observeUse } from "./in-use.ts";
import type { DomainCheckRuntime } from "./observe-name.ts";

/** What DNS says of a hostname that nobody has connected, with the findings of a diagnosis. */
export interface Explanation {
  readonly hostname: string;
  readonly check: DomainCheck;
  readonly diagnosis: Diagnosis;
  /** Where the name resolves to now, when that is not the edge. */
  readonly inUse: InUse | null;
  /** The CDN whose addresses the name has; the records behind them are hidden. */
  readonly proxied: { readonly by: string; readonly name: string } | null;
  /** The edge that the name was compared with; null when none is known here. */
  readonly edge: string | null;
}

export interface ExplainOptions {
  readonly signal: AbortSignal;
  /** Instead of the DNS of the network. */
  readonly resolver?: Resolver;
  readonly clock?: Clock;
}

const noId = "00000000-0000-0000-0000-000000000000";
/** A person waits; the same as for a diagnosis. */
const budgetMs = 8_000;

/**
 * Explains a hostname from DNS alone: no database, no account. Its records are compared with those
 * that point to the configured edge; where none is configured, only what concerns every service is
 * said.
 */
export async function explainDomain(
  config: Config,
  spelling: string,
  { signal, resolver: input, clock = { now: () => new Date() } }: ExplainOptions,
): Promise<Explanation> {
  const hostname = requireHostname(config, "live", spelling, "domain");
  const egress = createGuard({ allow: config.egressAllow, nameServers: config.egressResolvers });
  const resolver = input ?? networkResolver(config, egress, clock);
  const domainFacts = createRecentDomainFacts(clock);
  const dns = { resolverFor: () => resolver };
  const runtime: DomainCheckRuntime = { config, clock, egress, dns, domainFacts };
  const asked = { environment: "live", hostname, template: [], signal, budgetMs } as const;
  const check = await checkHostname(runtime, asked);
  const connection = wouldBe(config, check, clock.now());
  const [gathered, inUse] = await Promise.all([
    gatherDns(runtime, connection, signal, budgetMs),
    observeUse(runtime, "live", hostname, signal).catch(() => null),
  ]);
  const diagnosis = diagnose({
    connection,
    now: clock.now(),
    // An origin is the application's matter, and there is none.
    application: { originUrl: "https://origin.invalid", ...noRules, proxied: "accept" },
    certificate: null,
    fault: null,
    renewal: null,
    cachedUntil: null,
    lastWrite: null,
    consent: null,
    originRefusal: null,
    troubles: [],
    failingCredentials: [],
    foreignCertificates: [],
    claim: "own",
    mayContestAt: null,
    contestAfterMs: config.contestAfterMs,
    email: null,
    issuers: caaIssuer(config.acmeDirectoryUrls).issuers,
    ...gathered,
  });
  const edge = hasEdge(config) ? config.edgeCname : null;
  const proxied = findProxy(config, inUse?.addresses ?? []);
  return { hostname, check, diagnosis: withSummary(diagnosis, hostname), inUse, proxied, edge };
}

function findProxy(
  { edgeCdnRanges }: Config,
  addresses: readonly string[],
): Explanation["proxied"] {
  const by = addresses.map(createCdnFinder(edgeCdnRanges)).find((name) => name !== null);
  return by ? { by, name: cdnName(by) } : null;
}

function hasEdge({ edgeCname }: Config): boolean {
  return edgeCname !== localEdge.cname;
}

/** Nobody waits for a check here: without a problem there is nothing to do. */
function withSummary(diagnosis: Diagnosis, hostname: string): Diagnosis {
  if (diagnosis.findings.some(({ severity }) => severity !== "info")) return diagnosis;
  return { ...diagnosis, summary: `Nothing is wrong with the DNS of ${hostname}.` };
}

const noRules = { recordTemplate: [], proofs: ["txt"] } as const;
/** It has no customer yet, and so no target. */
const unproven = {
  challenge: "",
  targetLabel: null,
  pointsToTarget: false,
  ownership: null,
} as const;

/** The connection that the name would have, at the point where only its DNS matters. */
function wouldBe(config: Config, check: DomainCheck, now: Date): Connection {
  const { hostname, zone } = check;
  const { registrableDomain, kind } = splitHostname(hostname);
  const provider = check.provider?.slug ?? null;
  const name = { id: noId, hostname, registrableDomain, kind, provider, zone, cutover: null };
  const validationLabel = newRandomLabel();
  return {
    ...name,
    ...untouched,
    ...unproven,
    tenantId: noId,
    applicationId: noId,
    environment: "live",
    state: "propagating",
    setupType: "manual",
    mayUseCredentials: false,
    customerRef: null,
    validationLabel,
    phaseStartedAt: now,
    createdAt: now,
    desiredRecords: hasEdge(config)
      ? deriveRecords(config, noRules, { ...name, ...unproven, validationLabel })
      : [],
  };
}
