import { splitLabels } from "../wire/wire-records.ts";
import type { Denial } from "./denial.ts";
import { nsecDenial } from "./nsec.ts";
import { nsec3Denial } from "./nsec3.ts";
import { ancestorWith, codes, type RecordSet, wildcardAt } from "./record-sets.ts";
import type { Work } from "./verdict.ts";

/**
 * `unusable`: NSEC3 records that are not worth the work (RFC 9276 §3.2); the zone counts as
 * unsigned.
 */
export function readDenial(
  sets: readonly RecordSet[],
  zone: string,
  work: Work,
): Denial | "unusable" {
  const nsec3 = sets.filter(({ type }) => type === codes.NSEC3);
  return nsec3.length > 0
    ? nsec3Denial(nsec3, zone, work)
    : nsecDenial(sets.filter(({ type }) => type === codes.NSEC));
}

/** What is proven about a zone cut at a name, from the records of the zone above it. */
export type CutProof = "no_cut" | "unsigned_cut" | null;

/** RFC 4035 §5.2, RFC 5155 §8.6: that a name has no DS records, and whether it is delegated. */
export function proveNoDs(denial: Denial, name: string): CutProof {
  const types = denial.typesAt(name);
  if (types !== null) {
    // A record with SOA is the child's own, which says nothing about the DS at the parent.
    if (types.has(codes.DS) || types.has(codes.SOA)) return null;
    return types.has(codes.NS) ? "unsigned_cut" : "no_cut";
  }
  const covered = nextCloserCover(denial, name);
  if (covered === "opt_out") return "unsigned_cut";
  return covered === "covered" ? "no_cut" : null;
}

/** What is proven about an absent answer. `unsigned`: only that an unsigned zone may hold it. */
export type AbsenceProof = "proven" | "unsigned" | null;

/**
 * RFC 4035 §5.4, RFC 5155 §8.4–8.7: that the name, or the type at it, or at its wildcard, is
 * absent.
 */
export function proveAbsent(
  denial: Denial,
  name: string,
  type: number,
  rcode: "NXDOMAIN" | "NOERROR",
): AbsenceProof {
  const types = denial.typesAt(name);
  if (types !== null) return rcode === "NOERROR" && lacks(types, type) ? "proven" : null;
  const covered = nextCloserCover(denial, name);
  const encloser = denial.closestEncloser(name);
  if (covered === null || encloser === null) return null;
  const wildcard = wildcardAt(encloser);
  const atWildcard = denial.typesAt(wildcard);
  const isProven =
    atWildcard === null
      ? rcode === "NXDOMAIN" && denial.covers(wildcard) !== null
      : rcode === "NOERROR" && lacks(atWildcard, type);
  if (covered === "opt_out") return "unsigned";
  return isProven ? "proven" : null;
}

/** RFC 4035 §5.3.4: a wildcard may answer for a name only if nothing closer to the name exists. */
export function proveExpansion(denial: Denial, name: string, wildcardOf: string): AbsenceProof {
  const next = ancestorWith(name, splitLabels(wildcardOf).length + 1);
  const covered = denial.covers(next);
  if (covered === null) return null;
  return covered === "opt_out" ? "unsigned" : "proven";
}

/** A record at a delegation, without SOA, is the parent's: it says nothing about other types. */
function lacks(types: ReadonlySet<number>, type: number): boolean {
  const isDelegation = types.has(codes.NS) && !types.has(codes.SOA);
  return !types.has(type) && !types.has(codes.CNAME) && !isDelegation;
}

/** RFC 5155 §8.3: a name is absent if its ancestor just below the closest encloser is. */
function nextCloserCover(denial: Denial, name: string): "covered" | "opt_out" | null {
  const encloser = denial.closestEncloser(name);
  if (encloser === null) return null;
  return denial.covers(ancestorWith(name, splitLabels(encloser).length + 1));
}
