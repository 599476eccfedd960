import {
  type DomainConnectRefusal,
  type DomainConnectSettings,
  discoverDomainConnect,
  type Resolver,
  registrableDomain,
  splitHostname,
  type TemplateIdentity,
  templateSupport,
} from "@mooring/dns";
import type { Guard } from "@mooring/egress";
import type { Config } from "../../config/config.ts";
import type { TemplateRecord } from "../../domain/application.ts";
import { clientFor, type DomainConnectClient } from "../../domain/domain-connect-client.ts";

/** Whether a zone's provider can apply our records after the customer's consent. */
export type DomainConnectOffer =
  | {
      readonly offered: true;
      readonly settings: DomainConnectSettings;
      readonly template: TemplateIdentity;
      /** `async` where the operator is a client of the provider, which lets us apply and revert. */
      readonly mode: "sync" | "async";
    }
  | { readonly offered: false; readonly reason: NoOffer };

export type NoOffer =
  | DomainConnectRefusal
  | "no_template"
  | "no_https"
  | "no_key"
  | "no_sync_flow"
  | "template_unsupported"
  | "template_unknown";

/** The provider must speak for the zone, have a flow that we can use, and have deployed our template. */
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

/** A zone's own name can have no CNAME, be it an apex or delegated by itself. */
export function templateKind(hostname: string, zone: string): "apex" | "subdomain" {
  return hostname === zone ? "apex" : splitHostname(hostname).kind;
}

/** The default records have templates for everybody, an application's own have theirs. */
export function domainConnectOf(
  template: readonly TemplateRecord[],
  applicationId: string | undefined,
): { readonly applicationId: string | null } | null {
  if (template.length === 0) return { applicationId: null };
  return applicationId === undefined ? null : { applicationId };
}

/**
 * The templates that an operator publishes under their own domain, as the template repository
 * wants it; null where the service has no public name and so can have published none. An application
 * with records of its own has templates of its own.
 */
export function ownTemplate(
  config: Pick<Config, "baseUrl"> & Partial<Pick<Config, "domainConnectDomain">>,
  kind: "apex" | "subdomain",
  applicationId: string | null = null,
): TemplateIdentity | null {
  const providerId = config.domainConnectDomain ?? publicDomain(config.baseUrl);
  if (providerId === null) return null;
  const name = kind === "apex" ? "apex" : "sub";
  return { providerId, serviceId: applicationId === null ? name : `${name}-${applicationId}` };
}

function publicDomain(baseUrl: string): string | null {
  const host = new URL(baseUrl).hostname;
  // A single label, and an address in its decimal or bracketed form, belong to nobody.
  const isPublic = host.includes(".") && !/^[\d.]+$/.test(host);
  return isPublic ? registrableDomain(host) : null;
}
