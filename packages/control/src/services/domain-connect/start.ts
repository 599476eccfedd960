import { type ApplyRequest, applyUrl, consentUrl, ProviderError } from "@mooring/dns";
import { insertAttempt } from "../../db/queries/domain-connect.ts";
import type { Connection } from "../../domain/connection.ts";
import {
  type DomainConnectAttempt,
  hashState,
  newState,
  stateLifetimeMs,
} from "../../domain/domain-connect.ts";
import { clientFor } from "../../domain/domain-connect-client.ts";
import { newId } from "../../domain/id.ts";
import { requireApplication } from "../applications.ts";
import { refuseArchived, requireConnection } from "../connections/access.ts";
import type { ServiceContext } from "../context.ts";
import { audit } from "../context.ts";
import { atProvider } from "../dns-write/choose-target.ts";
import { returnUrl } from "./identity.ts";
import { type Prepared, prepareStart } from "./prepare.ts";
import { requireRedirect } from "./redirect.ts";
import { refusal } from "./refusals.ts";
import type { StartDomainConnect } from "./schemas.ts";
import { stateKeys } from "./state-keys.ts";

export interface StartedDomainConnect {
  /** To be opened as it is: it is signed to the last byte. */
  readonly applyUrl: string;
  readonly providerName: string;
  readonly mode: "sync" | "async";
  /** Size of the consent window. */
  readonly width: number;
  readonly height: number;
  readonly expiresAt: Date;
}

/**
 * Sends the customer to their DNS provider: everything in the link is made here from our own rows, so
 * that nobody gets anything else signed. What becomes of it only DNS will tell.
 */
export async function startDomainConnect(
  ctx: ServiceContext,
  id: string,
  input: StartDomainConnect,
): Promise<StartedDomainConnect> {
  const { runtime } = ctx;
  const { connection, application } = await ctx.read(async (tx) => {
    const found = await requireConnection(ctx, tx, id);
    return { connection: found, application: await requireApplication(tx, found.applicationId) };
  });
  refuseArchived(connection);
  const given = input.redirect_uri ?? null;
  const redirectUri = given === null ? null : requireRedirect(runtime.config, application, given);
  const prepared = await atProvider(connection.provider, ctx, () =>
    prepareStart(ctx, connection, application),
  );
  const state = newState(stateKeys(runtime.vault)[0]);
  const link = linkFor(ctx, prepared, state);
  const attempt = attemptOf(ctx, connection, prepared, { state, redirectUri });
  await ctx.write(async (tx) => {
    await insertAttempt(tx, attempt);
    const { zone, providerName, mode, keyLabel } = attempt;
    const details = { zone, provider: providerName, mode, key: keyLabel };
    await audit(ctx, tx, "connection.domain_connect_start", connection.id, details);
  });
  const { providerName, width, height } = prepared.settings;
  const { mode, expiresAt } = attempt;
  return { applyUrl: link, providerName, mode, width, height, expiresAt };
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

function attemptOf(
  ctx: ServiceContext,
  connection: Connection,
  prepared: Prepared,
  given: { readonly state: string; readonly redirectUri: string | null },
): DomainConnectAttempt {
  const createdAt = ctx.now();
  return {
    id: newId(createdAt),
    tenantId: connection.tenantId,
    environment: connection.environment,
    connectionId: connection.id,
    mode: prepared.key === null ? "async" : "sync",
    stateHash: hashState(given.state),
    redirectUri: given.redirectUri,
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
