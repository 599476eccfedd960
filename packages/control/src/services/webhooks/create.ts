import { insertEndpoint } from "../../db/queries/webhook-endpoints.ts";
import { newId } from "../../domain/id.ts";
import type { WebhookEndpoint } from "../../domain/webhook.ts";
import { requireApplication } from "../applications/get.ts";
import { audit } from "../audit.ts";
import type { ServiceContext } from "../context.ts";
import type { CreateEndpoint } from "./schemas.ts";
import { newSigningSecret, sealSecret } from "./secret.ts";
import { requireReceiverUrl } from "./url.ts";

export interface EndpointWithSecret {
  readonly endpoint: WebhookEndpoint;
  readonly secret: string;
}

/** Registers a receiver. Its signing secret is in the answer and otherwise only sealed. */
export async function createEndpoint(
  ctx: ServiceContext,
  input: CreateEndpoint,
): Promise<EndpointWithSecret> {
  const createdAt = ctx.now();
  const endpoint: WebhookEndpoint = {
    id: newId(createdAt),
    applicationId: input.application_id,
    url: requireReceiverUrl(ctx, input.url),
    events: input.events ?? ["*"],
    active: true,
    disabledReason: null,
    createdAt,
  };
  const secret = newSigningSecret();
  const { tenantId } = ctx.actor;
  const sealed = sealSecret(ctx.runtime.vault, secret, tenantId, endpoint.id, "sealed_secret");
  return ctx.write(async (tx) => {
    await requireApplication(tx, input.application_id);
    await insertEndpoint(tx, ctx.actor, endpoint, sealed);
    await audit(ctx, tx, "webhook_endpoint.create", endpoint.id);
    return { endpoint, secret };
  });
}
