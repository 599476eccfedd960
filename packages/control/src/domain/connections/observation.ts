import {
  type DnsRecord,
  type DnssecVerdict,
  isProxyAddress,
  type RecordCheck,
  type RecordProof,
  type RecordsCheck,
  type ServerCheck,
} from "@mooring/dns";
import type { Certificate } from "../certificates/certificate.ts";
import type { OwnershipMethod } from "../ownership/proof-methods.ts";
import type { OwnershipProof } from "../ownership/proofs.ts";
import { toObserved } from "../records/observed-records.ts";
import type { Connection, ConnectionError, DesiredRecord, ObservedRecord } from "./connection.ts";
import type { CutoverObservation } from "./cutover.ts";
import { type FrontSight, isBehindCdn } from "./front.ts";

/**
 * What one check of a connection saw. A fact that was not checked is null; one that could not be
 * determined is `unknown`, which delays the next state and never causes it.
 */
export interface Observation {
  readonly ownership: OwnershipObservation | null;
  /**
   * The ownership record of the connection that holds the hostname, while this one has not proven
   * or contests it.
   */
  readonly rival: RivalObservation | null;
  /** The records that were compared; null when they could not be derived. */
  readonly requested: RequestedRecords | null;
  readonly records: RecordsObservation | null;
  /** Only while other records are pending. */
  readonly moving: MovingObservation | null;
  readonly caa: "allowed" | "forbidden" | "unknown" | null;
  readonly certificate: Certificate | null;
  /** Only with an external edge; `certificate` is then derived from it. */
  readonly probe: Probe | null;
  readonly write: WriteResult | null;
  /** Whether a stored credential or a customer's consent can write the zone. */
  readonly credential: CredentialAvailability | null;
  /** Servers that did not answer for the ownership record. */
  readonly silence: SilenceObservation | null;
  /**
   * Whether the CNAME for validation points to us; null when that is not known, or there is none.
   */
  readonly validation: "absent" | "right" | "wrong" | null;
  /** Only of a cut-over that is not done. */
  readonly cutover: CutoverObservation | null;
  /** What stands in front of the name; null when that is not known. */
  readonly front: FrontSight | null;
}

export interface SilenceObservation {
  /** Since when each server has been silent, as host to time. */
  readonly since: Readonly<Record<string, string>>;
  /** The servers without which ownership was decided. */
  readonly passedOver: readonly string[];
}

export interface OwnershipObservation {
  readonly outcome: "match" | "partial" | "mismatch" | "absent" | "unknown";
  readonly error: ConnectionError | null;
  /** What proves; absent where nothing does. */
  readonly method?: OwnershipMethod;
  /** The value of the record that proves; absent where no record does. */
  readonly value?: string;
  /**
   * An operator takes DNS that resolves to us as proof, without the record; never against another
   * holder.
   */
  readonly isByDns?: boolean;
}

export interface RivalObservation extends Pick<OwnershipObservation, "outcome"> {
  readonly holderId: string;
  /** It has drifted and has its own record, and its other records are right again. */
  readonly isRestored: boolean;
}

export interface RecordsObservation {
  readonly outcome: "match" | "wrong" | "unknown";
  readonly error: ConnectionError | null;
  readonly observed: readonly ObservedRecord[];
  /** Until when caches may give the wrong answer that was seen; null when there was none. */
  readonly cachedUntil: Date | null;
}

/** What a check compares with DNS: the records to publish, and those that are to replace them. */
export interface RequestedRecords {
  readonly zone: string | null;
  readonly desired: readonly DesiredRecord[];
  /** Null while the desired records are the current ones. */
  readonly pending: readonly DesiredRecord[] | null;
}

/** A confirmed connection whose records are to change. */
export interface MovingObservation {
  /** The new records in DNS. */
  readonly records: RecordsObservation;
  /** Whether what DNS has now resolves to an edge, present or past; null when that is unknown. */
  readonly resolvesToEdge: boolean | null;
}

/** The result of one attempt to write the records at the provider. */
export type WriteResult =
  | { readonly outcome: "written" }
  /** Permanent: a retry would be refused too. */
  | { readonly outcome: "refused"; readonly error: ConnectionError }
  /** Temporary: the provider is unavailable or rate-limits; without an error the zone is busy. */
  | LaterWrite;

interface LaterWrite {
  readonly outcome: "later";
  readonly error: ConnectionError | null;
  readonly retryAfterMs: number;
}

/**
 * `refused`: the provider refused every stored credential that is meant for the zone. `elsewhere`:
 * the hostname is not delegated to the zone that a credential sees.
 */
export type CredentialAvailability = "usable" | "refused" | "elsewhere" | "none";

export const emptyObservation: Observation = {
  ownership: null,
  rival: null,
  requested: null,
  records: null,
  moving: null,
  caa: null,
  certificate: null,
  probe: null,
  write: null,
  credential: null,
  silence: null,
  validation: null,
  cutover: null,
  front: null,
};

/** Who holds the hostname's claim, read under the hostname's lock. */
export type ClaimState = "free" | "own" | "held" | "drifted";

