import type { ColumnType, Generated } from "kysely";
import type { Environment } from "../domain/tenancy.ts";

type Immutable<T> = ColumnType<T, T, never>;

/** Names of archived connections, and those that wait for the plan. */
export interface LeftBehindTables {
  left_behind: {
    connection_id: Immutable<string>;
    tenant_id: Immutable<string>;
    environment: Immutable<Environment>;
    hostname: Immutable<string>;
    archived_at: Immutable<Date>;
    due_at: Date;
    leased_until: Date | null;
    version: Generated<number>;
    seen: "here" | "gone" | null;
    agreeing: Generated<number>;
    dangling_since: Date | null;
    reported_at: Date | null;
  };
  quota_waits: {
    connection_id: Immutable<string>;
    tenant_id: Immutable<string>;
    environment: Immutable<Environment>;
    since: Immutable<Date>;
  };
}
