import { createHash, createHmac } from "node:crypto";

export interface EdgeGridKeys {
  readonly clientToken: string;
  readonly clientSecret: string;
  readonly accessToken: string;
}

export interface SignedRequest {
  readonly method: string;
  readonly url: string;
  readonly body: string;
}

/** The value of `Authorization` by Akamai's scheme EG1-HMAC-SHA256; no further header is signed. */
export function edgeGridHeader(
  { clientToken, clientSecret, accessToken }: EdgeGridKeys,
  { method, url, body }: SignedRequest,
  at: Date,
  nonce: string,
): string {
  const { host, pathname, search } = new URL(url);
  const timestamp = formatTimestamp(at);
  const unsigned = `EG1-HMAC-SHA256 client_token=${clientToken};access_token=${accessToken};timestamp=${timestamp};nonce=${nonce};`;
  // Only the body of a POST is part of the message.
  const hash = method === "POST" && body !== "" ? sha256(body) : "";
  const message = [method, "https", host, `${pathname}${search}`, "", hash, unsigned].join("\t");
  const signature = hmac(hmac(clientSecret, timestamp), message);
  return `${unsigned}signature=${signature}`;
}

/** Like 20261116T04:05:06+0000. */
function formatTimestamp(at: Date): string {
  return at
    .toISOString()
    .replaceAll("-", "")
    .replace(/\.\d+Z$/, "+0000");
}

function sha256(text: string): string {
  return createHash("sha256").update(text).digest("base64");
}

/** The result of one is the key of the next, as text. */
function hmac(key: string, text: string): string {
  return createHmac("sha256", key).update(text).digest("base64");
}
