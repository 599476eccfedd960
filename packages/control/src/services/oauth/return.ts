import { randomBytes } from "node:crypto";
import { exchangeOAuthCode, findProvider, type OAuthTokens, ProviderError } from "@mooring/dns";
import type { Tx } from "../../db/engine/transaction.ts";
import { selectApplication } from "../../db/queries/applications/applications.ts";
import {
  consumeOAuthState,
  type ReturnedAttempt,
  saveOAuthToken,
  selectOAuthAttempt,
} from "../../db/queries/applications/oauth-grants.ts";
import { selectConnection } from "../../db/queries/connections/connections.ts";
import { hashState, isOwnState } from "../../domain/domain-connect/domain-connect.ts";
import { openerOrigins, stateKeys } from "../domain-connect/redirect.ts";
import type { ReturnRefusal } from "../domain-connect/return.ts";
import type { Runtime } from "../runtime.ts";
import { findOAuthClient } from "./clients.ts";
import { hashGrant, sealTokens } from "./grant.ts";
import { deriveVerifier, oauthReturnUrl } from "./start.ts";

export interface OAuthReturnQuery {
  readonly state: string | null;
  readonly code: string | null;
  readonly error: string | null;
}

export type OAuthReturn =
  | { readonly kind: "refused"; readonly reason: ReturnRefusal }
  | {
      readonly kind: "accepted";
      readonly status: "granted" | "cancelled" | "failed";
      /** Redeems the token, for the page that opened the window alone; null without one. */
      readonly grant: string | null;
      readonly connectionId: string;
      readonly hostname: string;
      readonly providerName: string;
      readonly origins: readonly string[];
    };

/** The customer previews the change and decides; nobody waits longer. */
const grantLifetimeMs = 30 * 60_000;

/**
 * Handles a customer's return. The request is not authenticated: a state that is not ours, has
 * expired or was used changes nothing. The secret that redeems the token goes to the page that
 * opened the window: a link that somebody sent to a customer gains nothing.
 */
export async function returnFromSignIn(
  runtime: Runtime,
  query: OAuthReturnQuery,
  signal: AbortSignal,
): Promise<OAuthReturn> {
  const state = query.state ?? "";
  if (!isOwnState(stateKeys(runtime.vault), state)) return refused("unknown");
  const found = await runtime.system((tx) => accept(runtime, tx, hashState(state)));
  if ("reason" in found) return found;
  const { attempt, hostname, origins } = found;
  const result = {
    kind: "accepted",
    connectionId: attempt.connectionId,
    hostname,
    providerName: findProvider(attempt.provider)?.name ?? attempt.provider,
    origins,
  } as const;
  if (query.error !== null || query.code === null) {
    return { ...result, status: "cancelled", grant: null };
  }
  const grant = await takeToken(runtime, attempt, { state, code: query.code }, signal);
  return { ...result, status: grant === null ? "failed" : "granted", grant };
}

function refused(reason: ReturnRefusal): { kind: "refused"; reason: ReturnRefusal } {
  return { kind: "refused", reason };
}

async function accept(runtime: Runtime, tx: Tx, stateHash: Buffer) {
  const now = runtime.clock.now();
  const attempt = await selectOAuthAttempt(tx, stateHash);
  if (attempt === null) return refused("unknown");
  if (attempt.returnedAt !== null) return refused("replayed");
  if (attempt.expiresAt <= now) return refused("expired");
  const connection = await selectConnection(tx, attempt.connectionId);
  const application = connection ? await selectApplication(tx, connection.applicationId) : null;
  if (!connection || !application || connection.state === "archived") return refused("ended");
  if (!(await consumeOAuthState(tx, attempt.id, now))) return refused("replayed");
  const origins = openerOrigins(runtime.config, application);
  return { attempt, hostname: connection.hostname, origins };
}

/** Null when the provider did not give a token; the log says why. */
async function takeToken(
  runtime: Runtime,
  attempt: ReturnedAttempt,
  returned: { readonly state: string; readonly code: string },
  signal: AbortSignal,
): Promise<string | null> {
  const client = findOAuthClient(runtime.config, attempt.provider);
  if (client === null) return null;
  const tokens = await firstTokens(
    runtime,
    attempt,
    (codeVerifier) =>
      exchangeOAuthCode(
        client,
        runtime.egress.fetch,
        { code: returned.code, redirectUri: oauthReturnUrl(runtime.config), codeVerifier },
        signal,
      ),
    returned.state,
  );
  if (tokens === null) return null;
  const grant = randomBytes(32).toString("base64url");
  const sealed = sealTokens(runtime, attempt, tokens);
  const expiresAt = new Date(runtime.clock.now().getTime() + grantLifetimeMs);
  await runtime.system((tx) =>
    saveOAuthToken(tx, attempt.id, { grantHash: hashGrant(grant), sealed, expiresAt }),
  );
  return grant;
}

/** The verifier was made with the current key, which may have been rotated meanwhile. */
async function firstTokens(
  runtime: Runtime,
  { connectionId }: ReturnedAttempt,
  exchange: (codeVerifier: string) => Promise<OAuthTokens>,
  state: string,
): Promise<OAuthTokens | null> {
  const key = stateKeys(runtime.vault).find((one) => isOwnState([one], state));
  if (key === undefined) return null;
  try {
    return await exchange(deriveVerifier(key, state));
  } catch (error) {
    const isExpected = error instanceof ProviderError || error instanceof TypeError;
    if (!isExpected) throw error;
    runtime.log.warn({ err: error, connectionId }, "oauth code not exchanged");
    return null;
  }
}
