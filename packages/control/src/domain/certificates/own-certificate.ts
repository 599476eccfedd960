import { createHash, createPrivateKey, type KeyObject, X509Certificate } from "node:crypto";
import { createSecureContext } from "node:tls";
import { type Issue, invalid } from "../errors.ts";

/** A certificate that a tenant brings, checked, with its key. */
export interface OwnCertificate {
  /** Leaf first, in PEM. */
  readonly chain: string;
  /** PKCS#8 in PEM; secret. */
  readonly privateKey: string;
  readonly notBefore: Date;
  readonly notAfter: Date;
  /** The issuer's organisation or, without one, its common name. */
  readonly ca: string;
  /** SHA-256, in lower-case hexadecimal. */
  readonly fingerprint: string;
}

interface Material {
  /** In PEM, leaf first. */
  readonly certificate: string;
  readonly privateKey: string;
}

const pemBlock = /-----BEGIN CERTIFICATE-----[A-Za-z0-9+/=\s]+-----END CERTIFICATE-----/g;
/** Far above any real chain; bounds the work. */
const maxChainLength = 10;
const serverAuth = "1.3.6.1.5.5.7.3.1";
const anyUsage = "2.5.29.37.0";
const curves: ReadonlySet<string | undefined> = new Set(["prime256v1", "secp384r1"]);
/** A longer key takes many milliseconds of every handshake, also of other tenants. */
const rsaBits = { least: 2_048, most: 4_096 };

/**
 * Checks a chain and its key for a hostname. Throws `invalid` with what is wrong; no message
 * contains anything of the key.
 */
export function checkOwnCertificate(
  material: Material,
  hostname: string,
  now: Date,
): OwnCertificate {
  const chain = readChain(material.certificate);
  const key = readKey(material.privateKey);
  const [leaf] = chain;
  const issues = [...chainIssues(chain, now), ...leafIssues(leaf, hostname), ...keyIssues(key)];
  if (!leaf.checkPrivateKey(key)) issues.push(ofKey("is not the key of the first certificate"));
  if (issues.length > 0) throw invalid(issues);
  const own: OwnCertificate = {
    chain: chain.map((one) => one.toString()).join(""),
    privateKey: key.export({ type: "pkcs8", format: "pem" }).toString(),
    notBefore: leaf.validFromDate,
    notAfter: leaf.validToDate,
    ca: parseIssuer(leaf),
    fingerprint: createHash("sha256").update(leaf.raw).digest("hex"),
  };
  requireServable(own);
  return own;
}

type Chain = readonly [X509Certificate, ...X509Certificate[]];

function readChain(pem: string): Chain {
  const blocks = pem.match(pemBlock) ?? [];
  if (blocks.length > maxChainLength) {
    throw invalid([ofChain(`has more than ${maxChainLength} certificates`)]);
  }
  try {
    const [leaf, ...others] = blocks.map((block) => new X509Certificate(block));
    if (leaf !== undefined) return [leaf, ...others];
  } catch {
    throw invalid([ofChain("contains a certificate that cannot be read")]);
  }
  throw invalid([ofChain("is not a certificate in PEM")]);
}

function readKey(pem: string): KeyObject {
  if (/-----BEGIN ENCRYPTED|Proc-Type:.*ENCRYPTED/.test(pem)) {
    throw invalid([ofKey("is encrypted; send it without a passphrase")]);
  }
  try {
    return createPrivateKey(pem);
  } catch {
    // Without the cause, which could bring something of the key into a log.
    throw invalid([ofKey("is not a private key in PEM")]);
  }
}

function chainIssues(chain: Chain, now: Date): Issue[] {
  return chain.flatMap((one, index) => {
    const which = index === 0 ? "the certificate" : `certificate ${index + 1} of the chain`;
    const issuer = chain[index + 1];
    const wrongs = [...timeWrongs(one, now), ...(issuer ? signatureWrongs(one, issuer) : [])];
    if (hasBrokenDigest(one)) wrongs.push(`is signed with ${one.signatureAlgorithm}, a broken one`);
    return wrongs.map((wrong) => ofChain(`${which} ${wrong}`));
  });
}

