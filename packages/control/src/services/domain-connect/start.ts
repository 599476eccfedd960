import {
  type ApplyRequest,
  applyUrl,
  consentUrl,
  type DomainConnectSettings,
  type DomainConnectTemplate,
  ProviderError,
  type SigningKey,
  splitHostname,
} from "@mooring/dns";
import { insertAttempt } from "../../db/queries/domain-connect/domain-connect.ts";
import type { Application } from "../../domain/applications/application.ts";
import type { Connection } from "../../domain/connections/connection.ts";
import { isPreparing } from "../../domain/connections/cutover.ts";
import {
  clientFor,
  type DomainConnectAttempt,
  type DomainConnectOffer,
  hashState,
  type NoOffer,
  newState,
  stateLifetimeMs,
} from "../../domain/domain-connect/domain-connect.ts";
import { AppError } from "../../domain/errors.ts";
import { newId } from "../../domain/id.ts";
import { requireApplication } from "../applications/applications.ts";
import { requirePartner } from "../connections/partner.ts";
import { refuseArchived, requireConnection } from "../connections/read.ts";
import type { ServiceContext } from "../context.ts";
import { audit } from "../context.ts";
import { withProviderErrors } from "../dns-write/writable-zone.ts";
import {
  domainConnectOffer,
  type OfferQuestion,
  templateKind,
  templateOwner,
} from "../domains/domain-connect-offer.ts";
import { findKnownZone } from "../domains/observe-name.ts";
import { currentSigningKey } from "./keys.ts";
import { requireRedirect, returnUrl, stateKeys } from "./redirect.ts";
import type { StartDomainConnect } from "./schemas.ts";
import { makeTemplate, serviceIdentity, templateVariables } from "./template.ts";

export interface StartedDomainConnect {
  /** To be opened unchanged: the signature covers every byte. */
  readonly applyUrl: string;
  readonly providerName: string;
  readonly mode: "sync" | "async";
  /** Size of the consent window. */
  readonly width: number;
  readonly height: number;
  readonly expiresAt: Date;
  /** The connections whose records this consent sets. */
  readonly covers: readonly string[];
}

/**
 * Makes the link that sends the customer to their DNS provider. Everything in it comes from our own
 * rows, so that nothing else can be signed. Only DNS shows later whether the records were set.
 */
export async function startDomainConnect(
  ctx: ServiceContext,
  id: string,
  input: StartDomainConnect,
): Promise<StartedDomainConnect> {
  const { runtime } = ctx;
  const { connection, application, partner } = await ctx.read(async (tx) => {
    const found = await requireConnection(ctx, tx, id);
    return {
      connection: found,
      application: await requireApplication(tx, found.applicationId),
      partner: input.pair === true ? await requirePartner(ctx, tx, found) : null,
    };
  });
  refuseArchived(connection);
  refusePreparing(connection);
  if (partner !== null) refusePreparing(partner);
  const requested = input.redirect_uri ?? null;
  const redirectUri =
    requested === null ? null : requireRedirect(runtime.config, application, requested);
  const prepared = await withProviderErrors(connection.provider, ctx, async () => {
    const both = partner && (await preparePair(ctx, connection, partner, application));
    return both ?? prepareStart(ctx, connection, application);
  });
  const state = newState(stateKeys(runtime.vault)[0]);
  const link = linkFor(ctx, prepared, state);
  const attempt = newAttempt(ctx, connection, prepared, { state, redirectUri });
  await ctx.write(async (tx) => {
    await insertAttempt(tx, attempt);
    const { zone, providerName, mode, keyLabel } = attempt;
    const details = { zone, provider: providerName, mode, key: keyLabel };
    await audit(ctx, tx, "connection.domain_connect_start", connection.id, details);
  });
  const { providerName, width, height } = prepared.settings;
  const { mode, expiresAt } = attempt;
  const { covers } = prepared;
  return { applyUrl: link, providerName, mode, width, height, expiresAt, covers };
}

/** The provider writes all records at once, also those that visitors follow. */
function refusePreparing(connection: Connection): void {
  if (!isPreparing(connection)) return;
  const message = `the move of ${connection.hostname} is being prepared, and consent would move it now`;
  throw new AppError("conflict", message);
}

function linkFor(ctx: ServiceContext, prepared: Prepared, state: string): string {
  const { config, domainConnectClients } = ctx.runtime;
  const { settings, template, zone: domain, host, variables, key } = prepared;
  if (key === null) {
    const client = clientFor(domainConnectClients, settings);
    if (client === null || settings.urlAsyncUX === null) {
      throw new Error("an asynchronous offer needs its client");
    }
    return consentUrl({
      urlAsyncUX: settings.urlAsyncUX,
      providerId: template.providerId,
      serviceIds: [template.serviceId],
      clientId: client.clientId,
      domain,
      host,
      redirectUri: returnUrl(config),
      state,
      variables,
    });
  }
  const redirectUri = returnUrl(config, state);
  return signed({ settings, template, domain, host, redirectUri, state, variables, key });
}

function signed(request: ApplyRequest): string {
  try {
    return applyUrl(request);
  } catch (error) {
    if (error instanceof ProviderError) throw refusal("link_too_long", null);
    throw error;
  }
}

