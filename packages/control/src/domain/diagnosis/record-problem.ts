import { type DnsRecord, isProxyAddress, type RecordCheck } from "@mooring/dns";
import type { DiagnosisFacts } from "./facts.ts";
import { placeOf } from "./place.ts";

/** The one thing that is the matter with the wanted records of a name. */
export type RecordProblemKind =
  | "unanswered"
  | "loop"
  | "disagree"
  | "proxied"
  | "flattened"
  | "leftover"
  | "target_doubled"
  | "doubled_name"
  | "private"
  | "mismatch"
  | "missing";

export interface RecordProblem {
  readonly kind: RecordProblemKind;
  readonly name: string;
  readonly checks: readonly RecordCheck[];
}

/** Records of one name with the same problem are one problem: A and AAAA are mended together. */
export function recordProblems(facts: DiagnosisFacts): readonly RecordProblem[] {
  // Nothing can be said of records where there are no servers to ask; the delegation's rules speak.
  if (facts.dns.zone !== null && facts.dns.zone.outcome !== "found") return [];
  const grouped = new Map<string, RecordProblem>();
  for (const check of facts.dns.records?.records ?? []) {
    const kind = kindOf(facts, check);
    if (kind === null) continue;
    const { name } = check.record;
    const key = `${kind} ${name}`;
    const before = grouped.get(key)?.checks ?? [];
    grouped.set(key, { kind, name, checks: [...before, check] });
  }
  return [...grouped.values()];
}

function kindOf(facts: DiagnosisFacts, check: RecordCheck): RecordProblemKind | null {
  const outcomes = new Set(check.servers.map(({ outcome }) => outcome));
  if (isCircle(facts, check)) return "loop";
  switch (check.outcome) {
    case "match":
      return null;
    case "unknown":
      return "unanswered";
    case "absent":
      if (outcomes.has("match")) return "disagree";
      return isStray(facts, check.record) ? "doubled_name" : "missing";
    case "conflict":
    case "mismatch":
      return outcomes.has("match") ? "disagree" : wrongKind(facts, check);
  }
}

function isCircle({ dns }: DiagnosisFacts, { record, servers }: RecordCheck): boolean {
  return dns.circles.includes(record.name) || servers.some(({ reason }) => reason === "cname_loop");
}

function isStray({ dns }: DiagnosisFacts, record: DnsRecord): boolean {
  return dns.strayRecords.some(({ wanted }) => wanted === record.name);
}

function wrongKind(facts: DiagnosisFacts, check: RecordCheck): RecordProblemKind {
  const { record, observedValues } = check;
  // Of other types a name may have many; values of others do not stand in the way.
  if (!isAddressLike(record.type)) return record.type === "MX" ? "mismatch" : "missing";
  const foreign = foreignValues(facts, record.name, observedValues);
  if (foreign.some(isProxyAddress)) return "proxied";
  const isFollower = record.type === "CNAME" || record.type === "ALIAS";
  if (isFollower && foreign.length === 0) return "flattened";
  if (check.outcome === "conflict") return "leftover";
  if (foreign.includes(`${record.value}.${placeOf(facts).zone}`)) return "target_doubled";
  return foreign.some(isPrivateAddress) ? "private" : "mismatch";
}

export function isAddressLike(type: string): boolean {
  return type === "A" || type === "AAAA" || type === "CNAME" || type === "ALIAS";
}

/** What stands at the name and is neither wanted there nor the edge's. */
export function foreignValues(
  facts: DiagnosisFacts,
  name: string,
  values: readonly string[],
): readonly string[] {
  const ours = facts.connection.desiredRecords.filter(({ host }) => host === name);
  return values.filter(
    (value) => !facts.edge.addresses.has(value) && !ours.some((record) => record.value === value),
  );
}

const privateRanges: readonly RegExp[] = [
  // RFC 1918, RFC 6598, RFC 1122 §3.2.1.3, RFC 3927.
  /^(?:10|127|0)\.|^192\.168\.|^172\.(?:1[6-9]|2\d|3[01])\.|^169\.254\./,
  /^100\.(?:6[4-9]|[7-9]\d|1[01]\d|12[0-7])\./,
  // RFC 4291 §2.5.2, §2.5.3, §2.5.6; RFC 4193.
  /^::1?$|^f[cd][0-9a-f]{2}:|^fe[89ab][0-9a-f]:/,
];

/** For canonical addresses; anything else is none. */
export function isPrivateAddress(value: string): boolean {
  return /^[0-9.]+$|:/.test(value) && privateRanges.some((range) => range.test(value));
}
