import { createHash, createHmac, createPublicKey, type JsonWebKey, verify } from "node:crypto";

/** A signed request as the CA reads it (RFC 8555 §6.2). */
export interface Signed {
  readonly url: string;
  readonly nonce: string | null;
  readonly jwk: JsonWebKey | null;
  readonly kid: string | null;
  /** Null for POST-as-GET. */
  readonly payload: Readonly<Record<string, unknown>> | null;
  isSignedBy(key: JsonWebKey): boolean;
}

export function readSigned(text: string): Signed {
  const jws = readObject(text);
  const head = String(jws["protected"]);
  const body = String(jws["payload"]);
  const signature = Buffer.from(String(jws["signature"]), "base64url");
  const header = readObject(Buffer.from(head, "base64url").toString());
  if (header["alg"] !== "ES256") throw new Error("the algorithm is not ES256");
  if ("kid" in header === "jwk" in header) throw new Error("kid or jwk, and not both");
  return {
    url: String(header["url"]),
    nonce: typeof header["nonce"] === "string" ? header["nonce"] : null,
    jwk: "jwk" in header ? readKey(header["jwk"]) : null,
    kid: typeof header["kid"] === "string" ? header["kid"] : null,
    payload: body === "" ? null : readObject(Buffer.from(body, "base64url").toString()),
    isSignedBy: (key) =>
      verify(
        "sha256",
        Buffer.from(`${head}.${body}`),
        { key: createPublicKey({ key, format: "jwk" }), dsaEncoding: "ieee-p1363" },
        signature,
      ),
  };
}

/** Whether the binding is made by the external account's key for this account key (§7.3.4). */
export function isBound(binding: unknown, hmacKey: string, accountKey: JsonWebKey): boolean {
  const jws = asObject(binding);
  const signed = `${String(jws["protected"])}.${String(jws["payload"])}`;
  const expected = createHmac("sha256", Buffer.from(hmacKey, "base64url")).update(signed);
  const bound = readKey(
    JSON.parse(Buffer.from(String(jws["payload"]), "base64url").toString()) as unknown,
  );
  return expected.digest("base64url") === jws["signature"] && keyId(bound) === keyId(accountKey);
}

/** RFC 7638. */
export function keyId({ crv, kty, x, y }: JsonWebKey): string {
  return createHash("sha256").update(JSON.stringify({ crv, kty, x, y })).digest("base64url");
}

export function readKey(value: unknown): JsonWebKey {
  const { crv, kty, x, y, d } = asObject(value);
  if (d !== undefined) throw new Error("a private key was sent");
  return { crv: String(crv), kty: String(kty), x: String(x), y: String(y) };
}

export function asObject(value: unknown): Readonly<Record<string, unknown>> {
  if (typeof value !== "object" || value === null) throw new Error("not an object");
  return Object.fromEntries(Object.entries(value));
}

function readObject(text: string): Readonly<Record<string, unknown>> {
  return asObject(JSON.parse(text) as unknown);
}
