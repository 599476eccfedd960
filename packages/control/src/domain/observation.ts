import {
  isProxyAddress,
  type RecordCheck,
  type RecordsCheck,
  type ServerCheck,
  type TxtProof,
} from "@mooring/dns";
import type { Certificate } from "./certificate.ts";
import type { Connection, ConnectionError, ObservedRecord } from "./connection.ts";

/**
 * What was seen in one look at a connection. A fact that was not asked for is null; one that could
 * not be had is `unknown`, which delays and never moves a state.
 */
export interface Observation {
  readonly ownership: OwnershipObservation | null;
  readonly records: RecordsObservation | null;
  readonly caa: "allowed" | "forbidden" | "unknown" | null;
  readonly certificate: Certificate | null;
  /** Only where the edge is not ours; `certificate` then says what follows from it. */
  readonly probe: Probe | null;
  readonly write: WriteResult | null;
  /** Whether a stored credential may be used and sees the zone. */
  readonly credential: "usable" | "none" | null;
}

export interface OwnershipObservation {
  readonly outcome: "match" | "partial" | "mismatch" | "absent" | "unknown";
  readonly error: ConnectionError | null;
}

export interface RecordsObservation {
  readonly outcome: "match" | "wrong" | "unknown";
  readonly error: ConnectionError | null;
  readonly observed: readonly ObservedRecord[];
}

/** The end of one attempt to write the records through a credential. */
export type WriteResult =
  | { readonly outcome: "written" }
  /** For good: retrying the same would be refused the same. */
  | { readonly outcome: "refused"; readonly error: ConnectionError }
  /** For now: the provider is away or asks to wait. */
  | { readonly outcome: "later"; readonly error: ConnectionError; readonly retryAfterMs: number };

export const emptyObservation: Observation = {
  ownership: null,
  records: null,
  caa: null,
  certificate: null,
  probe: null,
  write: null,
  credential: null,
};

/** Who holds the hostname's claim, read under the hostname's lock. */
export type ClaimState = "free" | "own" | "held" | "drifted";

/** DNS facts → what they mean for a connection. */
export function ownershipVerdict(proof: TxtProof): OwnershipObservation {
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
export function recordsVerdict(check: RecordsCheck, now: Date): RecordsObservation {
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

/** What a TLS connection to a hostname's own addresses showed. */
export type Probe =
  | { readonly outcome: "valid"; readonly certificate: ProbedCertificate }
  /** Somebody answers there, without a certificate that a browser would take for this name. */
  | { readonly outcome: "invalid"; readonly reason: string }
  /** Nobody could be reached: says nothing about certificates. */
  | { readonly outcome: "unknown" };

export interface ProbedCertificate {
  readonly ca: string;
  readonly notBefore: Date;
  readonly notAfter: Date;
  /** The same for the same certificate, another for its renewal. */
  readonly issueId: string;
}

/** The certificate as the lifecycle sees it, where the edge is not ours and has no row of its own. */
export function probedCertificate(
  probe: Probe,
  connection: Pick<Connection, "state">,
  stored: Certificate | null,
): Certificate | null {
  const epoch = stored?.epoch ?? 0;
  if (probe.outcome === "valid") {
    const { ca, notAfter, issueId } = probe.certificate;
    return { status: "issued", ca, notAfter, issueId, errorCode: null, epoch };
  }
  // What was good once is not undone by a look from here: visitors may see something else.
  if (probe.outcome === "unknown" || connection.state !== "issuing_cert") return stored;
  const nothing = { ca: null, notAfter: null, issueId: null };
  return { status: "failed", ...nothing, errorCode: "certificate_failed", epoch };
}
