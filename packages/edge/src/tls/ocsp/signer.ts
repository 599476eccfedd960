import "../../x509/reflect-metadata.ts";
import { createHash, X509Certificate as NodeCertificate, verify } from "node:crypto";
import type { BasicOCSPResponse, ResponderID } from "@peculiar/asn1-ocsp";
import { AsnConvert } from "@peculiar/asn1-schema";
import { Certificate } from "@peculiar/asn1-x509";

/**
 * The signature algorithms that are accepted, with the type of key that each needs. SHA-1 is not.
 */
const algorithms: Readonly<
  Record<string, { readonly key: string; readonly digest: string | null }>
> = {
  "1.2.840.113549.1.1.11": { key: "rsa", digest: "sha256" },
  "1.2.840.113549.1.1.12": { key: "rsa", digest: "sha384" },
  "1.2.840.113549.1.1.13": { key: "rsa", digest: "sha512" },
  "1.2.840.10045.4.3.2": { key: "ec", digest: "sha256" },
  "1.2.840.10045.4.3.3": { key: "ec", digest: "sha384" },
  "1.2.840.10045.4.3.4": { key: "ec", digest: "sha512" },
  "1.3.101.112": { key: "ed25519", digest: null },
};

const ocspSigning = "1.3.6.1.5.5.7.3.9";
/** A response needs one certificate; more are not tried. */
const maxCertificates = 5;

/**
 * Why the response is not signed by the issuer or by a responder that the issuer appointed; or
 * null.
 */
export function signatureFault(
  response: BasicOCSPResponse,
  issuer: NodeCertificate,
  now: Date,
): string | null {
  const { responderID } = response.tbsResponseData;
  const delegates = (response.certs ?? [])
    .slice(0, maxCertificates)
    .map((certificate) => new NodeCertificate(toDer(certificate)));
  const named = [issuer, ...delegates].filter((one) => isNamed(one, responderID));
  if (named.length === 0) return "the certificate of its signer is missing";
  const faults = named.map((signer) => {
    const isIssuer = signer.raw.equals(issuer.raw);
    return (isIssuer ? null : delegateFault(signer, issuer, now)) ?? keyFault(response, signer);
  });
  return faults.includes(null) ? null : (faults.at(-1) ?? null);
}

/** RFC 6960 §4.2.2.2: the issuer itself has signed the responder's certificate, for this use. */
function delegateFault(signer: NodeCertificate, issuer: NodeCertificate, now: Date): string | null {
  if (!signer.checkIssued(issuer) || !signer.verify(issuer.publicKey)) {
    return "its signer is not appointed by the issuer";
  }
  // Node calls the extended key usage so.
  if (!(signer.keyUsage ?? []).includes(ocspSigning)) return "its signer may not sign responses";
  const isValid = signer.validFromDate <= now && now < signer.validToDate;
  return isValid ? null : "the certificate of its signer is not valid now";
}

function keyFault(response: BasicOCSPResponse, { publicKey }: NodeCertificate): string | null {
  const algorithm = algorithms[response.signatureAlgorithm.algorithm];
  if (algorithm === undefined || algorithm.key !== publicKey.asymmetricKeyType) {
    return "its signature algorithm is not accepted";
  }
  const signed = response.tbsResponseDataRaw;
  if (signed === undefined) return "it cannot be read";
  const signature = Buffer.from(response.signature);
  const isGenuine = verify(algorithm.digest, Buffer.from(signed), publicKey, signature);
  return isGenuine ? null : "its signature is wrong";
}

function isNamed(certificate: NodeCertificate, { byName, byKey }: ResponderID): boolean {
  const { subject, subjectPublicKeyInfo } = AsnConvert.parse(
    certificate.raw,
    Certificate,
  ).tbsCertificate;
  if (byName !== undefined) {
    const name = Buffer.from(AsnConvert.serialize(byName));
    return name.equals(Buffer.from(AsnConvert.serialize(subject)));
  }
  if (byKey === undefined) return false;
  const keyHash = createHash("sha1").update(Buffer.from(subjectPublicKeyInfo.subjectPublicKey));
  return keyHash.digest().equals(Buffer.from(byKey.buffer));
}

/** The certificate as it was in the response: encoded again, what was signed could change. */
function toDer({ tbsCertificateRaw, signatureAlgorithm, signatureValue }: Certificate): Buffer {
  if (tbsCertificateRaw === undefined) throw new TypeError("the certificate was not parsed");
  const unusedBits = Buffer.alloc(1);
  return der(
    0x30,
    Buffer.from(tbsCertificateRaw),
    Buffer.from(AsnConvert.serialize(signatureAlgorithm)),
    der(0x03, unusedBits, Buffer.from(signatureValue)),
  );
}

/**
 * Responses are small: lengths of two octets suffice, and shorter ones must use the short forms.
 */
function der(tag: number, ...parts: readonly Buffer[]): Buffer {
  const content = Buffer.concat(parts);
  const { length } = content;
  const long = length < 0x100 ? [0x81, length] : [0x82, length >> 8, length & 0xff];
  return Buffer.concat([Buffer.from([tag, ...(length < 0x80 ? [length] : long)]), content]);
}
