import { hash, X509Certificate } from "node:crypto";

/** SHA-256 of the SubjectPublicKeyInfo of a chain's first certificate, in PEM. */
export function chainKeyHash(chain: string): Buffer {
  const { publicKey } = new X509Certificate(chain);
  return hash("sha256", publicKey.export({ type: "spki", format: "der" }), "buffer");
}
