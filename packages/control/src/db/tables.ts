import type { JsonWebKey } from "node:crypto";
import type { Change, MailboxKey } from "@mooring/dns";
import type { ColumnType, Generated, JSONColumnType } from "kysely";
import type {
  Brand,
  Origin,
  OriginTls,
  StoredEdgeSettings,
  TemplateRecord,
} from "../domain/applications/application.ts";
import type {
  ConnectionError,
  ConnectionState,
  DesiredRecord,
  ObservedRecord,
  SetupType,
} from "../domain/connections/connection.ts";
import type { Cutover } from "../domain/connections/cutover.ts";
import type { Front, ProxiedChoice } from "../domain/connections/front.ts";
import type { TroubleKind, TroubleReason } from "../domain/connections/trouble.ts";
import type { FindingHeadline } from "../domain/diagnosis/finding.ts";
import type { AttemptOutcome } from "../domain/domain-connect/domain-connect.ts";
import type { OwnershipMethod, ProofMethod } from "../domain/ownership/proof-methods.ts";
import type { Role } from "../domain/people/role.ts";
import type { WritePurpose } from "../domain/records/dns-write.ts";
import type { SandboxRecord } from "../domain/sandbox/sandbox.ts";
import type { EmailRecord } from "../domain/sending/email-setup.ts";
import type { Environment, Scope } from "../domain/tenancy.ts";
import type { AnyEventType, SubscribableType } from "../domain/webhooks/event.ts";
import type {
  DeliveryAttempt,
  DeliveryStatus,
  EndpointFormat,
} from "../domain/webhooks/webhook.ts";
import type { CertificateTable } from "./certificate-table.ts";
import type { ConnectionTables } from "./connection-tables.ts";
import type { DropInTables, StoredFallbackOrigin } from "./drop-in-tables.ts";
import type { LeftBehindTables } from "./left-behind-tables.ts";
import type { PeopleTables } from "./people-tables.ts";
import type { RegistrationTables } from "./registration-tables.ts";
import type { SendingTables } from "./sending-tables.ts";

/**
 * The tables as the migrations make them. Times are always given, never defaulted by the server.
 */
type Immutable<T> = ColumnType<T, T, never>;

