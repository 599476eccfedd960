import "./metadata-reflection.ts";
import type { KeyObject } from "node:crypto";
import { Pkcs10CertificateRequestGenerator, SubjectAlternativeNameExtension } from "@peculiar/x509";
import { cryptoKeysOf, signingAlgorithm } from "./keys.ts";

/**
 * A certificate request (RFC 2986) in DER for one name. The subject stays empty: the name stands in
 * the subject alternative name alone, so a name longer than a common name's 64 octets is no problem.
 */
export async function createCsr(hostname: string, key: KeyObject): Promise<Buffer> {
  const request = await Pkcs10CertificateRequestGenerator.create({
    keys: cryptoKeysOf(key),
    signingAlgorithm: signingAlgorithm,
    extensions: [new SubjectAlternativeNameExtension([{ type: "dns", value: hostname }])],
  });
  return Buffer.from(request.rawData);
}
