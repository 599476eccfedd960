import type { JsonWebKey } from "node:crypto";
import type { ColumnType, JSONColumnType } from "kysely";
import type { TemplateRecord } from "../domain/application.ts";
import type { Environment, Scope } from "../domain/tenancy.ts";

/** The tables as the migrations make them. Times are always given, never defaulted by the server. */
type Never<T> = ColumnType<T, T, never>;

export interface Tables {
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

export type UsageKind = "connect" | "active_domain" | "cert" | "api_call";