export interface Tables
  extends ConnectionTables,
    DomainConnectTables,
    DropInTables,
    LeftBehindTables,
    PeopleTables,
    RegistrationTables,
    SendingTables {
  applications: {
    id: Immutable<string>;
    tenant_id: Immutable<string>;
    environment: Immutable<Environment>;
    name: string;
    allowed_origins: string[];
    record_template: ColumnType<TemplateRecord[], string, string>;
    origin_url: string | null;
    origin_host_header: "preserve" | "origin";
    origins: ColumnType<Origin[], string, string>;
    origin_tls: ColumnType<Partial<OriginTls>, string, string>;
    sealed_client_key: string | null;
    edge: ColumnType<StoredEdgeSettings, string, string>;
    brand: ColumnType<Brand | null, string | null, string | null>;
    deleted_at: Generated<Date | null>;
    wildcards: Generated<boolean>;
    proxied: Generated<ProxiedChoice>;
    keep_oauth: Generated<boolean>;
    proofs: Generated<ProofMethod[]>;
    fallback_origin: ColumnType<
      StoredFallbackOrigin | null,
      string | null | undefined,
      string | null
    >;
    created_at: Immutable<Date>;
  };
  api_keys: {
    id: Immutable<string>;
    tenant_id: Immutable<string>;
    environment: Immutable<Environment>;
    application_id: Immutable<string>;
    name: Immutable<string>;
    key_hash: Immutable<Buffer>;
    last4: Immutable<string>;
    scopes: Immutable<Scope[]>;
    role: Generated<Role | null>;
    created_at: Immutable<Date>;
    created_by: Immutable<string | null>;
    created_by_name: Immutable<string | null>;
    last_used_at: Date | null;
    revoked_at: Date | null;
  };
  credentials: {
    id: Immutable<string>;
    tenant_id: Immutable<string>;
    environment: Immutable<Environment>;
    application_id: Immutable<string>;
    provider: Immutable<string>;
    name: Immutable<string>;
    zone: string | null;
    sealed: string;
    last4: Immutable<string>;
    created_at: Immutable<Date>;
    connection_ids: Generated<string[] | null>;
    refresh_at: Generated<Date | null>;
    last_used_at: Date | null;
    last_error: string | null;
    refused_at: Date | null;
    failing_since: Date | null;
    failure_reported_at: Date | null;
  };
  signing_keys: {
    id: Immutable<string>;
    purpose: Immutable<"widget" | "assertion">;
    public_jwk: ColumnType<JsonWebKey, string, never>;
    sealed: string;
    created_at: Immutable<Date>;
    retired_at: Date | null;
  };
  idempotency_keys: {
    tenant_id: Immutable<string>;
    environment: Immutable<Environment>;
    route: Immutable<string>;
    actor: Immutable<string>;
    key: Immutable<string>;
    fingerprint: Immutable<Buffer>;
    status: Immutable<number>;
    body: Immutable<string>;
    created_at: Immutable<Date>;
  };
  usage_counters: {
    tenant_id: Immutable<string>;
    environment: Immutable<Environment>;
    period: ColumnType<string, string, never>;
    kind: Immutable<UsageKind>;
    amount: number;
  };
  usage_causes: {
    tenant_id: Immutable<string>;
    environment: Immutable<Environment>;
    kind: Immutable<"connect" | "cert">;
    cause: Immutable<string>;
    at: Immutable<Date>;
  };
  subscriptions: {
    tenant_id: Immutable<string>;
    plan: string;
    status: "incomplete" | "active" | "past_due" | "canceled";
    stripe_customer: string | null;
    stripe_subscription: string | null;
    current_period_end: Date | null;
    last_event_at: Date | null;
    created_at: Immutable<Date>;
  };
  connections: {
    id: Immutable<string>;
    tenant_id: Immutable<string>;
    environment: Immutable<Environment>;
    application_id: Immutable<string>;
    hostname: Immutable<string>;
    registrable_domain: Immutable<string>;
    kind: Immutable<"apex" | "subdomain">;
    setup_type: SetupType;
    state: ConnectionState;
    provider: string | null;
    batch_id: string | null;
    error_code: ConnectionError | null;
    challenge: Immutable<string>;
    may_use_credentials: Immutable<boolean>;
    zone: string | null;
    desired_records: ColumnType<DesiredRecord[], string, string>;
    pending_records: ColumnType<DesiredRecord[] | null, string | null, string | null>;
    observed_records: ColumnType<ObservedRecord[], string, string>;
    phase_started_at: Date;
    checks: number;
    misses: number;
    first_miss_at: Date | null;
    contest_since: Generated<Date | null>;
    contest_deadline: Generated<Date | null>;
    redirect_to: Generated<string | null>;
    origin_url: Generated<string | null>;
    origin_host_header: Generated<"preserve" | "origin" | null>;
    edge: ColumnType<StoredEdgeSettings | null, string | null | undefined, string | null>;
    customer_ref: string | null;
    validation_label: string | null;
    target_label: Generated<string | null>;
    points_to_target: Generated<boolean>;
    ownership_method: Generated<OwnershipMethod | null>;
    ownership_proven_at: Generated<Date | null>;
    cutover: ColumnType<Cutover | null, string | null, string | null>;
    front: ColumnType<Front | null, string | null | undefined, string | null>;
    validation_status: Generated<"absent" | "right" | "wrong" | null>;
    last_checked_at: Date | null;
    first_live_at: Date | null;
    certificate_id: string | null;
    cached_until: Generated<Date | null>;
    sequence: number;
    version: number;
    due_at: Date | null;
    leased_until: Date | null;
    recheck_requested: boolean;
    created_at: Immutable<Date>;
    archived_at: Date | null;
    silent_servers: ColumnType<Record<string, string>, string | undefined, string>;
    watched_at: Generated<Date | null>;
    failures: Generated<number>;
    parked_at: Generated<Date | null>;
    parked_reason: Generated<string | null>;
    state_since: Generated<Date | null>;
    finding: ColumnType<FindingHeadline | null, string | null | undefined, string | null>;
  };
  contests: {
    id: Immutable<string>;
    hostname: Immutable<string>;
    prover_id: Immutable<string>;
    holder_id: Immutable<string>;
    tenant_id: Immutable<string>;
    environment: Immutable<Environment>;
    since: Immutable<Date>;
    deadline: Date;
    ended_at: Date | null;
    outcome: "holder" | "prover" | "void" | null;
  };
  held_hostnames: {
    tenant_id: Immutable<string>;
    environment: Immutable<Environment>;
    held: number;
  };
  events: {
    id: Immutable<string>;
    tenant_id: Immutable<string>;
    environment: Immutable<Environment>;
    application_id: Immutable<string>;
    connection_id: Immutable<string | null>;
    sequence: Immutable<number>;
    type: Immutable<AnyEventType>;
    body: Immutable<string>;
    customer_ref: Immutable<string | null>;
    created_at: Immutable<Date>;
  };
  token_connections: {
    token_id: Immutable<string>;
    connection_id: Immutable<string>;
    tenant_id: Immutable<string>;
    environment: Immutable<Environment>;
    expires_at: Date;
  };
  timeline: {
    id: Immutable<string>;
    tenant_id: Immutable<string>;
    environment: Immutable<Environment>;
    connection_id: Immutable<string>;
    kind: Immutable<TimelineKind>;
    from_state: Immutable<ConnectionState | null>;
    to_state: Immutable<ConnectionState | null>;
    error_code: Immutable<ConnectionError | null>;
    details: ColumnType<object, string, never>;
    actor: Immutable<string | null>;
    actor_name: Immutable<string | null>;
    created_at: Immutable<Date>;
  };
  certificates: CertificateTable;
  troubles: {
    connection_id: Immutable<string>;
    kind: Immutable<TroubleKind>;
    tenant_id: Immutable<string>;
    environment: Immutable<Environment>;
    reason: TroubleReason;
    opened_at: Date;
    clear_since: Date | null;
    closed_at: Date | null;
    episodes: number;
  };
  origin_health: {
    connection_id: Immutable<string>;
    failures: Date[];
    failing_since: Date | null;
    last_failure_at: Date | null;
    last_success_at: Date | null;
    success_since: Date | null;
  };
  sandbox_zones: {
    id: Immutable<string>;
    zone: Immutable<string>;
    tenant_id: Immutable<string>;
    nameservers: string[];
    records: ColumnType<SandboxRecord[], string, string>;
    created_at: Immutable<Date>;
    updated_at: Date;
  };
  webhook_endpoints: {
    id: Immutable<string>;
    tenant_id: Immutable<string>;
    environment: Immutable<Environment>;
    application_id: Immutable<string>;
    url: string;
    events: (SubscribableType | "*")[];
    format: Generated<EndpointFormat>;
    active: boolean;
    disabled_reason: "gone" | "failing" | null;
    sealed_secret: string;
    sealed_previous_secret: string | null;
    sealed_url: Generated<string | null>;
    masked_url: Generated<string | null>;
    previous_until: Date | null;
    failing_since: Date | null;
    last_failed_at: Date | null;
    created_at: Immutable<Date>;
  };
  deliveries: {
    id: Immutable<string>;
    tenant_id: Immutable<string>;
    environment: Immutable<Environment>;
    endpoint_id: Immutable<string>;
    event_id: Immutable<string>;
    event_type: Immutable<string>;
    status: DeliveryStatus;
    attempts: ColumnType<DeliveryAttempt[], string, string>;
    tries: number;
    version: number;
    due_at: Date | null;
    leased_until: Date | null;
    replay_requested: boolean;
    created_at: Immutable<Date>;
  };
  dns_writes: {
    id: Immutable<string>;
    tenant_id: Immutable<string>;
    environment: Immutable<Environment>;
    connection_id: Immutable<string>;
    credential_id: Immutable<string | null>;
    provider: Immutable<string>;
    zone: Immutable<string>;
    changes: ColumnType<Change[], string, never>;
    outcome: "planned" | "applied" | "failed";
    error: string | null;
    unchanged: boolean;
    purpose: Immutable<WritePurpose>;
    created_at: Immutable<Date>;
    finished_at: Date | null;
  };
  zone_leases: {
    provider: Immutable<string>;
    zone: Immutable<string>;
    owner: string;
    leased_until: Date;
  };
  zone_reads: {
    reader: Immutable<string>;
    zone: Immutable<string>;
    records: number;
    short_records: number | null;
    short_since: Date | null;
    read_at: Date;
  };
  email_setups: {
    connection_id: Immutable<string>;
    tenant_id: Immutable<string>;
    environment: Immutable<Environment>;
    domain: string;
    provider: MailboxKey;
    records: ColumnType<EmailRecord[], string, string>;
    spf_term: string;
    applied: boolean;
    created_at: Immutable<Date>;
    updated_at: Date;
  };
  audit_log: {
    id: Immutable<string>;
    tenant_id: Immutable<string>;
    environment: Immutable<Environment | null>;
    at: Immutable<Date>;
    actor: Immutable<string>;
    actor_name: Generated<string | null>;
    request_id: Generated<string | null>;
    address: Generated<string | null>;
    action: Immutable<string>;
    subject: Immutable<string>;
    details: JSONColumnType<object, string, never>;
  };
}

