import type { StoredEdgeSettings } from "../applications/application.ts";
import { formatTime } from "../format-time.ts";
import type { Ownership } from "../ownership/proof-methods.ts";
import type { Environment } from "../tenancy.ts";
import { type Cutover, cutoverSnapshot } from "./cutover.ts";
import type { Front } from "./front.ts";

/**
 * The states of a connection between a customer's hostname and the tenant's product. The comment
 * says who has to act.
 */
export const connectionStates = [
  "created", // the service, within one transaction
  "pending_ownership", // the customer: publish the TXT record
  "verifying", // the DNS provider: some servers have the record, not all
  "verified", // the service: write the records or wait for them; over its quota the tenant
  "dns_writing", // the service: write the records with the delegated credential
  "propagating", // the customer or DNS: the records are not on all servers yet
  "stalled", // the same, for longer than is usual
  "issuing_cert", // the edge: obtain the certificate
  "live", // no one
  "drifted", // the customer: the records changed
  "failed", // the tenant: verify again, or archive
  "archived", // no one: final
] as const;
export type ConnectionState = (typeof connectionStates)[number];

export const setupTypes = [
  "automatic",
  "manual",
  "semiautomatic",
  "shared_login",
  "async",
  "api",
] as const;
export type SetupType = (typeof setupTypes)[number];

/** What is wrong, for a program to branch on; null when nothing is known to be. */
export const connectionErrors = [
  "txt_not_found",
  "txt_mismatch",
  "hostname_conflict",
  "ownership_timeout",
  "dns_timeout",
  "dns_servfail",
  "dnssec_bogus",
  "not_registered",
  "record_missing",
  "record_mismatch",
  "record_conflict",
  "proxied",
  "provider_auth",
  "provider_rate_limited",
  "provider_unavailable",
  "provider_unsupported",
  "provider_not_delegated",
  "propagation_timeout",
  "caa_forbidden",
  "ca_rate_limited",
  "ca_unavailable",
  "certificate_failed",
  "certificate_timeout",
  "certificate_at_risk",
  "certificate_expired",
  "origin_unreachable",
  "records_changed",
  "check_failed",
  "quota_exceeded",
] as const;
export type ConnectionError = (typeof connectionErrors)[number];

/** A desired record in the API's format: `host` is absolute, without a trailing dot. */
export interface DesiredRecord {
  readonly host: string;
  readonly type: string;
  readonly value: string;
  readonly ttl: number;
  readonly priority: number | null;
}

export interface ObservedRecord extends DesiredRecord {
  readonly propagated: boolean;
  /** ISO 8601; text because it is in a JSON column. */
  readonly observed_at: string;
  /**
   * On the first entry of a name and type when more was there: the values not listed; 0 when one
   * was cut.
   */
  readonly omitted?: number;
}

/**
 * Somebody else has proven ownership of a hostname that is held: prover and holder see the same.
 */
export interface Contest {
  readonly since: Date;
  /** When the hostname passes to the prover, unless the holder has proven it again by then. */
  readonly deadline: Date;
}

