import { lockEndpointSecret, rotateEndpointSecret } from "../../db/queries/webhook-endpoints.ts";
import { notFound } from "../../domain/errors.ts";
import { audit } from "../audit.ts";
import type { ServiceContext } from "../context.ts";
import type { EndpointWithSecret } from "./create.ts";
import { requireEndpoint } from "./get.ts";
import { newSigningSecret, openSecret, sealSecret } from "./secret.ts";

const overlapMs = 24 * 3_600_000;

/** The new secret signs at once; for a day the old one signs too, so that no delivery is refused. */
export function rotateSecret(ctx: ServiceContext, id: string): Promise<EndpointWithSecret> {
  const { vault } = ctx.runtime;
  const { tenantId } = ctx.actor;
  const secret = newSigningSecret();
  return ctx.write(async (tx) => {
    const before = await lockEndpointSecret(tx, id);
    if (!before) throw notFound("webhook endpoint");
    const old = openSecret(vault, before, tenantId, id, "sealed_secret");
    await rotateEndpointSecret(tx, id, {
      sealed: sealSecret(vault, secret, tenantId, id, "sealed_secret"),
      previous: sealSecret(vault, old, tenantId, id, "sealed_previous_secret"),
      previousUntil: new Date(ctx.now().getTime() + overlapMs),
    });
    await audit(ctx, tx, "webhook_endpoint.rotate_secret", id);
    return { endpoint: await requireEndpoint(tx, id), secret };
  });
}
