import type { Tx } from "../../db/engine/transaction.ts";
import { selectEndpoint } from "../../db/queries/webhook-endpoints.ts";
import { notFound } from "../../domain/errors.ts";
import type { WebhookEndpoint } from "../../domain/webhook.ts";
import type { ServiceContext } from "../context.ts";

export function getEndpoint(ctx: ServiceContext, id: string): Promise<WebhookEndpoint> {
  return ctx.read((tx) => requireEndpoint(tx, id));
}

export async function requireEndpoint(tx: Tx, id: string): Promise<WebhookEndpoint> {
  const endpoint = await selectEndpoint(tx, id);
  if (!endpoint) throw notFound("webhook endpoint");
  return endpoint;
}
