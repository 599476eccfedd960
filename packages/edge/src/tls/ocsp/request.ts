import "../../x509/reflect-metadata.ts";
import { createHash } from "node:crypto";
import { CertID, OCSPRequest, Request, TBSRequest } from "@peculiar/asn1-ocsp";
import { AsnConvert, OctetString } from "@peculiar/asn1-schema";
import { AlgorithmIdentifier, Certificate } from "@peculiar/asn1-x509";
import type { OcspSubject } from "./subject.ts";

const sha1 = "1.3.14.3.2.26";

/**
 * The hashes by which a responder may name an issuer. They name it only; nothing is signed with
 * them.
 */
const idHashes: Readonly<Record<string, string>> = {
  [sha1]: "sha1",
  "2.16.840.1.101.3.4.2.1": "sha256",
  "2.16.840.1.101.3.4.2.2": "sha384",
  "2.16.840.1.101.3.4.2.3": "sha512",
};

/**
 * Names the leaf with SHA-1, the one hash that every responder knows (RFC 5019 §2.1.1), without a
 * nonce.
 */
export function encodeOcspRequest(subject: OcspSubject): Buffer {
  const { nameHash, keyHash, serial } = hashCertId(subject, "sha1");
  const reqCert = new CertID({
    hashAlgorithm: new AlgorithmIdentifier({ algorithm: sha1, parameters: null }),
    issuerNameHash: new OctetString(nameHash),
    issuerKeyHash: new OctetString(keyHash),
    serialNumber: toArrayBuffer(serial),
  });
  const tbsRequest = new TBSRequest({ requestList: [new Request({ reqCert })] });
  return Buffer.from(AsnConvert.serialize(new OCSPRequest({ tbsRequest })));
}

/** Whether the id in a response is of this leaf and this issuer. */
export function matchesId(subject: OcspSubject, id: CertID): boolean {
  const hash = idHashes[id.hashAlgorithm.algorithm];
  if (hash === undefined) return false;
  const { nameHash, keyHash, serial } = hashCertId(subject, hash);
  return (
    nameHash.equals(Buffer.from(id.issuerNameHash.buffer)) &&
    keyHash.equals(Buffer.from(id.issuerKeyHash.buffer)) &&
    serial.equals(Buffer.from(id.serialNumber))
  );
}

interface CertIdParts {
  readonly nameHash: Buffer;
  readonly keyHash: Buffer;
  readonly serial: Buffer;
}

/** RFC 6960 §4.1.1: the issuer's name as in the leaf, and its key without the algorithm. */
function hashCertId({ leaf, issuer }: OcspSubject, hash: string): CertIdParts {
  const { tbsCertificate: tbs } = AsnConvert.parse(leaf, Certificate);
  const { subjectPublicKeyInfo: key } = AsnConvert.parse(issuer.raw, Certificate).tbsCertificate;
  const digest = (bytes: ArrayBuffer): Buffer =>
    createHash(hash).update(Buffer.from(bytes)).digest();
  return {
    nameHash: digest(AsnConvert.serialize(tbs.issuer)),
    keyHash: digest(key.subjectPublicKey),
    serial: Buffer.from(tbs.serialNumber),
  };
}

function toArrayBuffer(bytes: Buffer): ArrayBuffer {
  return new Uint8Array(bytes).buffer;
}
