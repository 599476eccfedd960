import { deleteEndpoint as remove } from "../../db/queries/webhook-endpoints.ts";
import { notFound } from "../../domain/errors.ts";
import { audit } from "../audit.ts";
import type { ServiceContext } from "../context.ts";

/** Gone with its secret and its delivery log. */
export function deleteEndpoint(ctx: ServiceContext, id: string): Promise<null> {
  return ctx.write(async (tx) => {
    if (!(await remove(tx, id))) throw notFound("webhook endpoint");
    await audit(ctx, tx, "webhook_endpoint.delete", id);
    return null;
  });
}
