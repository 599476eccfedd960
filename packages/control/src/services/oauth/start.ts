import { createHash, createHmac } from "node:crypto";
import { authorizationUrl, findProvider } from "@mooring/dns";
import { insertOAuthAttempt } from "../../db/queries/applications/oauth-grants.ts";
import { hashState, newState } from "../../domain/domain-connect/domain-connect.ts";
import { AppError } from "../../domain/errors.ts";
import { newId } from "../../domain/id.ts";
import { requireApplication } from "../applications/applications.ts";
import { refuseArchived, requireConnection } from "../connections/read.ts";
import { audit, type ServiceContext } from "../context.ts";
import { isSwitchedOff } from "../credentials/providers.ts";
import { stateKeys } from "../domain-connect/redirect.ts";
import { findOAuthClient } from "./clients.ts";

/** How long a customer may take at their provider. */
const stateLifetimeMs = 15 * 60_000;

export interface StartedOAuth {
  readonly authorizeUrl: string;
  readonly providerName: string;
  readonly expiresAt: Date;
}

/** Makes the link under which the customer signs in at their DNS provider and allows the change. */
export async function startOAuth(ctx: ServiceContext, id: string): Promise<StartedOAuth> {
  const { config, vault } = ctx.runtime;
  const { connection, application } = await ctx.read(async (tx) => {
    const found = await requireConnection(ctx, tx, id);
    return { connection: found, application: await requireApplication(tx, found.applicationId) };
  });
  refuseArchived(connection);
  const client = findOAuthClient(config, connection.provider);
  if (client === null || isSwitchedOff(config, client.slug)) {
    throw new AppError("conflict", "no sign-in is configured for the domain's DNS provider", {
      details: { reason: "not_configured" },
    });
  }
  const [key] = stateKeys(vault);
  const state = newState(key);
  const createdAt = ctx.now();
  const expiresAt = new Date(createdAt.getTime() + stateLifetimeMs);
  const codeVerifier = deriveVerifier(key, state);
  const link = authorizationUrl(client, {
    redirectUri: oauthReturnUrl(config),
    state,
    codeChallenge: createHash("sha256").update(codeVerifier, "ascii").digest("base64url"),
    isOffline: application.keepOAuth,
  });
  await ctx.write(async (tx) => {
    const { tenantId, environment } = connection;
    const owner = { tenantId, environment, connectionId: connection.id, provider: client.slug };
    const times = { createdAt, expiresAt };
    await insertOAuthAttempt(tx, {
      id: newId(createdAt),
      ...owner,
      ...times,
      stateHash: hashState(state),
    });
    await audit(ctx, tx, "connection.oauth_start", connection.id, { provider: client.slug });
  });
  const providerName = findProvider(client.slug)?.name ?? client.slug;
  return { authorizeUrl: link, providerName, expiresAt };
}

/** Derived from the state with a key of ours, so that nothing secret has to be stored for it. */
export function deriveVerifier(key: Buffer, state: string): string {
  return createHmac("sha256", key).update("oauth code verifier").update(state).digest("base64url");
}

export function oauthReturnUrl({ baseUrl }: { readonly baseUrl: string }): string {
  return `${baseUrl.replace(/\/$/, "")}/v1/connect/oauth/return`;
}
