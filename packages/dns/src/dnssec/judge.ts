import type { WireSections } from "../wire/wire-records.ts";
import { proveAbsent, proveExpansion, proveNoDs, readDenial } from "./absence.ts";
import type { Denial } from "./denial.ts";
import { type DelegationSigner, readSigner, usableSigners, vouchesFor, zoneKeys } from "./keys.ts";
import { codes, isWithin, type RecordSet, readPlainName, recordSets } from "./record-sets.ts";
import { checkSignatures, type KeyedZone } from "./signatures.ts";
import type { DnssecReason, Work } from "./verdict.ts";

/** One server's response to one question. */
export interface SignedAnswer extends WireSections {
  readonly rcode: "NXDOMAIN" | "NOERROR";
}

/**
 * What judging needs beside the answer: the zone that must have signed it, the time and the budget.
 */
export interface ValidationContext {
  readonly keyedZone: KeyedZone;
  readonly now: Date;
  readonly work: Work;
}

export interface Broken {
  readonly kind: "broken";
  readonly reason: DnssecReason;
  readonly at: Date | null;
}

interface Verified {
  readonly kind: "verified";
  readonly seconds: number;
  readonly wildcardOf: string | null;
}

function broken(reason: DnssecReason, at: Date | null = null): Broken {
  return { kind: "broken", reason, at };
}

function verified(set: RecordSet, { keyedZone, now, work }: ValidationContext): Verified | Broken {
  const check = checkSignatures(set, keyedZone, now, work);
  if (check.outcome === "invalid") return broken(check.reason, check.at);
  return { kind: "verified", seconds: check.seconds, wildcardOf: check.wildcardOf };
}

function setAt(sets: readonly RecordSet[], name: string, type: number): RecordSet | undefined {
  return sets.find((set) => set.name === name && set.type === type);
}

/** What the parent says about a name one label further down. */
export type Delegation =
  | {
      readonly kind: "signed";
      readonly signers: readonly DelegationSigner[];
      readonly seconds: number;
    }
  | { readonly kind: "unsigned" | "no_cut"; readonly seconds: number }
  | Broken;

/** How long a proof that a name is not a signed zone may be cached. */
const denialSeconds = 300;

/** Reads the parent's answer for the DS records of a name (RFC 4035 §5.2). */
export function judgeDelegation(
  answer: SignedAnswer,
  name: string,
  context: ValidationContext,
): Delegation {
  const sets = recordSets(answer.answers);
  const ds = setAt(sets, name, codes.DS);
  if (ds !== undefined) {
    const check = verified(ds, context);
    if (check.kind === "broken") return check;
    // A wildcard cannot delegate (RFC 4592 §4.4).
    if (check.wildcardOf !== null) return broken("signature_invalid");
    const signers = usableSigners(ds.data.flatMap(readSigner));
    if (signers.length === 0) return { kind: "unsigned", seconds: check.seconds };
    return { kind: "signed", signers, seconds: check.seconds };
  }
  // The owner of an alias, and what is below a DNAME, is no zone (RFC 1034 §3.6.2, RFC 6672 §2.4).
  const alias = dnameAbove(sets, name) ?? setAt(sets, name, codes.CNAME);
  if (alias !== undefined) {
    const check = verified(alias, context);
    return check.kind === "broken" ? check : { kind: "no_cut", seconds: check.seconds };
  }
  return withDenial(answer, context, (denial) => {
    const proof = proveNoDs(denial, name);
    if (proof === null) return null;
    return { kind: proof === "no_cut" ? "no_cut" : "unsigned", seconds: denialSeconds };
  });
}

const maxKeys = 64;

/**
 * Reads a zone's DNSKEY records with the DS records of its parent, or the trust anchor of the root.
 */
export function judgeKeys(
  answer: SignedAnswer,
  zone: string,
  signers: readonly DelegationSigner[],
  context: Pick<ValidationContext, "now" | "work">,
): { readonly kind: "keys"; readonly keyedZone: KeyedZone; readonly seconds: number } | Broken {
  const set = setAt(recordSets(answer.answers), zone, codes.DNSKEY);
  if (set === undefined) return broken("dnskey_missing");
  if (set.data.length > maxKeys) return broken("too_complex");
  const keys = zoneKeys(set.data);
  const trusted = keys.filter((key) => signers.some((signer) => vouchesFor(signer, key, zone)));
  if (trusted.length === 0) return broken("ds_mismatch");
  const check = verified(set, { keyedZone: { zone, keys: trusted }, ...context });
  if (check.kind === "broken") return check;
  return { kind: "keys", keyedZone: { zone, keys }, seconds: check.seconds };
}

