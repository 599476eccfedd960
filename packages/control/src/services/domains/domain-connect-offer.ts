import {
  type DomainConnectRefusal,
  type DomainConnectSettings,
  discoverDomainConnect,
  type Resolver,
  registrableDomain,
  type TemplateIdentity,
  templateSupport,
} from "@mooring/dns";
import type { Guard } from "@mooring/egress";
import type { Config } from "../../config.ts";

/** Whether a zone's provider can apply our records after the customer's consent. */
export type DomainConnectOffer =
  | {
      readonly offered: true;
      readonly settings: DomainConnectSettings;
      readonly template: TemplateIdentity;
    }
  | { readonly offered: false; readonly reason: NoOffer };

export type NoOffer =
  | DomainConnectRefusal
  | "no_template"
  | "no_sync_flow"
  | "template_unsupported"
  | "template_unknown";

/** The provider must speak for the zone, have the synchronous flow, and have deployed our template. */
export async function discoverOffer(
  zone: string,
  template: TemplateIdentity,
  options: {
    readonly resolver: Resolver;
    readonly fetch: Guard["fetch"];
    readonly signal: AbortSignal;
  },
): Promise<DomainConnectOffer> {
  const found = await discoverDomainConnect(zone, options);
  if (!found.offered) return found;
  const { offered: _, ...settings } = found;
  if (settings.urlSyncUX === null) return { offered: false, reason: "no_sync_flow" };
  const support = await templateSupport(settings.urlAPI, template, options);
  if (support === "supported") return { offered: true, settings, template };
  const reason = support === "unsupported" ? "template_unsupported" : "template_unknown";
  return { offered: false, reason };
}

/**
 * The templates that an operator publishes under their own domain, as the template repository
 * wants it; null where the service has no public name and so can have published none.
 */
export function ownTemplate(
  config: Pick<Config, "BASE_URL">,
  kind: "apex" | "subdomain",
): TemplateIdentity | null {
  const host = new URL(config.BASE_URL).hostname;
  // A single label, and an address in its decimal or bracketed form, belong to nobody.
  const isPublic = host.includes(".") && !/^[\d.]+$/.test(host);
  const providerId = isPublic ? registrableDomain(host) : null;
  return providerId === null ? null : { providerId, serviceId: kind === "apex" ? "apex" : "sub" };
}
