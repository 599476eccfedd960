import "./reflect-metadata.ts";
import { createHash, type KeyObject } from "node:crypto";
import {
  Extension,
  Pkcs10CertificateRequestGenerator,
  SubjectAlternativeNameExtension,
  X509CertificateGenerator,
} from "@peculiar/x509";
import { generateKey, keyToPem, signingAlgorithm, toCryptoKeys } from "./keys.ts";

/**
 * A certificate request (RFC 2986) in DER for one name. The subject is empty: the name is only in
 * the subject alternative name, so it may be longer than the 64 octets of a common name.
 */
export async function createCsr(hostname: string, key: KeyObject): Promise<Buffer> {
  const request = await Pkcs10CertificateRequestGenerator.create({
    keys: toCryptoKeys(key),
    signingAlgorithm: signingAlgorithm,
    extensions: [new SubjectAlternativeNameExtension([{ type: "dns", value: hostname }])],
  });
  return Buffer.from(request.rawData);
}

/** The protocol that a server negotiates for the challenge only (RFC 8737 §4). */
export const acmeTlsAlpn = "acme-tls/1";

/** id-pe-acmeIdentifier (RFC 8737 §3). */
const acmeIdentifierOid = "1.3.6.1.5.5.7.1.31";

const hourMs = 3_600_000;

export interface TlsAlpnCertificate {
  readonly certificatePem: string;
  readonly keyPem: string;
}

/**
 * The self-signed certificate that answers a TLS-ALPN-01 challenge for the name (RFC 8737 §3),
 * valid for a day.
 */
export async function createTlsAlpnCertificate(
  hostname: string,
  keyAuthorization: string,
  now: Date,
): Promise<TlsAlpnCertificate> {
  const key = await generateKey();
  const certificate = await X509CertificateGenerator.createSelfSigned({
    name: [{ CN: ["acme challenge"] }],
    // The CA's clock may be behind ours.
    notBefore: new Date(now.getTime() - hourMs),
    notAfter: new Date(now.getTime() + 23 * hourMs),
    keys: toCryptoKeys(key),
    signingAlgorithm: signingAlgorithm,
    extensions: [
      new SubjectAlternativeNameExtension([{ type: "dns", value: hostname }]),
      new Extension(acmeIdentifierOid, true, hashAuthorization(keyAuthorization)),
    ],
  });
  return { certificatePem: certificate.toString("pem"), keyPem: keyToPem(key) };
}

/** `Authorization ::= OCTET STRING (SIZE (32))` in DER: tag, length, the digest. */
function hashAuthorization(keyAuthorization: string): Uint8Array<ArrayBuffer> {
  const digest = createHash("sha256").update(keyAuthorization).digest();
  return new Uint8Array([0x04, digest.length, ...digest]);
}
