import { invalid } from "@mooring/control/drop-in";
import { parseHostname } from "@mooring/dns";

/**
 * The URL of an origin that is named as Cloudflare names it, by its hostname: it is reached over
 * TLS. A URL is taken too, for an origin on another port or without TLS.
 */
export function parseOriginUrl(text: string, path: string): string {
  if (/^(https?|h2c):\/\//i.test(text)) return text;
  const parsed = parseHostname(text);
  if (!parsed.ok) throw invalid([{ path, message: parsed.message }]);
  return `https://${parsed.hostname}`;
}

/** As the vendor shows it: a hostname where that says all of it. */
export function showOrigin(url: string): string {
  const { hostname, href } = new URL(url);
  return href === `https://${hostname}/` ? hostname : url;
}
