import "./reflect-metadata.ts";
import { createPublicKey, type KeyObject, X509Certificate as NodeCertificate } from "node:crypto";
import { AuthorityKeyIdentifierExtension, X509Certificate } from "@peculiar/x509";

/** The parsed leaf certificate of a chain. */
interface Leaf {
  readonly pem: string;
  readonly der: Buffer;
  /** The DNS names it is for, in lower case. */
  readonly hostnames: readonly string[];
  readonly notBefore: Date;
  readonly notAfter: Date;
  /** SHA-256, in lower-case hexadecimal. */
  readonly fingerprint: string;
  /** Lower-case hexadecimal, as in the certificate. */
  readonly serial: string;
  /** The issuer's organisation or, without one, its common name. */
  readonly issuer: string;
  /**
   * Names the certificate in ARI (RFC 9773 §4.1); null when it lacks an authority key identifier.
   */
  readonly ariId: string | null;
}

export interface Chain {
  readonly leaf: Leaf;
  /** Every certificate in PEM, leaf first. */
  readonly certificates: readonly string[];
}

const pemBlock = /-----BEGIN CERTIFICATE-----[A-Za-z0-9+/=\s]+-----END CERTIFICATE-----/g;

/** Far above any real chain; bounds the parsing. */
const maxChainLength = 10;

/** Throws a TypeError unless every certificate of the chain is signed by the next one. */
export function parseChain(pem: string): Chain {
  const certificates = (pem.match(pemBlock) ?? []).map((block) => `${block}\n`);
  const [leafPem] = certificates;
  if (leafPem === undefined) throw new TypeError("the text holds no certificate");
  if (certificates.length > maxChainLength) throw new TypeError("the chain is too long");
  const parsed = certificates.map(readCertificate);
  parsed.forEach((certificate, index) => {
    const issuer = parsed[index + 1];
    if (issuer !== undefined && !certificate.verify(issuer.publicKey)) {
      throw new TypeError("a certificate of the chain is not signed by the next");
    }
  });
  return { leaf: parseLeaf(leafPem), certificates };
}

/** The clock of a CA may be ahead of ours by this. */
const maxEarlyMs = 300_000;

/** Why the chain cannot serve the name with the key at `now`; null when it can. */
export function chainMismatch(
  chain: Chain,
  wanted: { readonly hostname: string; readonly key: KeyObject; readonly now: Date },
): string | null {
  const { leaf } = chain;
  const certificate = new NodeCertificate(leaf.pem);
  if (!certificate.publicKey.equals(createPublicKey(wanted.key))) return "it is for another key";
  const isNamed = wanted.hostname.startsWith("*.")
    ? leaf.hostnames.includes(wanted.hostname)
    : certificate.checkHost(wanted.hostname, { subject: "never" }) !== undefined;
  if (!isNamed) {
    return "it is for another name";
  }
  if (wanted.now >= leaf.notAfter) return "it has expired";
  const isEarly = wanted.now.getTime() < leaf.notBefore.getTime() - maxEarlyMs;
  return isEarly ? "it is not valid yet" : null;
}

/**
 * Whether the leaf stands alone though another certificate signed it: clients could not verify it.
 */
export function lacksIssuer({ leaf, certificates }: Chain): boolean {
  const certificate = new NodeCertificate(leaf.pem);
  return certificates.length === 1 && !certificate.checkIssued(certificate);
}

function parseLeaf(pem: string): Leaf {
  const node = new NodeCertificate(pem);
  const certificate = new X509Certificate(pem);
  return {
    pem,
    der: node.raw,
    hostnames: readHostnames(node),
    notBefore: certificate.notBefore,
    notAfter: certificate.notAfter,
    fingerprint: node.fingerprint256.replaceAll(":", "").toLowerCase(),
    serial: certificate.serialNumber.toLowerCase(),
    issuer: readIssuer(certificate),
    ariId: computeAriId(certificate),
  };
}

function readCertificate(pem: string): NodeCertificate {
  try {
    return new NodeCertificate(pem);
  } catch (error) {
    throw new TypeError("a certificate of the chain cannot be read", { cause: error });
  }
}

function readHostnames(certificate: NodeCertificate): string[] {
  return (certificate.subjectAltName ?? "")
    .split(", ")
    .filter((name) => name.startsWith("DNS:"))
    .map((name) => name.slice(4).toLowerCase());
}

function readIssuer(certificate: X509Certificate): string {
  const [organisation] = certificate.issuerName.getField("O");
  const [commonName] = certificate.issuerName.getField("CN");
  return organisation ?? commonName ?? "";
}

/** Key identifier and the content octets of the serial number, joined by a dot (RFC 9773 §4.1). */
function computeAriId(certificate: X509Certificate): string | null {
  const keyId = certificate.getExtension(AuthorityKeyIdentifierExtension)?.keyId;
  if (keyId === undefined) return null;
  const { serialNumber: hex } = certificate;
  // DER puts a zero octet before a positive number whose first bit is set; the parser omits it.
  const serial = Buffer.from(Number.parseInt(hex.slice(0, 2), 16) < 0x80 ? hex : `00${hex}`, "hex");
  return `${Buffer.from(keyId, "hex").toString("base64url")}.${serial.toString("base64url")}`;
}
