import type { Environment } from "../domain/tenancy.ts";
import { type Batch, createBatch } from "./batch.ts";
import type { Database } from "./pool.ts";
import { translateDatabaseError } from "./transaction.ts";

/** What a widget token stands on besides its signature. */
export interface WidgetGrant {
  readonly tenantId: string;
  readonly environment: Environment;
  readonly allowedOrigins: readonly string[];
}

export interface GrantQuestion {
  readonly keyId: string;
  readonly applicationId: string;
}

/** Absent when the minting key is revoked or the application is not its tenant's. */
export function widgetGrantLookup(database: Database): Batch<GrantQuestion, WidgetGrant> {
  return createBatch({
    identify: (question) => `${question.keyId}/${question.applicationId}`,
    fetch: async (questions) => {
      const { rows } = await database.pool
        .query<{
          key_id: string;
          application_id: string;
          tenant_id: string;
          environment: Environment;
          allowed_origins: string[];
        }>({
          name: "find_widget_grants",
          text: "select key_id, application_id, tenant_id, environment, allowed_origins from find_widget_grants($1, $2)",
          values: [
            questions.map((question) => question.keyId),
            questions.map((question) => question.applicationId),
          ],
        })
        .catch((error: unknown) => {
          throw translateDatabaseError(error);
        });
      return rows.map((row) => [
        `${row.key_id}/${row.application_id}`,
        {
          tenantId: row.tenant_id,
          environment: row.environment,
          allowedOrigins: row.allowed_origins,
        },
      ]);
    },
  });
}

export async function originIsListed(database: Database, origin: string): Promise<boolean> {
  const { rows } = await database.pool
    .query<{ listed: boolean }>({
      name: "origin_is_listed",
      text: "select origin_is_listed($1) as listed",
      values: [origin],
    })
    .catch((error: unknown) => {
      throw translateDatabaseError(error);
    });
  return rows[0]?.listed === true;
}
