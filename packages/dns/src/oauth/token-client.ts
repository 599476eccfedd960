import { ProviderError } from "../providers/adapter/errors.ts";
import type { OAuthClient } from "./sign-ins.ts";

type Fetch = (url: string, init: RequestInit) => Promise<Response>;

const maxAnswerBytes = 64_000;

export interface GivenCode {
  readonly code: string;
  readonly redirectUri: string;
  readonly codeVerifier: string;
}

/** Exchanges a code for an access token (RFC 6749 §4.1.3). Failures are ProviderErrors without secrets. */
export async function exchangeOAuthCode(
  client: OAuthClient,
  fetch: Fetch,
  { code, redirectUri, codeVerifier }: GivenCode,
  signal: AbortSignal,
): Promise<string> {
  const answer = await post(client, fetch, client.tokenUrl, signal, {
    grant_type: "authorization_code",
    code,
    redirect_uri: redirectUri,
    code_verifier: codeVerifier,
  });
  const token = answer["access_token"];
  if (typeof token !== "string" || token === "") {
    throw new ProviderError("unavailable", "The provider's answer has no access token.");
  }
  return token;
}

/** Ends the token at the provider (RFC 7009), where it can. */
export async function revokeOAuthToken(
  client: OAuthClient,
  fetch: Fetch,
  token: string,
  signal: AbortSignal,
): Promise<void> {
  if (client.revokeUrl === null) return;
  const form = { token, token_type_hint: "access_token" };
  await post(client, fetch, client.revokeUrl, signal, form);
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
