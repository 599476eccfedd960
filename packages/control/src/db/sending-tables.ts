import type { SendingKey } from "@mooring/dns";
import type { ColumnType, Generated } from "kysely";
import type { SendingDomain, SendingState } from "../domain/sending/sending.ts";
import type { Environment } from "../domain/tenancy.ts";

type Immutable<T> = ColumnType<T, T, never>;

export interface SendingTables {
  sending_domains: {
    id: Immutable<string>;
    tenant_id: Immutable<string>;
    environment: Immutable<Environment>;
    connection_id: Immutable<string>;
    provider: Immutable<SendingKey>;
    domain: string;
    inputs: ColumnType<SendingDomain["inputs"], string, string>;
    records: ColumnType<SendingDomain["records"], string, string>;
    advice: ColumnType<SendingDomain["advice"], string, string>;
    spf_term: string | null;
    status: SendingState;
    sealed_access: string | null;
    account_error: string | null;
    checked_at: Date | null;
    ready_at: Date | null;
    accepted_at: Date | null;
    checks: Generated<number>;
    misses: Generated<number>;
    due_at: Date | null;
    leased_until: Date | null;
    version: Generated<number>;
    created_at: Immutable<Date>;
    updated_at: Date;
  };
}
