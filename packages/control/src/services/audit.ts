import type { Tx } from "../db/engine/transaction.ts";
import { insertAudit } from "../db/queries/audit.ts";
import { actorLabel } from "../domain/tenancy.ts";
import type { ServiceContext } from "./context.ts";

/** Says in the change's own transaction who did what: `audit(ctx, tx, "api_key.revoke", keyId)`. */
export async function audit(
  ctx: ServiceContext,
  tx: Tx,
  action: `${string}.${string}`,
  id: string,
  details: object = {},
): Promise<void> {
  await insertAudit(tx, {
    tenantId: ctx.actor.tenantId,
    environment: ctx.actor.environment,
    at: ctx.now(),
    actor: actorLabel(ctx.actor),
    action,
    subject: `${action.slice(0, action.indexOf("."))}:${id}`,
    details,
  });
}
