import {
  type Detection,
  type DnssecStatus,
  detectProvider,
  type HostnameParts,
  type ProviderManifest,
  splitHostname,
} from "@mooring/dns";
import type { TemplateRecord } from "../../domain/application.ts";
import { caaIssuer } from "../../domain/certificate.ts";
import type { DesiredRecord } from "../../domain/connection.ts";
import { type ConnectedName, desiredRecords } from "../../domain/desired-records.ts";
import { notFound } from "../../domain/errors.ts";
import { requireApplication } from "../applications.ts";
import type { ServiceContext } from "../context.ts";
import { asOffered } from "../providers.ts";
import { recordConflicts } from "./conflicts.ts";
import { domainConnectOf } from "./domain-connect-offer.ts";
import { requireBoundDomain, requireHostname } from "./hostname.ts";
import { type DomainFacts, look } from "./look.ts";
import type { LookRuntime } from "./recent-facts.ts";
import type { CheckDomain } from "./schemas.ts";
import { warningsFor } from "./warnings.ts";

export interface DomainCheck {
  readonly hostname: string;
  readonly parts: HostnameParts;
  /** False only where DNS says so. */
  readonly registered: boolean;
  readonly provider: { readonly slug: string; readonly name: string } | null;
  readonly manifest: ProviderManifest | null;
  /** Domain Connect can set the records. */
  readonly domainConnect: boolean;
  readonly nameserver: string | null;
  readonly conflicts: readonly DesiredRecord[];
  readonly dnssec: DnssecStatus;
  readonly caaAllows: boolean | null;
  readonly warnings: readonly string[];
}

/** Below the three seconds that are promised, with room for what is not DNS. */
const BUDGET_MS = 2_700;

/** Stands for the connection that does not exist yet. */
const NO_CONNECTION = "00000000-0000-0000-0000-000000000000";

/** What DNS looks like for a hostname, and how it could be connected. Writes nothing. */
export async function checkDomain(ctx: ServiceContext, input: CheckDomain): Promise<DomainCheck> {
  const { actor, runtime, signal } = ctx;
  const hostname = requireHostname(runtime.config, actor.environment, input.domain, "domain");
  requireBoundDomain(actor, hostname);
  const { template, applicationId } = await templateFor(ctx, input);
  const { environment } = actor;
  return inspect(runtime, { environment, hostname, template, applicationId, signal });
}

async function templateFor(
  ctx: ServiceContext,
  input: CheckDomain,
): Promise<Pick<Inspection, "template" | "applicationId">> {
  const { actor } = ctx;
  const own = actor.kind === "widget" ? actor.applicationId : null;
  const id = input.application_id ?? own;
  if (own !== null && id !== own) throw notFound("application");
  if (id === null) return { template: [] };
  const { recordTemplate } = await ctx.read((tx) => requireApplication(tx, id));
  return { template: recordTemplate, applicationId: id };
}

export interface Inspection {
  readonly environment: "test" | "live";
  readonly hostname: string;
  readonly template: readonly TemplateRecord[];
  /** Whose template it is. */
  readonly applicationId?: string | undefined;
  readonly signal: AbortSignal;
  readonly budgetMs?: number;
}

export async function inspect(runtime: LookRuntime, input: Inspection): Promise<DomainCheck> {
  const { hostname, template, environment, signal } = input;
  const parts = splitHostname(hostname);
  const { edgeCname, edgeIpv4, edgeIpv6, acmeDirectoryUrls } = runtime.config;
  const edge = { cname: edgeCname, ipv4: edgeIpv4, ipv6: edgeIpv6 };
  const name: ConnectedName = {
    hostname,
    apex: parts.registrableDomain,
    subdomain: parts.subdomain ?? "",
    kind: parts.kind,
    connectionId: NO_CONNECTION,
  };
  const facts = await look(runtime, {
    environment,
    hostname,
    wanted: desiredRecords(template, name, edge, null),
    domainConnect: domainConnectOf(template, input.applicationId),
    budgetMs: input.budgetMs ?? BUDGET_MS,
    signal,
  });
  const detection = detectionOf(facts);
  const manifest = asOffered(runtime.config, detection?.provider?.manifest ?? null);
  const zone = facts.zone?.outcome === "found" ? facts.zone.zone : null;
  const desired = desiredRecords(template, { ...name, zone }, edge, manifest);
  const canFlatten = manifest !== null && manifest.apexFlattening !== "none";
  const { edgeAddresses } = facts;
  const conflicts = recordConflicts(desired, facts.names, { edgeAddresses, canFlatten });
  const { issuers } = caaIssuer(acmeDirectoryUrls);
  const warnings = warningsFor({ hostname, facts, detection, desired, conflicts, issuers });
  return { hostname, parts, ...summary(facts, detection), manifest, conflicts, warnings };
}

function detectionOf({ zone }: DomainFacts): Detection | null {
  return zone?.outcome === "found" ? detectProvider(zone.servers.map(({ host }) => host)) : null;
}

function summary(facts: DomainFacts, detection: Detection | null) {
  const { zone, caa, dnssec, domainConnect } = facts;
  return {
    registered: zone?.outcome !== "unregistered",
    provider: detection?.provider ?? null,
    domainConnect: domainConnect?.offered === true,
    nameserver: zone?.outcome === "found" ? (zone.servers[0]?.host ?? null) : null,
    dnssec,
    caaAllows: caa === null || caa.outcome === "unknown" ? null : caa.outcome === "allowed",
  };
}