function timeWrongs({ validFromDate, validToDate }: X509Certificate, now: Date): string[] {
  if (validToDate <= now) return ["has expired"];
  return validFromDate > now ? ["is not valid yet"] : [];
}

function signatureWrongs(one: X509Certificate, issuer: X509Certificate): string[] {
  if (!issuer.ca) return ["is followed by one that is not a CA's"];
  if (one.checkIssued(issuer) && one.verify(issuer.publicKey)) return [];
  return ["is not signed by the next one: the order is leaf first"];
}

function hasBrokenDigest(one: X509Certificate): boolean {
  return /sha1|md5/i.test(one.signatureAlgorithm ?? "") && !isSelfSigned(one);
}

/** The signature of a root is not verified by anybody. */
function isSelfSigned(certificate: X509Certificate): boolean {
  return certificate.checkIssued(certificate);
}

function leafIssues(leaf: X509Certificate, hostname: string): Issue[] {
  const issues: Issue[] = [];
  const covered = leaf.checkHost(hostname, { subject: "never", partialWildcards: false });
  if (covered === undefined) {
    const names = leaf.subjectAltName?.slice(0, 500) ?? "no name";
    issues.push(ofChain(`is not for ${hostname}, but for ${names}`));
  }
  const usages = leaf.keyUsage as readonly string[] | undefined;
  if (usages && !usages.includes(serverAuth) && !usages.includes(anyUsage)) {
    issues.push(ofChain("is not for TLS servers (extended key usage)"));
  }
  return issues;
}

function keyIssues(key: KeyObject): Issue[] {
  const { modulusLength: bits = 0, namedCurve } = key.asymmetricKeyDetails ?? {};
  if (key.asymmetricKeyType === "rsa") {
    if (bits >= rsaBits.least && bits <= rsaBits.most) return [];
    return [ofKey(`has ${bits} bits; RSA keys have ${rsaBits.least} to ${rsaBits.most}`)];
  }
  if (key.asymmetricKeyType === "ec" && curves.has(namedCurve)) return [];
  return [ofKey("must be RSA, or ECDSA on P-256 or P-384: browsers accept no other")];
}

/** OpenSSL has the last word about what the edge could serve. */
function requireServable({ chain, privateKey }: OwnCertificate): void {
  try {
    createSecureContext({ cert: chain, key: privateKey, minVersion: "TLSv1.2" });
  } catch (error) {
    const code = error instanceof Error && "code" in error ? String(error.code) : "refused";
    throw invalid([ofChain(`cannot be served (${code})`)]);
  }
}

function parseIssuer({ issuer }: X509Certificate): string {
  const field = (name: string): string | undefined =>
    issuer
      .split("\n")
      .find((line) => line.startsWith(`${name}=`))
      ?.slice(name.length + 1);
  return (field("O") ?? field("CN") ?? "").slice(0, 200);
}

function ofChain(message: string): Issue {
  return { path: "certificate", message };
}

function ofKey(message: string): Issue {
  return { path: "private_key", message };
}

const day = 86_400_000;

/** The times that matter before an own certificate ends. */
interface Validity {
  readonly notBefore: Date;
  readonly notAfter: Date;
}

/** From then on its tenant is warned: the last third of its life, at most 30 days. */
export function warnOwnAt({ notBefore, notAfter }: Validity): Date {
  const lifeMs = notAfter.getTime() - notBefore.getTime();
  return new Date(notAfter.getTime() - Math.min(lifeMs / 3, 30 * day));
}

/**
 * From then on an automatic certificate is obtained: the last ninth of its life, at most 7 days.
 */
export function replaceOwnAt({ notBefore, notAfter }: Validity): Date {
  const lifeMs = notAfter.getTime() - notBefore.getTime();
  return new Date(notAfter.getTime() - Math.min(lifeMs / 9, 7 * day));
}