export interface Connection {
  readonly id: string;
  readonly tenantId: string;
  readonly environment: Environment;
  readonly applicationId: string;
  readonly hostname: string;
  readonly registrableDomain: string;
  readonly kind: "apex" | "subdomain";
  readonly setupType: SetupType;
  readonly state: ConnectionState;
  readonly provider: string | null;
  readonly batchId: string | null;
  readonly errorCode: ConnectionError | null;
  /** The value to publish at `_service-challenge.<hostname>`. */
  readonly challenge: string;
  readonly mayUseCredentials: boolean;
  /** The zone that holds the hostname; null until it was found. */
  readonly zone: string | null;
  /** The records to publish; once they were seen in DNS, those that were seen. */
  readonly desiredRecords: readonly DesiredRecord[];
  /**
   * The records that replace the desired ones of a confirmed connection; null when nothing changed.
   */
  readonly pendingRecords: readonly DesiredRecord[] | null;
  readonly observedRecords: readonly ObservedRecord[];
  readonly phaseStartedAt: Date;
  readonly checks: number;
  readonly misses: number;
  readonly firstMissAt: Date | null;
  /** Of a holder the contests against it, with the earliest deadline. */
  readonly contest: Contest | null;
  /** The hostname of another connection of the application, which visitors are sent to. */
  readonly redirectTo: string | null;
  /** Null: as the application has it. */
  readonly originUrl: string | null;
  readonly originHostHeader: "preserve" | "origin" | null;
  /** Rules of its own at the edge, in the shape of the application's; null without one. */
  readonly edge: StoredEdgeSettings | null;
  /** The tenant's own id of the customer whose it is; null when it did not say. */
  readonly customerRef: string | null;
  /**
   * The first label of the validation name; null until one is given, where validation is delegated.
   */
  readonly validationLabel: string | null;
  /** Whether the customer's CNAME points to the validation name; null before the first check. */
  readonly validationStatus: "absent" | "right" | "wrong" | null;
  /** The first label of the target; null where connections share the edge's name. */
  readonly targetLabel: string | null;
  /** Whether its records name the target, and not the name that all connections share. */
  readonly pointsToTarget: boolean;
  /** How ownership was last proven; null until then. */
  readonly ownership: Ownership | null;
  /** Null for a name that was not in use when it was connected. */
  readonly cutover: Cutover | null;
  /** What stands in front of a name that does not resolve to an edge. */
  readonly front: Front | null;
  readonly firstLiveAt: Date | null;
  readonly lastCheckedAt: Date | null;
  /** The last certificate that an event was emitted for. */
  readonly certificateId: string | null;
  readonly sequence: number;
  readonly version: number;
  readonly createdAt: Date;
  readonly archivedAt: Date | null;
}

/** The fields of a connection that every reader of it may see. */
export type VisibleConnection = Pick<
  Connection,
  | "id"
  | "applicationId"
  | "environment"
  | "hostname"
  | "kind"
  | "setupType"
  | "state"
  | "provider"
  | "batchId"
  | "errorCode"
  | "contest"
  | "redirectTo"
  | "originUrl"
  | "originHostHeader"
  | "customerRef"
  | "cutover"
  | "createdAt"
>;

/** The connection as the API and events show it. */
export function connectionSnapshot(connection: VisibleConnection) {
  return {
    id: connection.id,
    application_id: connection.applicationId,
    hostname: connection.hostname,
    kind: connection.kind,
    setup_type: connection.setupType,
    state: connection.state,
    provider: connection.provider,
    batch_id: connection.batchId,
    error_code: connection.errorCode,
    wildcard: connection.hostname.startsWith("*."),
    contest: contestSnapshot(connection.contest),
    redirect_to: connection.redirectTo,
    origin_url: connection.originUrl,
    origin_host_header: connection.originHostHeader,
    customer_ref: connection.customerRef,
    cutover: cutoverSnapshot(connection.cutover),
    created_at: formatTime(connection.createdAt),
  };
}

/** The contest as the API and events show it. */
export function contestSnapshot(contest: Contest | null) {
  if (contest === null) return null;
  return { since: contest.since.toISOString(), deadline: contest.deadline.toISOString() };
}

/** At most one connection has claimed a hostname, and only in these states. */
const claiming: ReadonlySet<ConnectionState> = new Set([
  "verified",
  "dns_writing",
  "propagating",
  "stalled",
  "issuing_cert",
  "live",
  "drifted",
]);

export function holdsClaim(state: ConnectionState): boolean {
  return claiming.has(state);
}

export type Phase = "ownership" | "propagation" | "certificate";

/** The phase whose timeout runs in a state; `verified` belongs to the phase that follows it. */
export function connectionPhase(state: ConnectionState): Phase | null {
  switch (state) {
    case "created":
    case "pending_ownership":
    case "verifying":
      return "ownership";
    case "verified":
    case "dns_writing":
    case "propagating":
    case "stalled":
      return "propagation";
    case "issuing_cert":
      return "certificate";
    case "live":
    case "drifted":
    case "failed":
    case "archived":
      return null;
  }
}

/** What every connection begins with. */
export const untouched = {
  state: "pending_ownership",
  batchId: null,
  errorCode: null,
  pendingRecords: null,
  observedRecords: [],
  checks: 0,
  misses: 0,
  firstMissAt: null,
  contest: null,
  redirectTo: null,
  originUrl: null,
  originHostHeader: null,
  edge: null,
  validationStatus: null,
  front: null,
  firstLiveAt: null,
  lastCheckedAt: null,
  certificateId: null,
  sequence: 1,
  version: 0,
  archivedAt: null,
} as const;
