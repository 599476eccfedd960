import "../../x509/reflect-metadata.ts";
import { X509Certificate as NodeCertificate } from "node:crypto";
import { AsnConvert } from "@peculiar/asn1-schema";
import { Certificate, type Extension } from "@peculiar/asn1-x509";

/** A leaf certificate whose status is asked for, and what that needs. */
export interface OcspSubject {
  /** SHA-256 of the leaf. */
  readonly id: string;
  readonly leaf: Buffer;
  readonly issuer: NodeCertificate;
  /** The responder that the leaf names. */
  readonly url: string;
  readonly notAfter: Date;
  /** As in `OcspDemand`. */
  readonly isRequired: boolean;
}

/** What a chain says about OCSP. */
export interface OcspDemand {
  /** Null when the leaf names no responder, or the chain lacks its issuer. */
  readonly subject: OcspSubject | null;
  /** Clients refuse the certificate without a staple (RFC 7633). */
  readonly isRequired: boolean;
}

const pemBlock = /-----BEGIN CERTIFICATE-----[A-Za-z0-9+/=\s]+-----END CERTIFICATE-----/g;
const responderKind = "OCSP - URI";

/** Of a certificate without a responder only the leaf is parsed. */
export function readOcspDemand(chain: string): OcspDemand {
  const [leafPem, issuerPem] = chain.match(pemBlock) ?? [];
  if (leafPem === undefined) return { subject: null, isRequired: false };
  const leaf = new NodeCertificate(leafPem);
  const isRequired = demandsStaple(leaf.raw);
  const url = findResponder(leaf);
  if (url === null || issuerPem === undefined) return { subject: null, isRequired };
  const issuer = new NodeCertificate(issuerPem);
  if (!leaf.checkIssued(issuer)) return { subject: null, isRequired };
  const { fingerprint256: id, raw, validToDate: notAfter } = leaf;
  return { subject: { id, leaf: raw, issuer, url, notAfter, isRequired }, isRequired };
}

/** The first one over HTTP; OCSP is not used over anything else. */
function findResponder(leaf: NodeCertificate): string | null {
  if (leaf.infoAccess?.includes(responderKind) !== true) return null;
  const urls = leaf.toLegacyObject().infoAccess?.[responderKind] ?? [];
  return urls.find((url) => /^https?:\/\//i.test(url)) ?? null;
}

const tlsFeature = "1.3.6.1.5.5.7.1.24";
const tlsFeatureDer = Buffer.from("06082b06010505070118", "hex");
/** `status_request` as a DER INTEGER; the numbers of features are small. */
const statusRequestDer = Buffer.from([2, 1, 5]);

function demandsStaple(leaf: Buffer): boolean {
  if (!leaf.includes(tlsFeatureDer)) return false;
  const { extensions = [] } = AsnConvert.parse(leaf, Certificate).tbsCertificate;
  const feature = extensions.find(({ extnID }: Extension) => extnID === tlsFeature);
  return feature !== undefined && Buffer.from(feature.extnValue.buffer).includes(statusRequestDer);
}
