import { ProviderError } from "../providers/adapter/errors.ts";
import type { OAuthClient } from "./sign-ins.ts";

type Fetch = (url: string, init: RequestInit) => Promise<Response>;

const maxAnswerBytes = 64_000;

export interface GivenCode {
  readonly code: string;
  readonly redirectUri: string;
  readonly codeVerifier: string;
}

export interface OAuthTokens {
  readonly accessToken: string;
  readonly refreshToken: string | null;
  /** Null where the access token does not end. */
  readonly expiresInSeconds: number | null;
}

/**
 * Exchanges a code for an access token (RFC 6749 §4.1.3). Failures are ProviderErrors without
 * secrets.
 */
export async function exchangeOAuthCode(
  client: OAuthClient,
  fetch: Fetch,
  { code, redirectUri, codeVerifier }: GivenCode,
  signal: AbortSignal,
): Promise<OAuthTokens> {
  const answer = await post(client, fetch, client.tokenUrl, signal, {
    grant_type: "authorization_code",
    code,
    redirect_uri: redirectUri,
    code_verifier: codeVerifier,
  });
  return tokensIn(answer);
}

/**
 * Gets a new access token (RFC 6749 §6). A provider that sends no new refresh token lets the old
 * one stay.
 */
export async function refreshOAuthTokens(
  client: OAuthClient,
  fetch: Fetch,
  refreshToken: string,
  signal: AbortSignal,
): Promise<OAuthTokens> {
  const form = { grant_type: "refresh_token", refresh_token: refreshToken };
  const fresh = tokensIn(await post(client, fetch, client.tokenUrl, signal, form));
  return { ...fresh, refreshToken: fresh.refreshToken ?? refreshToken };
}

function tokensIn(answer: Readonly<Record<string, unknown>>): OAuthTokens {
  const { access_token: accessToken, refresh_token: refreshToken, expires_in: expiresIn } = answer;
  if (typeof accessToken !== "string" || accessToken === "") {
    throw new ProviderError("unavailable", "The provider's answer has no access token.");
  }
  const seconds = Number(expiresIn);
  return {
    accessToken,
    refreshToken: typeof refreshToken === "string" && refreshToken !== "" ? refreshToken : null,
    expiresInSeconds: expiresIn != null && seconds > 0 ? seconds : null,
  };
}

/** Ends the tokens at the provider (RFC 7009), where it can. */
export async function revokeOAuthToken(
  client: OAuthClient,
  fetch: Fetch,
  { accessToken, refreshToken }: Pick<OAuthTokens, "accessToken" | "refreshToken">,
  signal: AbortSignal,
): Promise<void> {
  const { revokeUrl } = client;
  if (revokeUrl === null) return;
  const revoke = (token: string, token_type_hint: string) =>
    post(client, fetch, revokeUrl, signal, { token, token_type_hint });
  if (refreshToken !== null) await revoke(refreshToken, "refresh_token");
  await revoke(accessToken, "access_token");
}

async function post(
  { clientId, clientSecret, clientAuthentication }: OAuthClient,
  fetch: Fetch,
  url: string,
  signal: AbortSignal,
  form: Readonly<Record<string, string>>,
): Promise<Readonly<Record<string, unknown>>> {
  const isBasic = clientAuthentication === "basic";
  const body = new URLSearchParams(
    isBasic ? form : { ...form, client_id: clientId, client_secret: clientSecret },
  );
  // RFC 6749 §2.3.1: both are form-encoded before they are joined.
  const pair = [clientId, clientSecret].map((part) => encodeURIComponent(part)).join(":");
  const response = await fetch(url, {
    method: "POST",
    headers: {
      accept: "application/json",
      "content-type": "application/x-www-form-urlencoded",
      ...(isBasic ? { authorization: `Basic ${Buffer.from(pair).toString("base64")}` } : {}),
    },
    body: body.toString(),
    redirect: "error",
    signal,
  });
  const text = (await response.text()).slice(0, maxAnswerBytes);
  if (response.ok) return parsed(text);
  const reason = parsed(text)["error"];
  const said = typeof reason === "string" ? reason : `status ${response.status}`;
  const kind = response.status >= 500 ? "unavailable" : "auth";
  throw new ProviderError(kind, `The provider refused the sign-in: ${said}.`);
}

function parsed(text: string): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && value !== null ? { ...value } : {};
  } catch {
    return {};
  }
}
