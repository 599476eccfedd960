import { newId } from "../../../domain/id.ts";
import type { Environment } from "../../../domain/tenancy.ts";
import { jsonColumn } from "../../engine/json-column.ts";
import type { Tx } from "../../engine/transaction.ts";

/** Who did it, and from where. */
export interface AuditSource {
  /** `kind:id`, or a word for what is no caller. */
  readonly actor: string;
  /** As people call it; null or absent where it is found by its id. */
  readonly actorName?: string | null;
  readonly requestId?: string | null;
  readonly address?: string | null;
}

export interface AuditEntry extends AuditSource {
  readonly tenantId: string;
  readonly environment: Environment | null;
  readonly at: Date;
  /** `noun.verb`, as in `api_key.revoke`. */
  readonly action: string;
  /** `noun:id` of what was acted on. */
  readonly subject: string;
  readonly details?: object;
}

/** The source in an object that has more. */
export function sourceIn({ actor, actorName, requestId, address }: AuditSource): AuditSource {
  return {
    actor,
    actorName: actorName ?? null,
    requestId: requestId ?? null,
    address: address ?? null,
  };
}

/** Written in the transaction of the change it records. */
export async function insertAudit(tx: Tx, entry: AuditEntry): Promise<void> {
  await tx
    .insertInto("audit_log")
    .values({
      id: newId(entry.at),
      tenant_id: entry.tenantId,
      environment: entry.environment,
      at: entry.at,
      actor: entry.actor,
      actor_name: entry.actorName ?? null,
      request_id: entry.requestId ?? null,
      address: entry.address ?? null,
      action: entry.action,
      subject: entry.subject,
      details: jsonColumn(entry.details ?? {}),
    })
    .execute();
}
