import type { JsonWebKey } from "node:crypto";
import type { Change, MailboxKey } from "@mooring/dns";
import type { ColumnType, JSONColumnType } from "kysely";
import type { TemplateRecord } from "../domain/application.ts";
import type { CertificateStatus } from "../domain/certificate.ts";
import type {
  ConnectionError,
  ConnectionState,
  DesiredRecord,
  ObservedRecord,
  SetupType,
} from "../domain/connection.ts";
import type { WritePurpose } from "../domain/dns-write.ts";
import type { EmailRecord } from "../domain/email-setup.ts";
import type { AnyEventType, SubscribableType } from "../domain/event.ts";
import type { SandboxRecord } from "../domain/sandbox.ts";
import type { Environment, Scope } from "../domain/tenancy.ts";
import type { DeliveryAttempt, DeliveryStatus } from "../domain/webhook.ts";
import type { DomainConnectTables } from "./domain-connect-tables.ts";

/** The tables as the migrations make them. Times are always given, never defaulted by the server. */
type Never<T> = ColumnType<T, T, never>;

export interface Tables extends DomainConnectTables {
  tenants: { id: Never<string>; name: string; plan: string; created_at: Never<Date> };
  applications: {
    id: Never<string>;
    tenant_id: Never<string>;
    environment: Never<Environment>;
    name: string;
    allowed_origins: string[];
    record_template: ColumnType<TemplateRecord[], string, string>;
    origin_url: string | null;
    origin_host_header: "preserve" | "origin";
    created_at: Never<Date>;
  };
  api_keys: {
    id: Never<string>;
    tenant_id: Never<string>;
    environment: Never<Environment>;
    application_id: Never<string>;
    name: Never<string>;
    key_hash: Never<Buffer>;
    last4: Never<string>;
    scopes: Never<Scope[]>;
    created_at: Never<Date>;
    last_used_at: Date | null;
    revoked_at: Date | null;
  };
  credentials: {
    id: Never<string>;
    tenant_id: Never<string>;
    environment: Never<Environment>;
    application_id: Never<string>;
    provider: Never<string>;
    name: Never<string>;
    zone: string | null;
    sealed: string;
    last4: Never<string>;
    created_at: Never<Date>;
    last_used_at: Date | null;
    last_error: string | null;
    refused_at: Date | null;
  };
  signing_keys: {
    id: Never<string>;
    purpose: Never<"widget" | "assertion">;
    public_jwk: ColumnType<JsonWebKey, string, never>;
    sealed: string;
    created_at: Never<Date>;
    retired_at: Date | null;
  };
  idempotency_keys: {
    tenant_id: Never<string>;
    environment: Never<Environment>;
    route: Never<string>;
    key: Never<string>;
    fingerprint: Never<Buffer>;
    status: Never<number>;
    body: Never<string>;
    created_at: Never<Date>;
  };
  usage_counters: {
    tenant_id: Never<string>;
    environment: Never<Environment>;
    period: ColumnType<string, string, never>;
    kind: Never<UsageKind>;
    amount: number;
  };
  usage_causes: {
    tenant_id: Never<string>;
    environment: Never<Environment>;
    kind: Never<"connect" | "cert">;
    cause: Never<string>;
    at: Never<Date>;
  };
  subscriptions: {
    tenant_id: Never<string>;
    plan: string;
    status: "incomplete" | "active" | "past_due" | "canceled";
    stripe_customer: string | null;
    stripe_subscription: string | null;
    current_period_end: Date | null;
    last_event_at: Date | null;
    created_at: Never<Date>;
  };
  connections: {
    id: Never<string>;
    tenant_id: Never<string>;
    environment: Never<Environment>;
    application_id: Never<string>;
    hostname: Never<string>;
    registrable_domain: Never<string>;
    kind: Never<"apex" | "subdomain">;
    setup_type: SetupType;
    state: ConnectionState;
    provider: string | null;
    batch_id: string | null;
    error_code: ConnectionError | null;
    challenge: Never<string>;
    may_use_credentials: Never<boolean>;
    desired_records: ColumnType<DesiredRecord[], string, string>;
    observed_records: ColumnType<ObservedRecord[], string, string>;
    phase_started_at: Date;
    checks: number;
    misses: number;
    first_miss_at: Date | null;
    last_checked_at: Date | null;
    first_live_at: Date | null;
    certificate_id: string | null;
    sequence: number;
    version: number;
    due_at: Date | null;
    leased_until: Date | null;
    recheck_requested: boolean;
    created_at: Never<Date>;
    archived_at: Date | null;
  };
  claims: {
    hostname: Never<string>;
    connection_id: Never<string>;
    tenant_id: Never<string>;
    environment: Never<Environment>;
    epoch: number;
    claimed_at: Never<Date>;
  };
  held_hostnames: {
    tenant_id: Never<string>;
    environment: Never<Environment>;
    held: number;
  };
  events: {
    id: Never<string>;
    tenant_id: Never<string>;
    environment: Never<Environment>;
    application_id: Never<string>;
    connection_id: Never<string | null>;
    sequence: Never<number>;
    type: Never<AnyEventType>;
    body: Never<string>;
    created_at: Never<Date>;
  };
  timeline: {
    id: Never<string>;
    tenant_id: Never<string>;
    environment: Never<Environment>;
    connection_id: Never<string>;
    kind: Never<TimelineKind>;
    from_state: Never<ConnectionState | null>;
    to_state: Never<ConnectionState | null>;
    error_code: Never<ConnectionError | null>;
    details: ColumnType<object, string, never>;
    created_at: Never<Date>;
  };
  certificates: {
    hostname: Never<string>;
    connection_id: string;
    tenant_id: string;
    environment: Environment;
    epoch: number;
    status: CertificateStatus;
    ca: string | null;
    not_before: Date | null;
    not_after: Date | null;
    last_error: string | null;
    error_code: ConnectionError | null;
    issue_id: string | null;
    due_at: Date | null;
    leased_until: Date | null;
    version: number;
    created_at: Never<Date>;
  };
  sandbox_zones: {
    id: Never<string>;
    zone: Never<string>;
    tenant_id: Never<string>;
    nameservers: string[];
    records: ColumnType<SandboxRecord[], string, string>;
    created_at: Never<Date>;
    updated_at: Date;
  };
  webhook_endpoints: {
    id: Never<string>;
    tenant_id: Never<string>;
    environment: Never<Environment>;
    application_id: Never<string>;
    url: string;
    events: (SubscribableType | "*")[];
    active: boolean;
    disabled_reason: "gone" | "failing" | null;
    sealed_secret: string;
    sealed_previous_secret: string | null;
    previous_until: Date | null;
    failing_since: Date | null;
    last_failed_at: Date | null;
    created_at: Never<Date>;
  };
  deliveries: {
    id: Never<string>;
    tenant_id: Never<string>;
    environment: Never<Environment>;
    endpoint_id: Never<string>;
    event_id: Never<string>;
    event_type: Never<string>;
    status: DeliveryStatus;
    attempts: ColumnType<DeliveryAttempt[], string, string>;
    tries: number;
    version: number;
    due_at: Date | null;
    leased_until: Date | null;
    replay_requested: boolean;
    created_at: Never<Date>;
  };
  dns_writes: {
    id: Never<string>;
    tenant_id: Never<string>;
    environment: Never<Environment>;
    connection_id: Never<string>;
    credential_id: Never<string | null>;
    provider: Never<string>;
    zone: Never<string>;
    changes: ColumnType<Change[], string, never>;
    outcome: "planned" | "applied" | "failed";
    error: string | null;
    unchanged: boolean;
    purpose: Never<WritePurpose>;
    created_at: Never<Date>;
    finished_at: Date | null;
  };
  zone_leases: {
    provider: Never<string>;
    zone: Never<string>;
    owner: string;
    leased_until: Date;
  };
  zone_reads: {
    reader: Never<string>;
    zone: Never<string>;
    records: number;
    short_records: number | null;
    short_since: Date | null;
    read_at: Date;
  };
  email_setups: {
    connection_id: Never<string>;
    tenant_id: Never<string>;
    environment: Never<Environment>;
    domain: string;
    provider: MailboxKey;
    records: ColumnType<EmailRecord[], string, string>;
    spf_term: string;
    applied: boolean;
    created_at: Never<Date>;
    updated_at: Date;
  };
  audit_log: {
    id: Never<string>;
    tenant_id: Never<string>;
    environment: Never<Environment | null>;
    at: Never<Date>;
    actor: Never<string>;
    action: Never<string>;
    subject: Never<string>;
    details: JSONColumnType<object, string, never>;
  };
}

export type TimelineKind = "state" | "check" | "write" | "certificate" | "delivery";

export type UsageKind = "connect" | "active_domain" | "cert" | "api_call";
