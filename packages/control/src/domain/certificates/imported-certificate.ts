import { X509Certificate } from "node:crypto";
import { invalid } from "../errors.ts";
import { checkOwnCertificate, type OwnCertificate } from "./own-certificate.ts";

/** A certificate and its key as another server has them, in PEM. */
export interface CertificateMaterial {
  /** Leaf first. */
  readonly certificate: string;
  readonly privateKey: string;
}

/**
 * The issuer of a stored certificate that another server obtained: no order of ours may name it as
 * replaced.
 */
export const importedIssuer = "imported";

/**
 * Checks a chain with its key for a hostname, as for a tenant's own certificate, and that the chain
 * ends at one of the roots. Throws `invalid` with what is wrong.
 */
export function checkImportedCertificate(
  material: CertificateMaterial,
  hostname: string,
  roots: readonly X509Certificate[],
  now: Date,
): OwnCertificate {
  const checked = checkOwnCertificate(material, hostname, now);
  const last = parseLast(checked.chain);
  if (!roots.some((root) => isSignedBy(last, root))) {
    const message = `does not lead to a root that is trusted here, but to ${oneLine(last.issuer)}`;
    throw invalid([{ path: "certificate", message }]);
  }
  return checked;
}

function parseLast(chain: string): X509Certificate {
  const start = chain.lastIndexOf("-----BEGIN CERTIFICATE-----");
  return new X509Certificate(chain.slice(start));
}

/** The last of a chain is the root itself, or signed by it. */
function isSignedBy(last: X509Certificate, root: X509Certificate): boolean {
  if (last.raw.equals(root.raw)) return true;
  return last.checkIssued(root) && last.verify(root.publicKey);
}

/** An issuer is other people's text over several lines. */
function oneLine(issuer: string): string {
  return issuer.replaceAll("\n", ", ").slice(0, 200);
}

/**
 * When an imported certificate is renewed: with a third of its life left and spread over a
 * twentieth of it, as the edge does with its own. One that is past that time is renewed in the
 * first half of what is left: the import itself causes no order.
 */
export function renewImportedAt(
  { notBefore, notAfter }: Pick<OwnCertificate, "notBefore" | "notAfter">,
  now: Date,
  random: number,
): Date {
  const lifeMs = notAfter.getTime() - notBefore.getTime();
  const shareMs = lifeMs < shortLifeMs ? lifeMs / 2 : lifeMs / 3;
  const dueAt = notAfter.getTime() - shareMs - random * lifeMs * 0.05;
  if (dueAt > now.getTime()) return new Date(dueAt);
  const leftMs = notAfter.getTime() - now.getTime();
  return new Date(now.getTime() + (0.1 + 0.4 * random) * leftMs);
}

/** Half of a short life is left at the renewal, a third of a longer one. */
const shortLifeMs = 10 * 86_400_000;
