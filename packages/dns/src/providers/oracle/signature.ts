import { createHash, type KeyObject, sign } from "node:crypto";

export interface OracleKey {
  /** Tenancy, user and fingerprint. */
  readonly id: string;
  readonly key: KeyObject;
}

/** The headers of Oracle's request signature, version 1, by RSA with SHA-256. */
export function signOracle(
  request: { readonly method: string; readonly url: string; readonly body: string },
  { id, key }: OracleKey,
  at: Date,
): Readonly<Record<string, string>> {
  const { method, body } = request;
  const { host, pathname, search } = new URL(request.url);
  const date = at.toUTCString();
  const hash = createHash("sha256").update(body).digest("base64");
  const always = {
    date,
    "(request-target)": `${method.toLowerCase()} ${pathname}${search}`,
    host,
  };
  const ofBody = {
    "content-length": String(Buffer.byteLength(body)),
    "content-type": "application/json",
    "x-content-sha256": hash,
  };
  const signed: Readonly<Record<string, string>> = body === "" ? always : { ...always, ...ofBody };
  const lines = Object.entries(signed).map(([name, value]) => `${name}: ${value}`);
  const signature = sign("sha256", Buffer.from(lines.join("\n")), key).toString("base64");
  const names = Object.keys(signed).join(" ");
  const parts = { version: "1", headers: names, keyId: id, algorithm: "rsa-sha256", signature };
  const list = Object.entries(parts).map(([name, value]) => `${name}="${value}"`);
  const authorization = `Signature ${list.join(",")}`;
  return { date, authorization, ...(body === "" ? {} : { "x-content-sha256": hash }) };
}
