import { orElse } from "@mooring/concurrency";
import {
  type Detection,
  type DnssecStatus,
  detectedPanel,
  detectProvider,
  type HostnameParts,
  type NameServer,
  type ProviderManifest,
  splitHostname,
} from "@mooring/dns";
import type { Application, TemplateRecord } from "../../domain/applications/application.ts";
import { caaIssuer } from "../../domain/certificates/certificate.ts";
import type { DesiredRecord } from "../../domain/connections/connection.ts";
import type { ProxiedChoice } from "../../domain/connections/front.ts";
import { notFound } from "../../domain/errors.ts";
import { proofMethods } from "../../domain/ownership/proof-methods.ts";
import { type ConnectedName, desiredRecords } from "../../domain/records/desired-records.ts";
import type { Environment } from "../../domain/tenancy.ts";
import { requireApplication } from "../applications/applications.ts";
import { requireOwnCustomer } from "../applications/customer.ts";
import { withBudget } from "../budget.ts";
import { frontChoice } from "../connections/checks/front-choice.ts";
import type { ServiceContext } from "../context.ts";
import { asOffered } from "../credentials/providers.ts";
import { findOAuthClient } from "../oauth/clients.ts";
import { recordConflicts } from "./conflicts.ts";
import { domainConnectOffer, templateKind, templateOwner } from "./domain-connect-offer.ts";
import { type ExpectedProof, expectedProof } from "./expected-proof.ts";
import { type DomainFacts, gatherDomainFacts } from "./facts.ts";
import { type DomainGuide, guideFor } from "./guide.ts";
import {
  checkedPair,
  findHolding,
  findOwnTargets,
  type Holding,
  isPartnerInUse,
} from "./holding.ts";
import { requireBoundDomain, requireHostname, requireWildcards } from "./hostname.ts";
import { type InUse, observeUse } from "./in-use.ts";
import { type DomainCheckRuntime, evenIfBogus, findKnownZone } from "./observe-name.ts";
import { knownPanel, probePanel } from "./panel-probe.ts";
import type { CheckDomain } from "./schemas.ts";
import { type Warning, warningsFor } from "./warnings.ts";

export interface DomainCheck {
  readonly hostname: string;
  readonly parts: HostnameParts;
  /** False only when DNS says that the domain does not exist. */
  readonly registered: boolean;
  readonly provider: { readonly slug: string; readonly name: string } | null;
  readonly manifest: ProviderManifest | null;
  /** Domain Connect can set the records. */
  readonly domainConnect: boolean;
  readonly nameserver: string | null;
  /** The zone that holds the hostname; null when it was not found. */
  readonly zone: string | null;
  readonly conflicts: readonly DesiredRecord[];
  readonly dnssec: DnssecStatus;
  readonly caaAllows: boolean | null;
  readonly warnings: readonly Warning[];
  readonly guide: DomainGuide;
  /** Where the name serves visitors now; null when it does not, or resolves to us. */
  readonly inUse: InUse | null;
}

/** The reply is promised within three seconds; the rest is for what is not DNS. */
const checkBudgetMs = 2_700;

/** Of what DNS has left of the budget, so that a host without a panel delays no reply for long. */
const maxPanelMs = 1_500;

/** Fills {{connection_id}} while there is no connection. */
const noConnectionId = "00000000-0000-0000-0000-000000000000";

/** Checks the DNS of a hostname, how it could be connected, and who has it. Writes nothing. */
export async function checkDomain(
  ctx: ServiceContext,
  input: CheckDomain,
): Promise<DomainCheck & Holding & { readonly proof: ExpectedProof }> {
  const { actor, runtime, signal } = ctx;
  const hostname = requireHostname(runtime.config, actor.environment, input.domain, "domain", {
    allowsWildcard: true,
  });
  requireBoundDomain(actor, hostname);
  const { template, applicationId, wildcards, proofs, proxied } = await templateFor(ctx, input);
  requireWildcards(runtime.config, { wildcards }, hostname, "domain");
  const { environment } = actor;
  const own = {
    applicationId: applicationId ?? null,
    customerRef: requireOwnCustomer(actor, input.customer_ref),
  };
  const ownTargets = await findOwnTargets(ctx, hostname, own);
  const asked = { environment, hostname, template, applicationId, proxied, ownTargets, signal };
  const [check, inUse, otherInUse, { claim, ...holding }] = await Promise.all([
    checkHostname(runtime, asked),
    withBudget(checkBudgetMs, signal, (inner) =>
      // A wildcard serves no one page.
      hostname.startsWith("*.")
        ? Promise.resolve(null)
        : orElse(inner, observeUse(runtime, environment, hostname, inner), null),
    ),
    isPartnerInUse(ctx, hostname),
    findHolding(ctx, hostname, own),
  ]);
  const proof = await expectedProof(ctx, { recordTemplate: template, proofs }, check);
  const pair = checkedPair(ctx, check, { ...holding, otherInUse });
  return { ...check, inUse, claim, pair, proof };
}

