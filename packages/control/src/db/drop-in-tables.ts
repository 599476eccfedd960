import type { ColumnType } from "kysely";
import type { DropInFields, DropInVendor } from "../domain/applications/drop-in.ts";
import type { Environment } from "../domain/tenancy.ts";

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
