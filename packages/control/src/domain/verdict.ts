import type { RecordCheck, RecordsCheck, ServerCheck, TxtProof } from "@mooring/dns";
import { isProxyAddress } from "@mooring/dns";
import type { ConnectionError, ObservedRecord } from "./connection.ts";
import type { OwnershipSeen, RecordsSeen } from "./observation.ts";

/** DNS facts → what they mean for a connection. */
export function ownershipVerdict(proof: TxtProof): OwnershipSeen {
  switch (proof.outcome) {
    case "match":
      return { outcome: "match", error: null };
    case "partial":
      return { outcome: "partial", error: null };
    case "mismatch":
      return { outcome: "mismatch", error: "txt_mismatch" };
    case "absent":
      return {
        outcome: "absent",
        error: proof.reason === "not_registered" ? "not_registered" : "txt_not_found",
      };
    case "unknown":
      return { outcome: "unknown", error: unknownError(proof.reason) };
  }
}

function unknownError(reason: TxtProof["reason"]): ConnectionError {
  return reason === "dns_servfail" || reason === "dnssec_bogus" ? reason : "dns_timeout";
}

/**
 * All records seen everywhere is a match; one that is definitely something else is `wrong`; anything
 * short of that is `unknown`. The error is the one that hinders most.
 */
export function recordsVerdict(check: RecordsCheck, now: Date): RecordsSeen {
  const observed = check.records.flatMap((one) => observedOf(one, now));
  const errors = check.records.map(recordError).filter((error) => error !== null);
  const definite = severity.find((error) => errors.includes(error));
  if (definite) return { outcome: "wrong", error: definite, observed };
  const isUnknown = check.records.some((one) => one.outcome === "unknown");
  if (isUnknown) return { outcome: "unknown", error: dnsFailure(check.records), observed };
  return { outcome: "match", error: null, observed };
}

const severity = [
  "proxied",
  "record_conflict",
  "record_mismatch",
  "record_missing",
] as const satisfies readonly ConnectionError[];

function recordError(check: RecordCheck): (typeof severity)[number] | null {
  const isAddressLike = ["A", "AAAA", "CNAME", "ALIAS"].includes(check.record.type);
  const isWrong = check.outcome === "conflict" || check.outcome === "mismatch";
  if (isWrong && isAddressLike && check.observedValues.some(isProxyAddress)) return "proxied";
  if (check.outcome === "conflict") return "record_conflict";
  if (check.outcome === "mismatch") return "record_mismatch";
  return check.outcome === "absent" ? "record_missing" : null;
}

function dnsFailure(records: readonly RecordCheck[]): ConnectionError {
  const servers: readonly ServerCheck[] = records.flatMap((record) => record.servers);
  const reasons = servers.map((server) => server.reason);
  if (reasons.includes("bogus")) return "dnssec_bogus";
  return reasons.some(
    (reason) => reason === "servfail" || reason === "refused" || reason === "lame",
  )
    ? "dns_servfail"
    : "dns_timeout";
}

/** One entry for each value that stands where a record is wanted. */
function observedOf(check: RecordCheck, now: Date): ObservedRecord[] {
  const { name, type, value, ttl, priority } = check.record;
  const entry = { host: name, type, ttl, priority, observed_at: now.toISOString() };
  if (check.outcome === "match") return [{ ...entry, value, propagated: true }];
  return check.observedValues.map((seen) => ({ ...entry, value: seen, propagated: false }));
}