function newAttempt(
  ctx: ServiceContext,
  connection: Connection,
  prepared: Prepared,
  input: { readonly state: string; readonly redirectUri: string | null },
): DomainConnectAttempt {
  const createdAt = ctx.now();
  return {
    id: newId(createdAt),
    tenantId: connection.tenantId,
    environment: connection.environment,
    connectionId: connection.id,
    mode: prepared.key === null ? "async" : "sync",
    stateHash: hashState(input.state),
    redirectUri: input.redirectUri,
    providerId: prepared.settings.providerId,
    providerName: prepared.settings.providerName,
    zone: prepared.zone,
    host: prepared.host,
    serviceId: prepared.template.serviceId,
    keyLabel: prepared.key?.label ?? null,
    createdAt,
    expiresAt: new Date(createdAt.getTime() + stateLifetimeMs),
    returnedAt: null,
    outcome: null,
    error: null,
  };
}

/** Everything that the link to the provider contains. */
interface Prepared {
  readonly settings: DomainConnectSettings;
  readonly template: DomainConnectTemplate;
  readonly zone: string;
  /** Relative to the zone; empty at its apex. */
  readonly host: string;
  readonly variables: Readonly<Record<string, string>>;
  /** Null in the asynchronous flow, whose consent is not signed. */
  readonly key: SigningKey | null;
  readonly covers: readonly string[];
}

/**
 * One link for an apex and its `www`. Null where each needs its own: the application has records of
 * its own, the two are in different zones, or the provider has not taken the pair's template over.
 */
async function preparePair(
  ctx: ServiceContext,
  connection: Connection,
  partner: Connection,
  application: Application,
): Promise<Prepared | null> {
  const isApex = connection.hostname === connection.registrableDomain;
  const [apex, www] = isApex ? [connection, partner] : [partner, connection];
  const key = await requireSetup(ctx);
  const made = makeTemplate(ctx.runtime.config, application, "pair");
  if (!made.ok || key === null) return null;
  const zones = [await requireZone(ctx, apex), await requireZone(ctx, www)];
  const zone = apex.hostname;
  if (zones.some((one) => one !== zone)) return null;
  const offer = await findOffer(ctx, apex, application, { zone, kind: "pair" });
  if (!offer.offered || offer.mode !== "sync") return null;
  const { template } = made;
  const variables = templateVariables(template, apex, www);
  const covers = [connection.id, partner.id];
  return { settings: offer.settings, template, zone, host: "", variables, key, covers };
}

/**
 * Whether and how the customer's provider can apply our template; throws a refusal when it cannot.
 */
async function prepareStart(
  ctx: ServiceContext,
  connection: Connection,
  application: Application,
): Promise<Prepared> {
  const key = await requireSetup(ctx);
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
    covers: [connection.id],
  };
}

/** Checks what this installation needs, before the provider is asked. */
async function requireSetup(ctx: ServiceContext): Promise<SigningKey | null> {
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
  application: Application,
  zone: string,
) {
  const kind = templateKind(connection.hostname, zone);
  const offer = await findOffer(ctx, connection, application, { zone, kind });
  if (!offer.offered) throw refusal(offer.reason, connection.provider);
  return offer;
}

function findOffer(
  ctx: ServiceContext,
  { environment, hostname }: Connection,
  { id, recordTemplate }: Application,
  about: Pick<OfferQuestion, "zone" | "kind">,
): Promise<DomainConnectOffer> {
  const { runtime, signal } = ctx;
  const resolver = runtime.dns.resolverFor(environment, hostname);
  const applicationId = templateOwner(recordTemplate, id)?.applicationId ?? null;
  return domainConnectOffer(runtime, resolver, { ...about, applicationId, signal });
}

/** In a delegated zone a template's `%domain%` is that zone, not the registrable domain. */
function namesApex({ recordTemplate }: Application): boolean {
  return recordTemplate.some(({ host, value }) => /\{\{(apex|subdomain)\}\}/.test(host + value));
}

/** Why a customer cannot be sent to their DNS provider. The records can always be added by hand. */
type StartRefusal =
  | NoOffer
  | "not_registered"
  | "zone_delegated"
  | "template_impossible"
  | "link_too_long";

const sentences: Readonly<Record<StartRefusal, string>> = {
  no_template: "the service has no public name, so that it has no templates",
  no_https: "the service is not reached by https, so that no provider would send a customer back",
  no_key:
    "no signing key is in use; its operator makes one with `mooring domain-connect keys create`",
  not_registered: "the domain is not registered",
  zone_delegated:
    "the name lies in a zone of its own, which this application's template does not fit",
  template_impossible: "the application's records cannot be expressed in a template",
  link_too_long: "the link to the DNS provider would be too long",
  no_record: "the zone's DNS provider does not offer Domain Connect for it",
  invalid_record: "the zone's _domainconnect record names no provider",
  dns_failure: "the DNS of the domain could not be asked",
  zone_not_found: "the provider that the zone names does not hold it",
  settings_unavailable: "the DNS provider does not answer",
  settings_invalid: "the DNS provider's answer is not what the protocol promises",
  no_sync_flow: "the DNS provider offers no flow that can be used here",
  template_unsupported: "the DNS provider has not taken the service's template over",
  template_unknown: "the DNS provider did not say whether it has the service's template",
};

/** These may pass by themselves; the others are definite answers. */
const temporary: ReadonlySet<StartRefusal> = new Set([
  "dns_failure",
  "settings_unavailable",
  "template_unknown",
]);

function refusal(reason: StartRefusal, provider: string | null, more: object = {}): AppError {
  const message = `${sentences[reason]}; the records can be added by hand`;
  const details = { reason, fallback: "manual", ...more };
  if (!temporary.has(reason)) return new AppError("conflict", message, { details });
  return new AppError("provider_error", message, {
    details: { provider, kind: "unavailable", ...details },
    retryAfterSeconds: 5,
  });
}
