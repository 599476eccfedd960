import "./reflect-metadata.ts";
import { type KeyObject, randomBytes } from "node:crypto";
import {
  AuthorityKeyIdentifierExtension,
  BasicConstraintsExtension,
  ExtendedKeyUsage,
  ExtendedKeyUsageExtension,
  type JsonGeneralName,
  KeyUsageFlags,
  KeyUsagesExtension,
  SubjectAlternativeNameExtension,
  SubjectKeyIdentifierExtension,
  X509Certificate,
  X509CertificateGenerator,
} from "@peculiar/x509";
import { generateKey, signingAlgorithm, toCryptoKeys } from "./keys.ts";

/** A local certificate authority, for one installation or a test. */
export interface Authority {
  readonly certificatePem: string;
  readonly key: KeyObject;
}

export interface AuthorityOptions {
  readonly commonName: string;
  readonly notBefore: Date;
  readonly notAfter: Date;
}

export interface LeafOptions {
  /** At least one of the two lists names something. */
  readonly hostnames?: readonly string[];
  readonly addresses?: readonly string[];
  /** The public half of the certificate's key, as SubjectPublicKeyInfo in DER. */
  readonly publicKey: Uint8Array;
  readonly notBefore: Date;
  readonly notAfter: Date;
}

/** Creates a key and its self-signed certificate, which may sign leaf certificates only. */
export async function createAuthority(options: AuthorityOptions): Promise<Authority> {
  const key = await generateKey();
  const keys = toCryptoKeys(key);
  const certificate = await X509CertificateGenerator.createSelfSigned({
    serialNumber: newSerial(),
    name: [{ CN: [options.commonName] }],
    notBefore: options.notBefore,
    notAfter: options.notAfter,
    keys,
    signingAlgorithm: signingAlgorithm,
    extensions: [
      new BasicConstraintsExtension(true, 0, true),
      new KeyUsagesExtension(KeyUsageFlags.keyCertSign | KeyUsageFlags.cRLSign, true),
      await SubjectKeyIdentifierExtension.create(keys.publicKey),
    ],
  });
  return { certificatePem: toPem(certificate), key };
}

/** A server certificate signed by the authority, in PEM, without the authority's certificate. */
export async function issueLeaf(authority: Authority, options: LeafOptions): Promise<string> {
  const issuer = new X509Certificate(authority.certificatePem);
  const publicKey = new Uint8Array(options.publicKey);
  const certificate = await X509CertificateGenerator.create({
    serialNumber: newSerial(),
    issuer: issuer.subjectName,
    notBefore: options.notBefore,
    notAfter: options.notAfter,
    publicKey,
    signingKey: toCryptoKeys(authority.key).privateKey,
    signingAlgorithm: signingAlgorithm,
    extensions: [
      // Critical, since the subject is empty (RFC 5280 §4.2.1.6).
      new SubjectAlternativeNameExtension(createNames(options), true),
      new BasicConstraintsExtension(false, undefined, true),
      new KeyUsagesExtension(KeyUsageFlags.digitalSignature, true),
      new ExtendedKeyUsageExtension([ExtendedKeyUsage.serverAuth]),
      await SubjectKeyIdentifierExtension.create(publicKey),
      await AuthorityKeyIdentifierExtension.create(issuer.publicKey),
    ],
  });
  return toPem(certificate);
}

function createNames({ hostnames = [], addresses = [] }: LeafOptions): JsonGeneralName[] {
  const names = [
    ...hostnames.map((value) => ({ type: "dns", value }) as const),
    ...addresses.map((value) => ({ type: "ip", value }) as const),
  ];
  if (names.length === 0) throw new TypeError("a certificate needs a name");
  return names;
}

/** 127 random bits, positive and without a leading zero octet (RFC 5280 §4.1.2.2). */
function newSerial(): string {
  const bytes = randomBytes(16);
  bytes.writeUInt8((bytes.readUInt8(0) & 0x7f) | 0x40, 0);
  return bytes.toString("hex");
}

function toPem(certificate: X509Certificate): string {
  return `${certificate.toString("pem").trimEnd()}\n`;
}
