import {
  type DomainConnectSettings,
  type DomainConnectTemplate,
  type SigningKey,
  splitHostname,
} from "@mooring/dns";
import type { Application } from "../../domain/application.ts";
import type { Connection } from "../../domain/connection.ts";
import type { ServiceContext } from "../context.ts";
import { domainConnectOffer } from "../domains/domain-connect-cache.ts";
import { domainConnectOf, templateKind } from "../domains/domain-connect-offer.ts";
import { findKnownZone } from "../domains/known-zone.ts";
import { serviceIdentity } from "./identity.ts";
import { refusal } from "./refusals.ts";
import { currentSigningKey } from "./signing-key.ts";
import { makeTemplate, templateVariables } from "./template.ts";

/** All that a link to the provider says. */
export interface Prepared {
  readonly settings: DomainConnectSettings;
  readonly template: DomainConnectTemplate;
  readonly zone: string;
  /** Relative to the zone; empty at its top. */
  readonly host: string;
  readonly variables: Readonly<Record<string, string>>;
  /** Null in the asynchronous flow, whose consent is not signed. */
  readonly key: SigningKey | null;
}

/** Finds out whether and how the customer's provider can apply our template, or says why not. */
export async function prepareStart(
  ctx: ServiceContext,
  connection: Connection,
  application: Application,
): Promise<Prepared> {
  const key = await requireMeans(ctx);
  const zone = await requireZone(ctx, connection);
  const { hostname } = connection;
  const made = makeTemplate(ctx.runtime.config, application, templateKind(hostname, zone));
  if (!made.ok) throw refusal("template_impossible", null, { problems: made.problems });
  if (zone !== splitHostname(hostname).registrableDomain && namesApex(application)) {
    throw refusal("zone_delegated", connection.provider);
  }
  const { settings, mode } = await requireOffer(ctx, connection, application, zone);
  if (mode === "sync" && key === null) throw refusal("no_key", null);
  return {
    settings,
    template: made.template,
    zone,
    host: hostname === zone ? "" : hostname.slice(0, -zone.length - 1),
    variables: templateVariables(made.template, connection),
    key: mode === "sync" ? key : null,
  };
}

/** What is missing on our own side is said before anybody else is asked. */
async function requireMeans(ctx: ServiceContext): Promise<SigningKey | null> {
  const { runtime, signal } = ctx;
  const { config, domainConnectClients } = runtime;
  const identity = serviceIdentity(config);
  if (identity === null) throw refusal("no_template", null);
  if (!config.baseUrl.startsWith("https:")) throw refusal("no_https", null);
  const key = await currentSigningKey(runtime, identity.keyDomain, signal);
  if (key === null && domainConnectClients.length === 0) throw refusal("no_key", null);
  return key;
}

async function requireZone(ctx: ServiceContext, connection: Connection): Promise<string> {
  const { runtime, signal } = ctx;
  const resolver = runtime.dns.resolverFor(connection.environment, connection.hostname);
  const found = await findKnownZone(runtime, resolver, connection.hostname, signal);
  if (found.outcome === "found") return found.zone;
  const reason = found.outcome === "unregistered" ? "not_registered" : "dns_failure";
  throw refusal(reason, connection.provider);
}

async function requireOffer(
  ctx: ServiceContext,
  connection: Connection,
  { id, recordTemplate }: Application,
  zone: string,
) {
  const { runtime, signal } = ctx;
  const { environment, hostname, provider } = connection;
  const resolver = runtime.dns.resolverFor(environment, hostname);
  const applicationId = domainConnectOf(recordTemplate, id)?.applicationId ?? null;
  const kind = templateKind(hostname, zone);
  const question = { zone, kind, applicationId, signal };
  const offer = await domainConnectOffer(runtime, resolver, question);
  if (!offer.offered) throw refusal(offer.reason, provider);
  return offer;
}

/** In a zone of its own a template's `%domain%` is that zone, not the registered domain. */
function namesApex({ recordTemplate }: Application): boolean {
  return recordTemplate.some(({ host, value }) => /\{\{(apex|subdomain)\}\}/.test(host + value));
}
