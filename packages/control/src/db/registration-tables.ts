import type { ColumnType, Generated } from "kysely";
import type { Environment } from "../domain/tenancy.ts";

type Immutable<T> = ColumnType<T, T, never>;

/** What became of the last question to a registry. */
export type QuestionOutcome = "answered" | "unknown" | "failed" | "limited" | "no_server";

export interface RegistrationTables {
  registrations: {
    domain: Immutable<string>;
    expires_at: Date | null;
    status: Generated<string[]>;
    registrar: string | null;
    checked_at: Date | null;
    outcome: QuestionOutcome | null;
    ask_at: Date | null;
    is_reserved: Generated<boolean>;
    due_at: Date | null;
    leased_until: Date | null;
    version: Generated<number>;
    created_at: Immutable<Date>;
  };
  registered_names: {
    connection_id: Immutable<string>;
    tenant_id: Immutable<string>;
    environment: Immutable<Environment>;
    domain: Immutable<string>;
    notified_expires_at: Date | null;
    notified_days: number | null;
  };
  rdap_bootstrap: {
    is_only: Generated<boolean>;
    published_at: Date;
    content: string;
    installed_at: Date;
  };
}
