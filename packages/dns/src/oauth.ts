import { number, object, optional, text } from "./decode.ts";
import { decodeJson, type Explain, type ProviderHttp } from "./http.ts";

export interface TokenRequest {
  readonly url: string;
  readonly form: Readonly<Record<string, string>>;
}

export interface TokenSource {
  /** The headers that carry a token which is still good for a while. */
  headers(signal: AbortSignal): Promise<Readonly<Record<string, string>>>;
}

/** A token is not used in its last minute, so that it does not expire on the way. */
const SPARE_MS = 60_000;

const answer = object({ access_token: text, expires_in: optional(number, 3_599) });

/** Gets an access token (RFC 6749 §4.4, §4.5) when one is needed and keeps it until it is about to expire. */
export function tokenSource(
  http: ProviderHttp,
  now: () => Date,
  makeRequest: (at: Date) => TokenRequest,
): TokenSource {
  let kept: { readonly token: string; readonly until: number } | null = null;
  return {
    async headers(signal) {
      const at = now();
      if (kept === null || kept.until <= at.getTime()) {
        const { url, form } = makeRequest(at);
        const body = new URLSearchParams(form).toString();
        const headers = { "content-type": "application/x-www-form-urlencoded" };
        const request = { method: "POST", url, headers, body, idempotent: true } as const;
        const granted = decodeJson(await http.send(request, signal, explain), answer);
        const until = at.getTime() + granted.expires_in * 1_000 - SPARE_MS;
        kept = { token: granted.access_token, until };
      }
      return { authorization: `Bearer ${kept.token}` };
    },
  };
}

/** RFC 6749 §5.2: a refused grant is status 400 or 401. What the server says may name the client; it is left out. */
const explain: Explain = ({ status }) => (status === 400 ? { kind: "auth" } : null);