export type TimelineKind = "state" | "check" | "write" | "certificate" | "delivery";

export type UsageKind = "connect" | "active_domain" | "cert" | "api_call";

/** The tables of `0011_domain_connect.sql`. */
export interface DomainConnectTables {
  domain_connect_keys: {
    id: Immutable<string>;
    label: Immutable<string>;
    domain: Immutable<string>;
    public_key: Immutable<string>;
    sealed: string;
    created_at: Immutable<Date>;
    activated_at: Date | null;
    retired_at: Date | null;
  };
  domain_connect_attempts: {
    id: Immutable<string>;
    tenant_id: Immutable<string>;
    environment: Immutable<Environment>;
    connection_id: Immutable<string>;
    mode: Immutable<"sync" | "async">;
    state_hash: Immutable<Buffer>;
    redirect_uri: Immutable<string | null>;
    provider_id: Immutable<string | null>;
    provider_name: Immutable<string>;
    zone: Immutable<string>;
    host: Immutable<string>;
    service_id: Immutable<string>;
    key_label: Immutable<string | null>;
    created_at: Immutable<Date>;
    expires_at: Immutable<Date>;
    returned_at: Date | null;
    outcome: AttemptOutcome | null;
    error: string | null;
  };
  oauth_grants: {
    id: Immutable<string>;
    tenant_id: Immutable<string>;
    environment: Immutable<Environment>;
    connection_id: Immutable<string>;
    provider: Immutable<string>;
    state_hash: Immutable<Buffer>;
    created_at: Immutable<Date>;
    expires_at: Date;
    returned_at: Date | null;
    grant_hash: Buffer | null;
    sealed: string | null;
  };
  domain_connect_grants: {
    connection_id: Immutable<string>;
    tenant_id: Immutable<string>;
    environment: Immutable<Environment>;
    provider_id: string;
    provider_name: string;
    zone: string;
    host: string;
    service_id: string;
    sealed: string;
    token_expires_at: Date | null;
    created_at: Date;
    applied_at: Date | null;
  };
}
