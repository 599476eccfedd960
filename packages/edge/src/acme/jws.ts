import { createHash, createHmac, createPublicKey, type KeyObject, sign } from "node:crypto";

/** The public half of an account key (RFC 7517), members in the order of the thumbprint. */
export interface Jwk {
  readonly crv: string;
  readonly kty: string;
  readonly x: string;
  readonly y: string;
}

/** The signer: a key that the CA does not know yet, or a known account (RFC 8555 §6.2). */
export type Signer =
  | { readonly key: KeyObject }
  | { readonly key: KeyObject; readonly kid: string };

/** Null is the empty payload of POST-as-GET (RFC 8555 §6.3). */
export type Payload = Readonly<Record<string, unknown>> | null;

export function toJwk(key: KeyObject): Jwk {
  const { crv, kty, x, y } = createPublicKey(key).export({ format: "jwk" });
  if (kty !== "EC" || crv !== "P-256" || x === undefined || y === undefined) {
    throw new TypeError("an account key must be on P-256");
  }
  return { crv, kty, x, y };
}

/** RFC 7638: the digest of the required members in alphabetical order. */
export function computeThumbprint(key: KeyObject): string {
  return createHash("sha256")
    .update(JSON.stringify(toJwk(key)))
    .digest("base64url");
}

/** Flattened JSON serialisation (RFC 7515 §7.2.2). */
export type Jws = Readonly<Record<"protected" | "payload" | "signature", string>>;

/** Signs with ES256 (RFC 8555 §6.2). */
export function signJws(
  signer: Signer,
  target: { readonly url: string; readonly nonce: string },
  payload: Payload,
): Jws {
  const who = "kid" in signer ? { kid: signer.kid } : { jwk: toJwk(signer.key) };
  const head = encode({ alg: "ES256", ...target, ...who });
  const body = payload === null ? "" : encode(payload);
  const signature = sign("sha256", Buffer.from(`${head}.${body}`), {
    key: signer.key,
    dsaEncoding: "ieee-p1363",
  }).toString("base64url");
  return { protected: head, payload: body, signature };
}

/** Credentials of a CA that bind an ACME account to a customer account. */
export interface ExternalAccount {
  readonly kid: string;
  /** Base64url, as CAs print it. */
  readonly hmacKey: string;
}

/** Binds the account key to the external account (RFC 8555 §7.3.4). */
export function bindExternalAccount(eab: ExternalAccount, accountKey: KeyObject, url: string): Jws {
  const head = encode({ alg: "HS256", kid: eab.kid, url });
  const body = encode(toJwk(accountKey));
  const signature = createHmac("sha256", Buffer.from(eab.hmacKey, "base64url"))
    .update(`${head}.${body}`)
    .digest("base64url");
  return { protected: head, payload: body, signature };
}

function encode(value: object): string {
  return Buffer.from(JSON.stringify(value)).toString("base64url");
}