/** What the servers' answers mean for the ownership of the hostname. */
export function ownershipVerdict(proof: OwnershipProof): OwnershipObservation {
  const [absent, other] =
    proof.method === "txt"
      ? (["txt_not_found", "txt_mismatch"] as const)
      : (["record_missing", "record_mismatch"] as const);
  switch (proof.outcome) {
    case "match":
      return {
        outcome: "match",
        error: null,
        method: proof.method,
        value: proof.record.value,
      };
    case "partial":
      return { outcome: "partial", error: null };
    case "mismatch":
      return { outcome: "mismatch", error: other };
    case "absent":
      return {
        outcome: "absent",
        error: proof.reason === "not_registered" ? "not_registered" : absent,
      };
    case "unknown":
      return { outcome: "unknown", error: unknownError(proof.reason) };
  }
}

/** Null when the servers were not asked: what is known of their silence stays. */
export function silenceObservation(proof: RecordProof): SilenceObservation | null {
  if (proof.silentSince === undefined) return null;
  const since = [...proof.silentSince].map(([server, at]) => [server, at.toISOString()]);
  return { since: Object.fromEntries(since), passedOver: proof.passedOver ?? [] };
}

function unknownError(reason: RecordProof["reason"]): ConnectionError {
  return reason === "dns_servfail" || reason === "dnssec_bogus" ? reason : "dns_timeout";
}

/**
 * `match` when every server has every record that decides, `wrong` when one definitely differs,
 * `unknown` otherwise. The error is the most severe one. Records that match in a zone whose answers
 * are not authentic are `unknown`: a CA and many visitors see none of them.
 */
export function recordsVerdict(
  check: RecordsCheck,
  now: Date,
  dnssec: DnssecVerdict | null = null,
  isDecisive: (record: DnsRecord) => boolean = () => true,
): RecordsObservation {
  const observed = toObserved(check.records, now);
  const judged = check.records.filter(({ record }) => isDecisive(record));
  const errors = judged.map(recordError).filter((error) => error !== null);
  const definite = severity.find((error) => errors.includes(error));
  if (definite) {
    return { outcome: "wrong", error: definite, observed, cachedUntil: check.visibleEverywhereBy };
  }
  if (dnssec?.outcome === "bogus") {
    return { outcome: "unknown", error: "dnssec_bogus", observed, cachedUntil: null };
  }
  const isUnknown = judged.some((one) => one.outcome === "unknown");
  if (isUnknown) {
    return { outcome: "unknown", error: dnsFailure(judged), observed, cachedUntil: null };
  }
  return { outcome: "match", error: null, observed, cachedUntil: null };
}

/** Records that a CDN in front of the name stands for: it shows its own addresses instead. */
export function isTraffic(
  hostname: string,
  { name, type }: { readonly name: string; readonly type: string },
): boolean {
  return name === hostname && ["A", "AAAA", "CNAME", "ALIAS"].includes(type);
}

/**
 * The verdict where a CDN may stand in front of the name and names behind one are accepted. What
 * DNS shows of the name then matters only with what the probe saw.
 */
export function behindFront(
  connection: Pick<Connection, "front">,
  sight: FrontSight | null,
  verdict: RecordsObservation,
): RecordsObservation {
  if (verdict.outcome !== "wrong") return verdict;
  const isCertain = sight !== null && (sight.is === "absent" || sight.outcome === "other");
  if (isBehindCdn(connection) && !isCertain) {
    return { ...verdict, outcome: "unknown", error: null, cachedUntil: null };
  }
  return verdict.error === "proxied" ? { ...verdict, error: "record_mismatch" } : verdict;
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

/** The result of a TLS connection to the hostname's addresses. */
export type Probe =
  | { readonly outcome: "valid"; readonly certificate: ProbedCertificate }
  /** A server answers, without a certificate that a browser would accept for this name. */
  | { readonly outcome: "invalid"; readonly reason: string }
  /** No server was reached; says nothing about certificates. */
  | { readonly outcome: "unknown" };

interface ProbedCertificate {
  readonly ca: string;
  readonly notBefore: Date;
  readonly notAfter: Date;
  /** Stable for one certificate; a renewal has another. */
  readonly issueId: string;
}

/** The certificate as the lifecycle sees it with an external edge: derived from the probe. */
export function probedCertificate(
  probe: Probe,
  connection: Pick<Connection, "state">,
  stored: Certificate | null,
): Certificate | null {
  const epoch = stored?.epoch ?? 0;
  if (probe.outcome === "valid") {
    const { ca, notAfter, issueId } = probe.certificate;
    return { status: "issued", ca, notAfter, issueId, errorCode: null, nextAttemptAt: null, epoch };
  }
  // An issued certificate is not revoked by a failed probe: visitors may reach the edge another
  // way.
  if (probe.outcome === "unknown" || connection.state !== "issuing_cert") return stored;
  const nothing = { ca: null, notAfter: null, issueId: null, nextAttemptAt: null };
  return { status: "failed", ...nothing, errorCode: "certificate_failed", epoch };
}