async function templateFor(
  ctx: ServiceContext,
  input: CheckDomain,
): Promise<
  Pick<HostnameCheckInput, "template" | "applicationId" | "proxied"> &
    Pick<Application, "wildcards" | "proofs">
> {
  const { actor } = ctx;
  const own = actor.kind === "widget" ? actor.applicationId : null;
  const id = input.application_id ?? own;
  if (own !== null && id !== own) throw notFound("application");
  if (id === null) return { template: [], wildcards: true, proofs: proofMethods };
  const application = await ctx.read((tx) => requireApplication(tx, id));
  const { recordTemplate: template, wildcards, proofs, proxied } = application;
  return { template, applicationId: id, wildcards, proofs, proxied };
}

export interface HostnameCheckInput {
  readonly environment: "test" | "live";
  readonly hostname: string;
  readonly template: readonly TemplateRecord[];
  /** Whose template it is. */
  readonly applicationId?: string | undefined;
  /** Whether names may stay behind a CDN; by default they may. */
  readonly proxied?: ProxiedChoice | undefined;
  /** The caller's own names below the edge's, which are as right as that. */
  readonly ownTargets?: readonly string[];
  readonly signal: AbortSignal;
  readonly budgetMs?: number;
}

export async function checkHostname(
  runtime: DomainCheckRuntime,
  input: HostnameCheckInput,
): Promise<DomainCheck> {
  const { hostname, template, environment, signal } = input;
  const parts = splitHostname(hostname);
  const { edgeCname, edgeIpv4, edgeIpv6, acmeDirectoryUrls } = runtime.config;
  const edge = { cname: edgeCname, ipv4: edgeIpv4, ipv6: edgeIpv6 };
  const name: ConnectedName = {
    hostname,
    apex: parts.registrableDomain,
    subdomain: parts.subdomain ?? "",
    kind: parts.kind,
    connectionId: noConnectionId,
  };
  const { budgetMs = checkBudgetMs } = input;
  const startedAt = performance.now();
  const facts = await gatherDomainFacts(runtime, {
    environment,
    hostname,
    desired: desiredRecords(template, name, edge, null),
    domainConnect: templateOwner(template, input.applicationId),
    budgetMs,
    signal,
  });
  const leftMs = budgetMs - (performance.now() - startedAt);
  const detection = await detectWithPanel(runtime, input, facts, Math.min(leftMs, maxPanelMs));
  const offered = asOffered(runtime.config, detection?.provider?.manifest ?? null);
  const manifest = facts.isUnchecked ? byHand(offered) : offered;
  const zone = facts.zone?.outcome === "found" ? facts.zone.zone : null;
  const desired = desiredRecords(template, { ...name, zone }, edge, manifest);
  const canFlatten = manifest !== null && manifest.apexFlattening !== "none";
  const { edgeAddresses } = facts;
  const edgeNames = new Set([edgeCname, ...(input.ownTargets ?? [])]);
  const context = { edgeAddresses, edgeNames, canFlatten };
  const conflicts = recordConflicts(desired, facts.names, context);
  const { issuers } = caaIssuer(acmeDirectoryUrls);
  const { proxied: chosen = "accept" } = input;
  const proxied = frontChoice(runtime.config, input, chosen);
  const found = { hostname, facts, detection, desired, conflicts, issuers, proxied };
  const warnings = warningsFor(found);
  const seen = summary(facts, detection);
  const guide = guideFor(runtime.config, {
    manifest,
    slug: seen.provider?.slug ?? null,
    zone: zone ?? parts.registrableDomain,
    domainConnect: seen.domainConnect,
    oauth: findOAuthClient(runtime.config, seen.provider?.slug ?? null) !== null,
  });
  return { hostname, parts, ...seen, zone, manifest, conflicts, warnings, guide, inUse: null };
}

