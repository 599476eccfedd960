/** RFC 9110 §5.6.2. */
export const tokenPattern = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/;

/** By code: 0 for what no name has, else its lower case. */
const lowerCase = new Uint8Array(256);
for (let code = 0; code < 256; code += 1) {
  const character = String.fromCharCode(code);
  if (tokenPattern.test(character)) lowerCase[code] = character.toLowerCase().charCodeAt(0);
}

/** Where the name ends that begins at `from`; there if no name does. */
export function endOfName(bytes: Buffer, from: number): number {
  let at = from;
  while (lowerCase[bytes[at] ?? 0] !== 0) at += 1;
  return at;
}

/**
 * Names of fields that most messages have, and those that this package reads. A name that is found
 * here needs no memory, and is compared with others and looked up faster than one that was cut out
 * of a message.
 */
export const usualNames: readonly string[] = [
  "accept",
  "accept-charset",
  "accept-encoding",
  "accept-language",
  "accept-ranges",
  "access-control-allow-credentials",
  "access-control-allow-headers",
  "access-control-allow-methods",
  "access-control-allow-origin",
  "access-control-expose-headers",
  "access-control-max-age",
  "access-control-request-headers",
  "access-control-request-method",
  "age",
  "allow",
  "alt-svc",
  "authorization",
  "cache-control",
  "cdn-loop",
  "connection",
  "content-disposition",
  "content-encoding",
  "content-language",
  "content-length",
  "content-location",
  "content-range",
  "content-security-policy",
  "content-type",
  "cookie",
  "cross-origin-opener-policy",
  "cross-origin-resource-policy",
  "date",
  "dnt",
  "etag",
  "expect",
  "expires",
  "forwarded",
  "from",
  "grpc-status",
  "host",
  "if-match",
  "if-modified-since",
  "if-none-match",
  "if-range",
  "if-unmodified-since",
  "keep-alive",
  "last-modified",
  "link",
  "location",
  "origin",
  "permissions-policy",
  "pragma",
  "priority",
  "proxy-connection",
  "range",
  "referer",
  "referrer-policy",
  "retry-after",
  "sec-ch-ua",
  "sec-ch-ua-mobile",
  "sec-ch-ua-platform",
  "sec-fetch-dest",
  "sec-fetch-mode",
  "sec-fetch-site",
  "sec-fetch-user",
  "sec-websocket-extensions",
  "sec-websocket-key",
  "sec-websocket-protocol",
  "sec-websocket-version",
  "server",
  "server-timing",
  "set-cookie",
  "strict-transport-security",
  "te",
  "timing-allow-origin",
  "trailer",
  "transfer-encoding",
  "upgrade",
  "upgrade-insecure-requests",
  "user-agent",
  "vary",
  "via",
  "www-authenticate",
  "x-cache",
  "x-content-type-options",
  "x-forwarded-for",
  "x-forwarded-host",
  "x-forwarded-proto",
  "x-frame-options",
  "x-powered-by",
  "x-real-ip",
  "x-request-id",
  "x-requested-with",
  "x-runtime",
  "x-xss-protection",
];

interface UsualName {
  readonly name: string;
  readonly codes: Buffer;
}

/**
 * No two of the names have the same slot; if they had, the later one would be cut out of the
 * message.
 */
const slots = new Array<UsualName | null>(1_024).fill(null);
for (const name of usualNames) {
  const codes = Buffer.from(name, "latin1");
  slots[hashSlot(codes, 0, codes.length)] ??= { name, codes };
}

/** By the length and four of the letters; the factors were found by trial. */
function hashSlot(bytes: Buffer, from: number, to: number): number {
  const length = to - from;
  const first = lowerAt(bytes, from) * 38;
  const middle = lowerAt(bytes, from + (length >> 1)) * 213;
  const later = lowerAt(bytes, from + ((length * 3) >> 2)) * 88;
  const last = lowerAt(bytes, to - 1) * 33;
  return (length * 202 + first + middle + later + last) & 1_023;
}

function lowerAt(bytes: Buffer, at: number): number {
  return lowerCase[bytes[at] ?? 0] ?? 0;
}

/** The usual name from `from` to `to` in the bytes, in lower case; null for any other. */
export function usualName(bytes: Buffer, from: number, to: number): string | null {
  const usual = slots[hashSlot(bytes, from, to)] ?? null;
  if (usual === null) return null;
  const { codes } = usual;
  if (codes.length !== to - from) return null;
  for (let index = 0; index < codes.length; index += 1) {
    if (lowerAt(bytes, from + index) !== codes[index]) return null;
  }
  return usual.name;
}
