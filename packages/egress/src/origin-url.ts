import { EgressError } from "./egress-error.ts";
import type { Guard } from "./guard.ts";
import { socketHost } from "./policy.ts";

/** Where an application is served from. */
export interface OriginUrl {
  /** Its scheme is `http` or `https`: what carries the connection. */
  readonly url: URL;
  /** `h2c://`: HTTP/2 without TLS, by prior knowledge (RFC 9113 §3.3). */
  readonly isH2c: boolean;
}

/**
 * Reads the URL of an origin: `http`, `https` or `h2c`; null for anything else. The parser does not
 * normalize the host of a scheme that it does not know, so h2c is read as http, which it is on the
 * wire; its port is 80 too.
 */
export function parseOriginUrl(text: string): OriginUrl | null {
  const isH2c = /^h2c:\/\//i.test(text);
  const url = URL.parse(isH2c ? `http${text.slice(3)}` : text);
  return url !== null && /^https?:$/.test(url.protocol) ? { url, isH2c } : null;
}

/** The URL of an origin that may be dialled; throws an EgressError for another. */
export function checkOriginUrl(guard: Pick<Guard, "checkUrl">, text: string): OriginUrl {
  const origin = parseOriginUrl(text);
  if (origin === null) {
    throw new EgressError("refused_url", "the URL must begin with http://, https:// or h2c://");
  }
  // RFC 6761 §6.3: these names are loopback, whatever a resolver says.
  if (/^(.*\.)?localhost\.?$/.test(origin.url.hostname)) guard.checkUrl("http://127.0.0.1/");
  return { ...origin, url: guard.checkUrl(origin.url) };
}

/**
 * Why an origin cannot be set to this URL: what the edge refuses when it is used, and what it would
 * leave out of its requests. Null for a URL that is used as it is. No name is resolved.
 */
export function findOriginUrlFault(guard: Pick<Guard, "checkUrl">, text: string): string | null {
  try {
    checkOriginUrl(guard, text);
  } catch (error) {
    if (error instanceof EgressError) return error.message;
    throw error;
  }
  return /[?#]/.test(text) ? "the URL must have no query and no fragment" : null;
}

/**
 * Why an edge refuses to dial an origin now, by what its name resolves to. Null when it would dial
 * it, and when the name has no answer: it may get its address later. `owner` is whose question it
 * is, for fair limits.
 */
export async function findOriginRefusal(
  guard: Pick<Guard, "checkUrl" | "resolve">,
  text: string,
  owner?: string,
): Promise<EgressError | null> {
  try {
    const { url } = checkOriginUrl(guard, text);
    await guard.resolve(socketHost(url), owner);
    return null;
  } catch (error) {
    if (!(error instanceof EgressError)) throw error;
    return error.kind === "refused_address" || error.kind === "refused_url" ? error : null;
  }
}
