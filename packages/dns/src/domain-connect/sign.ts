import { type KeyObject, sign, verify } from "node:crypto";
import { canonicalQuery, type Parameter, percentEncode } from "./encode.ts";

/** A key that signs apply links. Its public half stands in DNS at `label` below the key domain. */
export interface SigningKey {
  /** One DNS label, such as `_dck1`. */
  readonly label: string;
  readonly privateKey: KeyObject;
}

/**
 * The whole query of a signed apply link: the canonical string, then `key`, then `sig`, since
 * verifiers want the signature last. Nothing may be added, moved or encoded anew afterwards.
 */
export function signApplyQuery(parameters: readonly Parameter[], key: SigningKey): string {
  if (!/^[A-Za-z0-9_](?:[A-Za-z0-9_-]{0,61}[A-Za-z0-9_])?$/.test(key.label)) {
    throw new RangeError("the label of a signing key is one DNS label");
  }
  const canonical = canonicalQuery(parameters);
  // RS256 (RFC 8017 §8.2 with SHA-256) is the one algorithm that every party has.
  const signature = sign("sha256", Buffer.from(canonical, "ascii"), rsaOnly(key.privateKey));
  return `${canonical}&key=${percentEncode(key.label)}&sig=${percentEncode(signature.toString("base64"))}`;
}

/** A received query, taken apart without touching a byte of what was signed. */
export interface ReceivedQuery {
  readonly signed: string;
  /** Null when it is missing, given twice, or cannot be decoded. */
  readonly keyLabel: string | null;
  readonly signature: string | null;
}

export function readApplyQuery(query: string): ReceivedQuery {
  const pairs = query.split("&");
  const isOutside = (pair: string): boolean => /^(?:key|sig)=/.test(pair);
  return {
    signed: pairs.filter((pair) => !isOutside(pair)).join("&"),
    keyLabel: onlyValue(pairs, "key"),
    signature: onlyValue(pairs, "sig"),
  };
}

/** Whether the query is signed with the private half of this key, byte for byte. */
export function verifyApplyQuery(query: string, publicKey: KeyObject): boolean {
  const { signed, keyLabel, signature } = readApplyQuery(query);
  if (keyLabel === null || signature === null) return false;
  // Node reads base64 leniently; anything but the standard padded alphabet is no signature here.
  if (!/^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/.test(signature)) {
    return false;
  }
  const bytes = Buffer.from(signature, "base64");
  return verify("sha256", Buffer.from(signed, "utf8"), rsaOnly(publicKey), bytes);
}

function onlyValue(pairs: readonly string[], name: string): string | null {
  const [found, ...more] = pairs.filter((pair) => pair.startsWith(`${name}=`));
  if (found === undefined || more.length > 0) return null;
  try {
    return decodeURIComponent(found.slice(name.length + 1)) || null;
  } catch {
    return null;
  }
}

function rsaOnly(key: KeyObject): KeyObject {
  if (key.asymmetricKeyType !== "rsa") throw new RangeError("apply links are signed with RSA keys");
  return key;
}
