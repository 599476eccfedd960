import { createHash } from "node:crypto";
import { encodeName, splitLabels } from "../wire/wire-records.ts";
import type { Denial } from "./denial.ts";
import { ancestorWith, codes, type RecordSet } from "./record-sets.ts";
import { readTypes } from "./type-bitmap.ts";
import { spend, type Work } from "./verdict.ts";

interface Nsec3 {
  readonly hash: Buffer;
  readonly next: Buffer;
  readonly types: ReadonlySet<number>;
  readonly isOptOut: boolean;
  readonly iterations: number;
  readonly salt: Buffer;
}

const sha1 = 1;
const optOutFlag = 1;
const hashBytes = 20;
/** RFC 9276 §3.2: more are treated as unsigned; the recommended number is zero. */
const maxIterations = 50;
const maxSaltBytes = 64;

/** RFC 5155: as NSEC, over hashes of the names. */
export function nsec3Denial(
  sets: readonly RecordSet[],
  zone: string,
  work: Work,
): Denial | "unusable" {
  const all = sets.flatMap((set) => readNsec3(set, zone));
  const [first] = all;
  if (first === undefined) return nothing;
  if (first.iterations > maxIterations || first.salt.length > maxSaltBytes) return "unusable";
  // RFC 5155 §8.2: all records of an answer have the same parameters.
  const isUniform = all.every(
    ({ iterations, salt }) => iterations === first.iterations && salt.equals(first.salt),
  );
  if (!isUniform) return nothing;
  const known = new Map<string, Buffer | null>();
  const hashFor = (name: string) => {
    const hash = known.has(name) ? known.get(name) : hashName(name, first, work);
    known.set(name, hash ?? null);
    return hash ?? null;
  };
  return denialOver(all, hashFor, zone);
}

const nothing: Denial = {
  typesAt: () => null,
  covers: () => null,
  closestEncloser: () => null,
};

function denialOver(
  all: readonly Nsec3[],
  hashFor: (name: string) => Buffer | null,
  zone: string,
): Denial {
  const matching = (name: string) => {
    const requested = hashFor(name);
    return requested === null ? null : (all.find(({ hash }) => hash.equals(requested)) ?? null);
  };
  const covers: Denial["covers"] = (name) => {
    const requested = hashFor(name);
    const gap = requested === null ? undefined : all.find((record) => spans(record, requested));
    if (gap === undefined) return null;
    return gap.isOptOut ? "opt_out" : "covered";
  };
  return {
    typesAt: (name) => matching(name)?.types ?? null,
    covers,
    closestEncloser(name) {
      const least = splitLabels(zone).length;
      for (let count = splitLabels(name).length - 1; count >= least; count -= 1) {
        const ancestor = ancestorWith(name, count);
        const found = matching(ancestor);
        if (found === null) continue;
        // RFC 5155 §8.3: a delegation or a DNAME there says nothing about the names below it.
        const isCut = found.types.has(codes.NS) && !found.types.has(codes.SOA);
        return isCut || found.types.has(codes.DNAME) ? null : ancestor;
      }
      return null;
    },
  };
}

/** Ordered by hash; the last record leads back to the first. */
function spans({ hash, next }: Nsec3, requested: Buffer): boolean {
  const isAfter = Buffer.compare(requested, hash) > 0;
  const isBefore = Buffer.compare(requested, next) < 0;
  return Buffer.compare(next, hash) > 0 ? isAfter && isBefore : isAfter || isBefore;
}

/** RFC 5155 §5; null when the work of this check is used up. */
function hashName(name: string, { iterations, salt }: Nsec3, work: Work): Buffer | null {
  if (!spend(work, "hashes")) return null;
  let hash = encodeName(name);
  for (let round = 0; round <= iterations; round += 1) {
    hash = createHash("sha1").update(hash).update(salt).digest();
  }
  return hash;
}

/** Records of another hash algorithm, or with unknown flags, are ignored (RFC 5155 §8.1, §8.2). */
function readNsec3({ name, data }: RecordSet, zone: string): Nsec3[] {
  const labels = splitLabels(name);
  const isOfZone =
    labels.length === splitLabels(zone).length + 1 && name.endsWith(zoneSuffix(zone));
  const hash = fromBase32Hex(labels[0] ?? "");
  const [only, ...others] = data;
  if (only === undefined || others.length > 0 || !isOfZone || hash === null) return [];
  const saltBytes = only[4] ?? 0;
  const hashAt = 5 + saltBytes;
  const next = only.subarray(hashAt + 1, hashAt + 1 + hashBytes);
  const types = readTypes(only.subarray(hashAt + 1 + hashBytes));
  const isKnown = only[0] === sha1 && ((only[1] ?? 0xff) & ~optOutFlag) === 0;
  if (!isKnown || only[hashAt] !== hashBytes || next.length !== hashBytes || types === null) {
    return [];
  }
  const isOptOut = (only.readUInt8(1) & optOutFlag) !== 0;
  const iterations = only.readUInt16BE(2);
  return [{ hash, next, types, isOptOut, iterations, salt: only.subarray(5, hashAt) }];
}

function zoneSuffix(zone: string): string {
  return zone === "." ? "" : `.${zone}`;
}

const alphabet = "0123456789abcdefghijklmnopqrstuv";

/** RFC 4648 §7, without padding: 32 digits for the 20 octets of a hash. */
function fromBase32Hex(text: string): Buffer | null {
  if (!/^[0-9a-v]{32}$/.test(text)) return null;
  let value = 0n;
  for (const digit of text) value = (value << 5n) | BigInt(alphabet.indexOf(digit));
  return Buffer.from(value.toString(16).padStart(hashBytes * 2, "0"), "hex");
}
