import type { ColumnType, Generated } from "kysely";
import type { Environment } from "../domain/tenancy.ts";

type Immutable<T> = ColumnType<T, T, never>;

/** What is beside each connection: its position in the queue of checks, its claim, its target. */
export interface ConnectionTables {
  connection_checks: {
    connection_id: Immutable<string>;
    tenant_id: Immutable<string>;
    environment: Immutable<Environment>;
    lane: number;
    due_at: Date | null;
    leased_until: Date | null;
    version: Generated<number>;
    recheck_requested: Generated<boolean>;
    failures: Generated<number>;
    last_checked_at: Date | null;
    observed_at: Date | null;
  };
  targets: {
    label: Immutable<string>;
    tenant_id: Immutable<string>;
    environment: Immutable<Environment>;
    application_id: Immutable<string>;
    customer_ref: string | null;
    hostname: Immutable<string>;
    created_at: Immutable<Date>;
  };
  claims: {
    hostname: Immutable<string>;
    connection_id: Immutable<string>;
    tenant_id: Immutable<string>;
    environment: Immutable<Environment>;
    epoch: number;
    claimed_at: Immutable<Date>;
  };
}
