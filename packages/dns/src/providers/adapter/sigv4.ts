import { createHash, createHmac } from "node:crypto";

export interface AwsKeys {
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  /** Only with temporary credentials. */
  readonly sessionToken: string | null;
}

export interface AwsRequest {
  readonly method: string;
  readonly url: string;
  readonly body: string;
}

export interface AwsScope {
  readonly region: string;
  readonly service: string;
}

/**
 * Signature Version 4, header form. The host header is signed but not returned: the client sends
 * it.
 */
export function signAws(
  request: AwsRequest,
  keys: AwsKeys,
  scope: AwsScope,
  at: Date,
): Readonly<Record<string, string>> {
  const timestamp = at.toISOString().replace(/[-:]|\.\d{3}/g, "");
  const day = timestamp.slice(0, 8);
  const sent: Record<string, string> = { "x-amz-date": timestamp };
  if (keys.sessionToken !== null) sent["x-amz-security-token"] = keys.sessionToken;
  const signed = Object.entries({ ...sent, host: new URL(request.url).host }).sort(byKey);
  const names = signed.map(([name]) => name).join(";");
  const path = `${day}/${scope.region}/${scope.service}/aws4_request`;
  const toSign = ["AWS4-HMAC-SHA256", timestamp, path, sha256(canonicalRequest(request, signed))];
  const key = [day, scope.region, scope.service, "aws4_request"].reduce<Buffer | string>(
    (secret, part) => hmac(secret, part),
    `AWS4${keys.secretAccessKey}`,
  );
  const signature = hmac(key, toSign.join("\n")).toString("hex");
  const credential = `Credential=${keys.accessKeyId}/${path}`;
  const authorization = `AWS4-HMAC-SHA256 ${credential}, SignedHeaders=${names}, Signature=${signature}`;
  return { ...sent, authorization };
}

export function canonicalRequest(
  { method, url, body }: AwsRequest,
  signed: readonly (readonly [string, string])[],
): string {
  const { pathname, searchParams } = new URL(url);
  const query = [...searchParams]
    .map(([key, value]): [string, string] => [encode(key), encode(value)])
    .sort((a, b) => byKey(a, b) || (a[1] < b[1] ? -1 : 1))
    .map(([key, value]) => `${key}=${value}`);
  return [
    method,
    pathname,
    query.join("&"),
    ...signed.map(([name, value]) => `${name}:${value.trim()}`),
    "",
    signed.map(([name]) => name).join(";"),
    sha256(body),
  ].join("\n");
}

function byKey([a]: readonly [string, string], [b]: readonly [string, string]): number {
  return a < b ? -1 : Number(a > b);
}

/** RFC 3986 §2.3: only unreserved characters stay. */
export function encode(text: string): string {
  return encodeURIComponent(text).replace(
    /[!'()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );
}

export function sha256(text: string): string {
  return createHash("sha256").update(text, "utf8").digest("hex");
}

function hmac(key: Buffer | string, text: string): Buffer {
  return createHmac("sha256", key).update(text, "utf8").digest();
}
