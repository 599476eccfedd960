import { createHash, createHmac } from "node:crypto";

const algorithm = "SDK-HMAC-SHA256";

interface SignedRequest {
  readonly method: string;
  readonly url: string;
  readonly body: string;
}

/**
 * The headers of Huawei Cloud's request signature. `signsHost` is what some of its SDKs do and
 * others do not.
 */
export function signSdkHmac(
  { method, url, body }: SignedRequest,
  keys: { readonly id: string; readonly secret: string },
  at: Date,
  signsHost = true,
): Readonly<Record<string, string>> {
  const { host, pathname, searchParams } = new URL(url);
  const date = at.toISOString().replace(/[-:]|\.\d+/g, "");
  const headers = { ...(signsHost ? { host } : {}), "x-sdk-date": date };
  const names = Object.keys(headers).join(";");
  const lines = Object.entries(headers).map(([name, value]) => `${name}:${value}\n`);
  const path = pathname.split("/").map(decodeURIComponent).map(encode).join("/");
  const canonical = [
    method,
    path.endsWith("/") ? path : `${path}/`,
    canonicalQuery(searchParams),
    lines.join(""),
    names,
    sha256(body),
  ].join("\n");
  const message = [algorithm, date, sha256(canonical)].join("\n");
  const signature = createHmac("sha256", keys.secret).update(message).digest("hex");
  return {
    "x-sdk-date": date,
    authorization: `${algorithm} Access=${keys.id}, SignedHeaders=${names}, Signature=${signature}`,
  };
}

function canonicalQuery(query: URLSearchParams): string {
  return [...query]
    .map(([key, value]) => `${encode(key)}=${encode(value)}`)
    .sort()
    .join("&");
}

/** RFC 3986 §2.3: everything but the unreserved characters. */
function encode(text: string): string {
  return encodeURIComponent(text).replace(
    /[!'()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );
}

function sha256(text: string): string {
  return createHash("sha256").update(text).digest("hex");
}