export type DataJudgement =
  | { readonly kind: "secure" | "unsigned" }
  | { readonly kind: "follow"; readonly target: string }
  | Broken;

/** Reads an answer of the zone that holds the name: records, an alias, or a proven absence. */
export function judgeData(
  answer: SignedAnswer,
  question: { readonly name: string; readonly type: number },
  context: ValidationContext,
): DataJudgement {
  const { name, type } = question;
  const sets = recordSets(answer.answers);
  const own = setAt(sets, name, type);
  if (own !== undefined) return judgeSet(answer, own, context, { kind: "secure" });
  const dname = dnameAbove(sets, name);
  if (dname !== undefined) return followDname(dname, name, context);
  const cname = setAt(sets, name, codes.CNAME);
  const target = cname?.data[0] === undefined ? null : readPlainName(cname.data[0], 0);
  if (cname !== undefined && target !== null) {
    return judgeSet(answer, cname, context, { kind: "follow", target: target.name });
  }
  return withDenial(answer, context, (denial) => {
    const proof = proveAbsent(denial, name, type, answer.rcode);
    if (proof === null) return null;
    return { kind: proof === "proven" ? "secure" : "unsigned" };
  });
}

/** A set is good when it is signed and, if a wildcard made it, when nothing closer exists. */
function judgeSet(
  answer: SignedAnswer,
  set: RecordSet,
  context: ValidationContext,
  good: DataJudgement,
): DataJudgement {
  const check = verified(set, context);
  if (check.kind === "broken") return check;
  const { wildcardOf } = check;
  if (wildcardOf === null) return good;
  return withDenial(answer, context, (denial): DataJudgement | null => {
    const proof = proveExpansion(denial, set.name, wildcardOf);
    if (proof === null) return null;
    return proof === "proven" ? good : { kind: "unsigned" };
  });
}

/** RFC 6672 §5.3.1: the CNAME that a DNAME makes is not signed; it follows from the DNAME. */
function followDname(dname: RecordSet, name: string, context: ValidationContext): DataJudgement {
  const check = verified(dname, context);
  if (check.kind === "broken") return check;
  const [data] = dname.data;
  const target = data === undefined ? null : readPlainName(data, 0);
  if (target === null || dname.data.length !== 1) return broken("signature_invalid");
  const prefix = name.slice(0, name.length - dname.name.length);
  return {
    kind: "follow",
    target: target.name === "." ? prefix.slice(0, -1) : prefix + target.name,
  };
}

function dnameAbove(sets: readonly RecordSet[], name: string): RecordSet | undefined {
  return sets.find(
    (set) => set.type === codes.DNAME && set.name !== name && isWithin(name, set.name),
  );
}

/** Applies a proof to the NSEC or NSEC3 records that the zone signed. */
function withDenial<T extends { readonly kind: string }>(
  answer: SignedAnswer,
  context: ValidationContext,
  prove: (denial: Denial) => T | null,
): T | { kind: "unsigned"; seconds: number } | Broken {
  const sets = recordSets(answer.authorities).filter(
    ({ type }) => type === codes.NSEC || type === codes.NSEC3,
  );
  const checked = sets.map((set) => ({ set, check: verified(set, context) }));
  // A wildcard's NSEC, expanded to another name, would deny what the wildcard is not.
  const good = checked.flatMap(({ set, check }) =>
    check.kind === "verified" && check.wildcardOf === null ? [set] : [],
  );
  const denial = readDenial(good, context.keyedZone.zone, context.work);
  if (denial === "unusable") return { kind: "unsigned", seconds: denialSeconds };
  const proof = prove(denial);
  if (proof !== null) return proof;
  const failed = checked.map(({ check }) => check).find((check) => check.kind === "broken");
  if (failed?.kind === "broken") return failed;
  return broken(context.work.hashes <= 0 ? "too_complex" : "denial_missing");
}