/**
 * Nothing is written to a zone whose delegation cannot be verified; its panel and form are known.
 */
function byHand(manifest: ProviderManifest | null): ProviderManifest | null {
  return manifest && { ...manifest, adapter: false };
}

/** By the names of the zone's servers, and where nobody is known by them, by the host's panel. */
async function detectWithPanel(
  runtime: DomainCheckRuntime,
  { environment, hostname, signal }: HostnameCheckInput,
  { zone }: DomainFacts,
  leftMs: number,
): Promise<Detection | null> {
  if (zone?.outcome !== "found") return null;
  const detection = detectProvider(zone.servers.map(({ host }) => host));
  if (isRecognised(detection) || leftMs <= 0) return detection;
  const resolver = runtime.dns.resolverFor(environment, hostname);
  const panel = await withBudget(leftMs, signal, (inner) =>
    orElse(inner, probePanel(runtime, resolver, zone, inner), null),
  );
  return panel === null ? detection : detectedPanel(panel);
}

/** The same without a question to the host. */
function detectKnown(
  runtime: Pick<DomainCheckRuntime, "domainFacts">,
  servers: readonly NameServer[],
): Detection {
  const detection = detectProvider(servers.map(({ host }) => host));
  const panel = isRecognised(detection) ? null : knownPanel(runtime, servers);
  return panel === null ? detection : detectedPanel(panel);
}

function isRecognised({ provider, ambiguous }: Detection): boolean {
  return provider !== null || ambiguous.length > 0;
}

function summary(facts: DomainFacts, detection: Detection | null) {
  const { zone, caa, dnssec, domainConnect } = facts;
  return {
    registered: zone?.outcome !== "unregistered",
    provider: detection?.provider ?? null,
    domainConnect: domainConnect?.offered === true,
    nameserver: zone?.outcome === "found" ? (zone.servers[0]?.host ?? null) : null,
    dnssec: dnssec.status,
    caaAllows: caa === null || caa.outcome === "unknown" ? null : caa.outcome === "allowed",
  };
}

/** What a new connection needs to know about its domain's DNS. */
export interface DetectedSetup {
  /** The slug; null when it is unknown, ambiguous, or not answered in time. */
  readonly provider: string | null;
  readonly manifest: ProviderManifest | null;
  readonly setupType: "automatic" | "manual";
  /** The zone that holds the hostname, for `desiredRecords`; null when unknown. */
  readonly zone: string | null;
}

const detectBudgetMs = 3_000;

const unknownSetup: DetectedSetup = {
  provider: null,
  manifest: null,
  setupType: "manual",
  zone: null,
};

/**
 * Detects provider and setup within three seconds. A DNS failure is no error: the provider is
 * unknown.
 */
export function detectForCreate(
  runtime: DomainCheckRuntime,
  environment: Environment,
  hostname: string,
  signal: AbortSignal,
  template: readonly TemplateRecord[] = [],
  applicationId?: string,
): Promise<DetectedSetup> {
  return withBudget(detectBudgetMs, signal, async (inner) => {
    const resolver = runtime.dns.resolverFor(environment, hostname);
    const checked = await orElse(inner, findKnownZone(runtime, resolver, hostname, inner), null);
    const found = await orElse(inner, evenIfBogus(resolver, hostname, checked, inner), null);
    if (found?.outcome !== "found") return unknownSetup;
    const { provider } = detectKnown(runtime, found.servers);
    const manifest = asOffered(runtime.config, provider?.manifest ?? null);
    const known = { provider: provider?.slug ?? null, manifest, zone: found.zone };
    if (found !== checked) return { ...known, manifest: byHand(manifest), setupType: "manual" };
    if (manifest?.adapter === true) return { ...known, setupType: "automatic" };
    // A Domain Connect template is applied at a host, which cannot be a wildcard.
    const whose = hostname.startsWith("*.") ? null : templateOwner(template, applicationId);
    if (whose === null) return { ...known, setupType: "manual" };
    const kind = templateKind(hostname, found.zone);
    const question = { zone: found.zone, kind, signal: inner, ...whose };
    const offer = await orElse(inner, domainConnectOffer(runtime, resolver, question), null);
    return { ...known, setupType: offer?.offered === true ? "automatic" : "manual" };
  });
}
