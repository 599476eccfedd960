import {
  createPrivateKey,
  createPublicKey,
  generateKeyPair,
  hash,
  type KeyObject,
  type webcrypto,
} from "node:crypto";
import { promisify } from "node:util";

const generate = promisify(generateKeyPair);

/** The algorithm of certificates and ACME accounts: ECDSA on P-256 with SHA-256. */
export const signingAlgorithm = { name: "ECDSA", namedCurve: "P-256", hash: "SHA-256" } as const;

/** A new private key on P-256. */
export async function generateKey(): Promise<KeyObject> {
  const { privateKey } = await generate("ec", { namedCurve: "P-256" });
  return privateKey;
}

/** The key as PKCS#8 in PEM; the text is secret. */
export function keyToPem(key: KeyObject): string {
  return key.export({ type: "pkcs8", format: "pem" }).toString();
}

/** Throws for anything but a private key on P-256; the message contains nothing of the text. */
export function keyFromPem(pem: string): KeyObject {
  const key = readPrivateKey(pem);
  if (key?.asymmetricKeyDetails?.namedCurve !== "prime256v1") {
    throw new TypeError("not a private key on P-256 in PEM");
  }
  return key;
}

/** Both halves as WebCrypto keys, for building certificates and requests. */
export function toCryptoKeys(key: KeyObject): webcrypto.CryptoKeyPair {
  return {
    privateKey: key.toCryptoKey(signingAlgorithm, false, ["sign"]),
    publicKey: createPublicKey(key).toCryptoKey(signingAlgorithm, true, ["verify"]),
  };
}

/** SHA-256 of the public half as SubjectPublicKeyInfo in DER. */
export function hashPublicKey(key: KeyObject): Buffer {
  const der = createPublicKey(key).export({ type: "spki", format: "der" });
  return hash("sha256", der, "buffer");
}

function readPrivateKey(pem: string): KeyObject | null {
  try {
    return createPrivateKey(pem);
  } catch {
    return null;
  }
}
