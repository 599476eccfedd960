import type { ColumnType } from "kysely";
import type { AttemptOutcome } from "../domain/domain-connect.ts";
import type { Environment } from "../domain/tenancy.ts";

type Never<T> = ColumnType<T, T, never>;

/** The tables of `0011_domain_connect.sql`. */
export interface DomainConnectTables {
  domain_connect_keys: {
    id: Never<string>;
    label: Never<string>;
    domain: Never<string>;
    public_key: Never<string>;
    sealed: string;
    created_at: Never<Date>;
    activated_at: Date | null;
    retired_at: Date | null;
  };
  domain_connect_attempts: {
    id: Never<string>;
    tenant_id: Never<string>;
    environment: Never<Environment>;
    connection_id: Never<string>;
    mode: Never<"sync" | "async">;
    state_hash: Never<Buffer>;
    redirect_uri: Never<string | null>;
    provider_id: Never<string | null>;
    provider_name: Never<string>;
    zone: Never<string>;
    host: Never<string>;
    service_id: Never<string>;
    key_label: Never<string | null>;
    created_at: Never<Date>;
    expires_at: Never<Date>;
    returned_at: Date | null;
    outcome: AttemptOutcome | null;
    error: string | null;
  };
  domain_connect_grants: {
    connection_id: Never<string>;
    tenant_id: Never<string>;
    environment: Never<Environment>;
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
