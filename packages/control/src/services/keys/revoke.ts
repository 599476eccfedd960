import { revokeApiKey } from "../../db/queries/api-keys.ts";
import type { ApiKey } from "../../domain/api-key.ts";
import { notFound } from "../../domain/errors.ts";
import { requireApplication } from "../applications/get.ts";
import { audit } from "../audit.ts";
import type { ServiceContext } from "../context.ts";

/** Effective with the commit: every look-up made after it, on any process, no longer finds the key. */
export function revokeKey(
  ctx: ServiceContext,
  applicationId: string,
  keyId: string,
): Promise<ApiKey> {
  return ctx.write(async (tx) => {
    await requireApplication(tx, applicationId);
    const key = await revokeApiKey(tx, applicationId, keyId, ctx.now());
    if (!key) throw notFound("key");
    await audit(ctx, tx, "api_key.revoke", keyId);
    return key;
  });
}
