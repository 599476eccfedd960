import { pageEndpoints } from "../../db/queries/webhook-endpoints.ts";
import type { WebhookEndpoint } from "../../domain/webhook.ts";
import type { ServiceContext } from "../context.ts";
import { type Listing, listPage } from "../paging.ts";
import type { ListEndpoints } from "./schemas.ts";

export function listEndpoints(
  ctx: ServiceContext,
  query: ListEndpoints,
): Promise<Listing<WebhookEndpoint>> {
  const applicationId = query.application_id ?? null;
  return listPage(ctx, ["webhook-endpoints", applicationId], query, (page) =>
    ctx.read((tx) => pageEndpoints(tx, ctx.actor, applicationId, page)),
  );
}
