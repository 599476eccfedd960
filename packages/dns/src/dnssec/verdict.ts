/**
 * Why answers of a zone are not authentic:
 * - `dnskey_missing`: the parent vouches for keys, and the zone has none
 * - `ds_mismatch`: no key of the zone is one that the parent's DS records name
 * - `signature_missing`, `signature_invalid`: none, or none that a key of the zone has made
 * - `signature_expired`, `signature_early`: `at` says since when, and from when on
 * - `denial_missing`: an absence without its proof
 * - `too_complex`: more keys, signatures or hashes than a validator should try
 */
export type DnssecReason =
  | "dnskey_missing"
  | "ds_mismatch"
  | "signature_missing"
  | "signature_invalid"
  | "signature_expired"
  | "signature_early"
  | "denial_missing"
  | "too_complex";

export interface DnssecFault {
  /** The zone that has to be repaired, with its parent where the DS records are wrong. */
  readonly zone: string;
  /** The question whose answer is not authentic. */
  readonly name: string;
  readonly type: string;
  readonly reason: DnssecReason;
  readonly at: Date | null;
}

/**
 * RFC 4033 §5. `insecure`: the parent of `zone` proves that it is not signed, or only in a way we
 * do not know. `indeterminate`: servers did not answer, or the root could not be validated.
 */
export type DnssecVerdict =
  | { readonly outcome: "secure" }
  | { readonly outcome: "insecure"; readonly zone: string }
  | { readonly outcome: "bogus"; readonly fault: DnssecFault }
  | { readonly outcome: "indeterminate" };

export const secure: DnssecVerdict = { outcome: "secure" };
export const indeterminate: DnssecVerdict = { outcome: "indeterminate" };

const worstFirst = ["bogus", "indeterminate", "insecure", "secure"] as const;

/** The verdict over several questions: the worst of theirs. */
export function pickWorst(verdicts: readonly DnssecVerdict[]): DnssecVerdict {
  for (const outcome of worstFirst) {
    const found = verdicts.find((verdict) => verdict.outcome === outcome);
    if (found !== undefined) return found;
  }
  return indeterminate;
}

/**
 * What one check may cost. A zone can be built so that a validator tries thousands of signatures
 * (CVE-2023-50387) or hashes (CVE-2023-50868); real ones need a few.
 */
export interface Work {
  signatures: number;
  hashes: number;
  queries: number;
}

export function newWork(): Work {
  return { signatures: 96, hashes: 512, queries: 96 };
}

/** Takes one from a budget; false when it is used up. */
export function spend(work: Work, what: keyof Work): boolean {
  if (work[what] <= 0) return false;
  work[what] -= 1;
  return true;
}
