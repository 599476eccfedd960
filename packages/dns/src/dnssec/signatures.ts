import { verifies, type ZoneKey } from "./keys.ts";
import {
  ancestorWith,
  countedLabels,
  isWithin,
  type RecordSet,
  type Signature,
  signedData,
} from "./record-sets.ts";
import { type DnssecReason, spend, type Work } from "./verdict.ts";

/** A zone with the keys that its parent, and in the end the trust anchor, vouches for. */
export interface KeyedZone {
  readonly zone: string;
  readonly keys: readonly ZoneKey[];
}

export type SignatureCheck =
  | {
      readonly outcome: "valid";
      /** How long the set may be cached: the TTL, and the rest of the signature's life. */
      readonly seconds: number;
      /** Where the wildcard stands that the set was made from; null for a set of its own. */
      readonly wildcardOf: string | null;
    }
  | { readonly outcome: "invalid"; readonly reason: DnssecReason; readonly at: Date | null };

/** Keys that share a tag, and signatures over one set: real zones have two or three. */
const maxKeysPerTag = 4;
const maxSignaturesPerSet = 8;

/**
 * RFC 4035 §5.3: one signature of the zone over the set that is in time and verifies suffices.
 * Where none does, the reason is that of the one which came closest.
 */
export function checkSignatures(
  set: RecordSet,
  { zone, keys }: KeyedZone,
  now: Date,
  work: Work,
): SignatureCheck {
  const own = set.signatures.filter(
    ({ signer, labels }) => signer === zone && labels <= countedLabels(set.name),
  );
  if (!isWithin(set.name, zone)) return invalid("signature_invalid");
  if (own.length === 0) return invalid("signature_missing");
  const seconds = Math.floor(now.getTime() / 1_000);
  const current = own.filter((signature) => isCurrent(signature, seconds));
  for (const signature of current.slice(0, maxSignaturesPerSet)) {
    const tried = tryKeys(set, signature, keys, work);
    if (tried === "too_complex") return invalid("too_complex");
    if (tried) return valid(set, signature, seconds);
  }
  return current.length > 0 ? invalid("signature_invalid") : outOfTime(own, seconds);
}

function tryKeys(
  set: RecordSet,
  signature: Signature,
  keys: readonly ZoneKey[],
  work: Work,
): boolean | "too_complex" {
  const { keyTag, algorithm } = signature;
  const fitting = keys.filter((key) => key.tag === keyTag && key.algorithm === algorithm);
  if (fitting.length > maxKeysPerTag) return "too_complex";
  const data = fitting.length === 0 ? null : signedData(set, signature);
  for (const key of fitting) {
    if (!spend(work, "signatures")) return "too_complex";
    if (data !== null && verifies(key, signature, data)) return true;
  }
  return false;
}

function valid(set: RecordSet, signature: Signature, seconds: number): SignatureCheck {
  const isExpanded = signature.labels < countedLabels(set.name);
  const left = after(signature.expiration, seconds);
  return {
    outcome: "valid",
    seconds: Math.max(0, Math.min(set.ttl, signature.originalTtl, left)),
    wildcardOf: isExpanded ? ancestorWith(set.name, signature.labels) : null,
  };
}

function invalid(reason: DnssecReason, at: Date | null = null): SignatureCheck {
  return { outcome: "invalid", reason, at };
}

/** RFC 4034 §3.1.5: times wrap around; they are compared as RFC 1982 serial numbers. */
function after(time: number, seconds: number): number {
  return (time - seconds) | 0;
}

function isCurrent({ inception, expiration }: Signature, seconds: number): boolean {
  return after(inception, seconds) <= 0 && after(expiration, seconds) >= 0;
}

/** Expired ones say since when: since the last of them ended. */
function outOfTime(signatures: readonly Signature[], seconds: number): SignatureCheck {
  const expired = signatures.map(({ expiration }) => after(expiration, seconds));
  if (expired.every((left) => left < 0)) {
    return invalid("signature_expired", new Date((seconds + Math.max(...expired)) * 1_000));
  }
  const early = signatures.map(({ inception }) => after(inception, seconds));
  const soonest = Math.min(...early.filter((wait) => wait > 0));
  return invalid("signature_early", new Date((seconds + soonest) * 1_000));
}
