import { sql } from "kysely";
import type { EmailSetup } from "../../../domain/sending/email-setup.ts";
import type { TenantScope } from "../../../domain/tenancy.ts";
import { jsonColumn } from "../../engine/json-column.ts";
import type { Tx } from "../../engine/transaction.ts";

/** One a connection: another provider replaces the one before. */
export async function saveEmailSetup(tx: Tx, scope: TenantScope, setup: EmailSetup): Promise<void> {
  const content = {
    domain: setup.domain,
    provider: setup.provider,
    records: jsonColumn(setup.records),
    spf_term: setup.spfTerm,
    updated_at: setup.updatedAt,
  };
  await tx
    .insertInto("email_setups")
    .values({
      connection_id: setup.connectionId,
      tenant_id: scope.tenantId,
      environment: scope.environment,
      ...content,
      applied: setup.applied,
      created_at: setup.updatedAt,
    })
    .onConflict((conflict) =>
      conflict.column("connection_id").doUpdateSet({
        ...content,
        // Shown again after it was written, it is still written.
        applied: sql<boolean>`excluded.applied
          or (email_setups.applied and email_setups.provider = excluded.provider)`,
      }),
    )
    .execute();
}

export async function selectEmailSetup(tx: Tx, connectionId: string): Promise<EmailSetup | null> {
  const row = await tx
    .selectFrom("email_setups")
    .select(["connection_id", "domain", "provider", "records", "spf_term", "applied", "updated_at"])
    .where("connection_id", "=", connectionId)
    .executeTakeFirst();
  if (!row) return null;
  return {
    connectionId: row.connection_id,
    domain: row.domain,
    provider: row.provider,
    records: row.records,
    spfTerm: row.spf_term,
    applied: row.applied,
    updatedAt: row.updated_at,
  };
}
