import type { Explain, ProviderHttp } from "./http.ts";
import { decodeJson, number, object, optional, text } from "./json.ts";

/** What a login gave, and for how long it holds. */
export interface Granted<T> {
  readonly value: T;
  readonly seconds: number;
}

/** A session is not used in its last minute, so that it does not expire in transit. */
const expiryMarginMs = 60_000;

/** Logs in when needed and caches the session until it is about to expire. */
export function sessionSource<T>(
  now: () => Date,
  login: (signal: AbortSignal) => Promise<Granted<T>>,
): (signal: AbortSignal) => Promise<T> {
  let cached: { readonly value: T; readonly until: number } | null = null;
  return async (signal) => {
    const at = now().getTime();
    if (cached === null || cached.until <= at) {
      const { value, seconds } = await login(signal);
      cached = { value, until: at + seconds * 1_000 - expiryMarginMs };
    }
    return cached.value;
  };
}

export interface TokenRequest {
  readonly url: string;
  readonly form: Readonly<Record<string, string>>;
}

export interface TokenSource {
  /** Headers with a valid token. */
  headers(signal: AbortSignal): Promise<Readonly<Record<string, string>>>;
}

const answer = object({ access_token: text, expires_in: optional(number, 3_599) });

/** An access token of OAuth (RFC 6749 §4.4, §4.5). */
export function tokenSource(
  http: ProviderHttp,
  now: () => Date,
  makeRequest: (at: Date) => TokenRequest,
): TokenSource {
  const session = sessionSource(now, async (signal) => {
    const { url, form } = makeRequest(now());
    const body = new URLSearchParams(form).toString();
    const headers = { "content-type": "application/x-www-form-urlencoded" };
    const request = { method: "POST", url, headers, body, idempotent: true } as const;
    const granted = decodeJson(await http.send(request, signal, explain), answer);
    return { value: granted.access_token, seconds: granted.expires_in };
  });
  return {
    async headers(signal) {
      return { authorization: `Bearer ${await session(signal)}` };
    },
  };
}

/**
 * RFC 6749 §5.2: a refused grant is status 400 or 401. Its message may name the client and is left
 * out.
 */
const explain: Explain = ({ status }) => (status === 400 ? { kind: "auth" } : null);
