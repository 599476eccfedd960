import type { Environment } from "./tenancy.ts";

/**
 * A customer's hostname on its way to the tenant's product. Each state says whose move it is.
 */
export const connectionStates = [
  "created", // ours, for the length of a transaction
  "pending_ownership", // the customer's: publish the TXT record
  "verifying", // the DNS provider's: some servers have the record, not all
  "verified", // ours: choose between writing records and waiting for them
  "dns_writing", // ours: write the records through the delegated credential
  "propagating", // the customer's or DNS's: the records are not yet everywhere
  "stalled", // the same, for longer than is usual
  "issuing_cert", // the edge's: obtain the certificate
  "live", // nobody's
  "drifted", // the customer's: the records changed
  "failed", // the tenant's: verify again, or archive
  "archived", // nobody's, for good
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
  "propagation_timeout",
  "caa_forbidden",
  "ca_rate_limited",
  "certificate_failed",
  "certificate_timeout",
  "origin_unreachable",
] as const;
export type ConnectionError = (typeof connectionErrors)[number];

/** A desired record in the form of the wire: `host` is absolute, without a trailing dot. */
export interface DesiredRecord {
  readonly host: string;
  readonly type: string;
  readonly value: string;
  readonly ttl: number;
  readonly priority: number | null;
}

export interface ObservedRecord extends DesiredRecord {
  readonly propagated: boolean;
  /** ISO 8601; kept as text because it lives in a JSON column. */
  readonly observed_at: string;
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
  readonly desiredRecords: readonly DesiredRecord[];
  readonly observedRecords: readonly ObservedRecord[];
  readonly phaseStartedAt: Date;
  readonly checks: number;
  readonly misses: number;
  readonly firstMissAt: Date | null;
  readonly firstLiveAt: Date | null;
  readonly lastCheckedAt: Date | null;
  /** The last certificate that was told of. */
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
    created_at: connection.createdAt.toISOString(),
  };
}

/** Exactly one connection holds a hostname, and only in these states. */
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

/** The phase whose clock runs in a state; `verified` belongs to what it leads to. */
export function phaseOf(state: ConnectionState): Phase | null {
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

export function challengeName(hostname: string): string {
  return `_service-challenge.${hostname}`;
}

export interface OwnershipChallenge {
  readonly name: string;
  readonly value: string;
}

/** The TXT record that proves ownership. */
export function ownershipChallenge(
  connection: Pick<Connection, "hostname" | "challenge">,
): OwnershipChallenge {
  return { name: challengeName(connection.hostname), value: connection.challenge };
}
