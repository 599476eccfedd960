import {
  discoverDomainConnect,
  type Resolver,
  registrableDomain,
  splitHostname,
  type TemplateIdentity,
  templateSupport,
} from "@mooring/dns";
import type { Guard } from "@mooring/egress";
import type { Config } from "../../config/config.ts";
import { selectDomainConnectKeys } from "../../db/queries/domain-connect/domain-connect.ts";
import type { TemplateRecord } from "../../domain/applications/application.ts";
import {
  clientFor,
  type DomainConnectClient,
  type DomainConnectOffer,
  type NoOffer,
} from "../../domain/domain-connect/domain-connect.ts";
import { isSandboxName } from "../../domain/sandbox/sandbox.ts";
import type { DomainCheckRuntime } from "./observe-name.ts";

const offerLifetimeMs = 300_000;
/** Shorter, because the zone may just have been moved. */
const refusalLifetimeMs = 60_000;

/** Temporary reasons are not cached. */
const temporary: ReadonlySet<NoOffer> = new Set([
  "dns_failure",
  "settings_unavailable",
  "template_unknown",
]);

export interface OfferQuestion {
  readonly zone: string;
  readonly kind: "apex" | "subdomain" | "pair";
  /** The application whose record template it is; null for the default records. */
  readonly applicationId: string | null;
  readonly signal: AbortSignal;
}

/**
 * Whether the provider of a zone offers to apply our template by Domain Connect, and whether this
 * installation can use the offer: it needs a template, https and a signing key.
 */
export async function domainConnectOffer(
  runtime: DomainCheckRuntime,
  resolver: Resolver,
  question: OfferQuestion,
): Promise<DomainConnectOffer> {
  const template = ownTemplate(runtime.config, question.kind, question.applicationId);
  if (template === null) return { offered: false, reason: "no_template" };
  if (!runtime.config.baseUrl.startsWith("https:")) return { offered: false, reason: "no_https" };
  const offer = await cachedOffer(runtime, resolver, question, template);
  if (!offer.offered || offer.mode === "async" || runtime.transaction === undefined) return offer;
  const keys = await runtime.transaction(selectDomainConnectKeys);
  const hasKey = keys.some(
    ({ domain, retiredAt }) => domain === template.providerId && retiredAt === null,
  );
  return hasKey ? offer : { offered: false, reason: "no_key" };
}

async function cachedOffer(
  runtime: DomainCheckRuntime,
  resolver: Resolver,
  { zone, signal }: OfferQuestion,
  template: TemplateIdentity,
): Promise<DomainConnectOffer> {
  const { fetch } = runtime.egress;
  const clients = runtime.domainConnectClients ?? [];
  const discover = () => discoverOffer(zone, template, { resolver, fetch, signal, clients });
  if (isSandboxName(zone)) return discover();
  const { offers } = runtime.domainFacts;
  const key = `${zone} ${template.serviceId}`;
  const known = offers.get(key);
  if (known !== undefined) return known;
  const offer = await discover();
  if (offer.offered) offers.set(key, offer, offerLifetimeMs);
  else if (!temporary.has(offer.reason)) offers.set(key, offer, refusalLifetimeMs);
  return offer;
}

/**
 * Asks DNS and the provider: it must hold the zone, have a flow we can use, and have our template.
 */
export async function discoverOffer(
  zone: string,
  template: TemplateIdentity,
  options: {
    readonly resolver: Resolver;
    readonly fetch: Guard["fetch"];
    readonly signal: AbortSignal;
    readonly clients?: readonly DomainConnectClient[];
  },
): Promise<DomainConnectOffer> {
  const found = await discoverDomainConnect(zone, options);
  if (!found.offered) return found;
  const { offered: _, ...settings } = found;
  const mode = clientFor(options.clients ?? [], settings) === null ? "sync" : "async";
  if (mode === "sync" && settings.urlSyncUX === null) {
    return { offered: false, reason: "no_sync_flow" };
  }
  const support = await templateSupport(settings.urlAPI, template, options);
  if (support === "supported") return { offered: true, settings, template, mode };
  const reason = support === "unsupported" ? "template_unsupported" : "template_unknown";
  return { offered: false, reason };
}

/** The apex of a zone cannot have a CNAME, also where the zone is a delegated subdomain. */
export function templateKind(hostname: string, zone: string): "apex" | "subdomain" {
  return hostname === zone ? "apex" : splitHostname(hostname).kind;
}

/**
 * Whose template applies: the shared one for default records, or the application's own. Null: none.
 */
export function templateOwner(
  template: readonly TemplateRecord[],
  applicationId: string | undefined,
): { readonly applicationId: string | null } | null {
  if (template.length === 0) return { applicationId: null };
  return applicationId === undefined ? null : { applicationId };
}

/**
 * The identity of the template that the operator publishes under the service's domain; null where
 * the service has no public domain. An application with its own record template has its own
 * identity.
 */
export function ownTemplate(
  config: Pick<Config, "baseUrl"> & Partial<Pick<Config, "domainConnectDomain">>,
  kind: OfferQuestion["kind"],
  applicationId: string | null = null,
): TemplateIdentity | null {
  const providerId = config.domainConnectDomain ?? publicDomain(config.baseUrl);
  if (providerId === null) return null;
  const name = kind === "subdomain" ? "sub" : kind;
  return { providerId, serviceId: applicationId === null ? name : `${name}-${applicationId}` };
}

function publicDomain(baseUrl: string): string | null {
  const host = new URL(baseUrl).hostname;
  // Neither a single label nor an IP address is a public domain.
  const isPublic = host.includes(".") && !/^[\d.]+$/.test(host);
  return isPublic ? registrableDomain(host) : null;
}
