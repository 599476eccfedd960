import { createHmac } from "node:crypto";
import { canonicalRequest, sha256 } from "../src/providers/adapter/sigv4.ts";

export interface SignedRequest {
  readonly method: string;
  readonly url: URL;
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
  readonly body: string;
}

interface Signer {
  readonly access_key_id: string;
  readonly secret_access_key: string;
  /** Region and service, as the scope of a signature has them. */
  readonly scope: string;
}

const authorizationForm =
  /^AWS4-HMAC-SHA256 Credential=([^/]+)\/((\d{8})\/([^,]+)\/aws4_request), SignedHeaders=([^,]+), Signature=([0-9a-f]{64})$/;

/**
 * Signature Version 4, by whichever headers the client has chosen, the host and the date among
 * them.
 */
export function isSignedByAws({ method, url, headers, body }: SignedRequest, by: Signer): boolean {
  const found = authorizationForm.exec(String(headers["authorization"]));
  const [, key, path = "", day = "", scope, list = "", signature] = found ?? [];
  const names = list.split(";");
  const date = String(headers["x-amz-date"]);
  const [, y, mo, d, h, mi, s] = /^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/.exec(date) ?? [];
  const at = Date.parse(`${y}-${mo}-${d}T${h}:${mi}:${s}Z`);
  const isFresh = Math.abs(at - Date.now()) < 300_000 && date.startsWith(day);
  if (!isFresh || !names.includes("host") || !names.includes("x-amz-date")) return false;
  const signed = names.map((name): [string, string] => [
    name,
    name === "host" ? url.host : String(headers[name]),
  ]);
  const canonical = canonicalRequest({ method, url: url.href, body }, signed);
  const toSign = ["AWS4-HMAC-SHA256", date, path, sha256(canonical)].join("\n");
  const secret = path
    .split("/")
    .reduce(
      (one: Buffer | string, part) => createHmac("sha256", one).update(part).digest(),
      `AWS4${by.secret_access_key}`,
    );
  const expected = createHmac("sha256", secret).update(toSign).digest("hex");
  return key === by.access_key_id && scope === by.scope && signature === expected;
}
