import { splitLabels } from "../wire/wire-records.ts";
import type { Denial } from "./denial.ts";
import {
  ancestorWith,
  codes,
  compareNames,
  isWithin,
  type RecordSet,
  readPlainName,
} from "./record-sets.ts";
import { readTypes } from "./type-bitmap.ts";

interface Nsec {
  readonly owner: string;
  readonly next: string;
  readonly types: ReadonlySet<number>;
}

/**
 * RFC 4034 §4: each record names the next one in canonical order; what is between does not exist.
 */
export function nsecDenial(sets: readonly RecordSet[]): Denial {
  const nsecs = sets.flatMap(readNsec);
  const covering = (name: string) => nsecs.find((nsec) => spans(nsec, name)) ?? null;
  return {
    typesAt(name) {
      const own = nsecs.find(({ owner }) => owner === name);
      if (own !== undefined) return own.types;
      // An empty non-terminal has no record; the gap that it is in ends below it.
      const gap = covering(name);
      return gap !== null && isBelow(gap.next, name) ? new Set() : null;
    },
    covers(name) {
      const gap = covering(name);
      return gap === null || isBelow(gap.next, name) ? null : "covered";
    },
    closestEncloser(name) {
      const gap = covering(name);
      if (gap === null) return null;
      const shared = Math.max(sharedLabels(name, gap.owner), sharedLabels(name, gap.next));
      return ancestorWith(name, shared);
    },
  };
}

function readNsec({ name, data }: RecordSet): Nsec[] {
  // RFC 4034 §4: at most one per name.
  const [only, ...others] = data;
  if (only === undefined || others.length > 0) return [];
  const next = readPlainName(only, 0);
  const types = next === null ? null : readTypes(only.subarray(next.end));
  return next === null || types === null ? [] : [{ owner: name, next: next.name, types }];
}

/**
 * Whether the name is strictly between owner and next; the last record leads back to the apex. RFC
 * 6840 §4.1: a record at a delegation or a DNAME says nothing about the names below it.
 */
function spans({ owner, next, types }: Nsec, name: string): boolean {
  const isCut = types.has(codes.NS) && !types.has(codes.SOA);
  if ((isCut || types.has(codes.DNAME)) && isBelow(name, owner)) return false;
  const isLast = compareNames(next, owner) <= 0;
  const isAfter = compareNames(name, owner) > 0;
  return isAfter && (isLast ? isBelow(name, next) : compareNames(name, next) < 0);
}

function isBelow(name: string, ancestor: string): boolean {
  return name !== ancestor && isWithin(name, ancestor);
}

function sharedLabels(first: string, second: string): number {
  const [one, other] = [splitLabels(first).toReversed(), splitLabels(second).toReversed()];
  const differs = one.findIndex((label, index) => label !== other[index]);
  return differs === -1 ? one.length : differs;
}
