import { EgressError } from "./egress-error.ts";
import type { Guard } from "./guard.ts";

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
 * leave out of its requests. Null for a URL that is used as it is. No name is resolved: what a name
 * resolves to is checked whenever it is dialled, and would tell names of our network apart here.
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
