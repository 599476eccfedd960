import type { ColumnType } from "kysely";
import type { DropInFields, DropInVendor } from "../domain/applications/drop-in.ts";
import type { Environment } from "../domain/tenancy.ts";

/** A zone's fallback origin, in a JSON column of its application. */
export interface StoredFallbackOrigin {
  readonly url: string;
  readonly created_at: string;
  readonly updated_at: string;
}

/** The table of the drop-in APIs. */
export interface DropInTables {
  drop_in_fields: {
    connection_id: ColumnType<string, string, never>;
    vendor: ColumnType<DropInVendor, DropInVendor, never>;
    tenant_id: ColumnType<string, string, never>;
    environment: ColumnType<Environment, Environment, never>;
    fields: ColumnType<DropInFields, string, string>;
    updated_at: Date;
  };
}
