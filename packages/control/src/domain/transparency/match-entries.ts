import {
  certificateKey,
  issuerText,
  publicKeyHash,
  readCertificateFields,
  readValidity,
  serialText,
  visitNames,
} from "./certificate-fields.ts";
import type { ClaimFilter } from "./claim-filter.ts";
import type { SeenCertificate } from "./foreign-certificate.ts";
import type { LogEntry } from "./leaf.ts";

export interface Matched {
  readonly certificates: readonly SeenCertificate[];
  /** Entries whose certificate could not be read. */
  readonly unreadable: number;
}

const maxNames = 100;

/**
 * The certificates with a name that may be claimed. Of all others only the names are read; no field
 * is copied.
 */
export function matchEntries(
  entries: readonly (LogEntry | null)[],
  filter: Pick<ClaimFilter, "mayConcern">,
): Matched {
  const certificates: SeenCertificate[] = [];
  let unreadable = 0;
  for (const entry of entries) {
    const fields = entry === null ? null : readCertificateFields(entry.der, entry.form);
    if (fields === null) {
      unreadable += 1;
      continue;
    }
    let candidates: string[] | null = null;
    visitNames(fields, (name) => {
      if (filter.mayConcern(name)) candidates = [...(candidates ?? []), name];
    });
    if (candidates === null) continue;
    const seen = describeCertificate(fields, candidates);
    if (seen === null) unreadable += 1;
    else certificates.push(seen);
  }
  return { certificates, unreadable };
}

function describeCertificate(
  fields: NonNullable<ReturnType<typeof readCertificateFields>>,
  candidates: readonly string[],
): SeenCertificate | null {
  const validity = readValidity(fields);
  if (validity === null) return null;
  const names = new Set(candidates);
  visitNames(fields, (name) => {
    if (names.size < maxNames) names.add(name);
  });
  return {
    id: certificateKey(fields),
    publicKey: publicKeyHash(fields),
    issuer: issuerText(fields),
    serial: serialText(fields),
    ...validity,
    names: [...names].slice(0, maxNames).map(printableName),
    candidates: [...new Set(candidates)].slice(0, maxNames),
  };
}

function printableName(name: string): string {
  return name.replace(/[^\x21-\x7e]/g, "?");
}
