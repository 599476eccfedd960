import { insertApiKey } from "../../db/queries/api-keys.ts";
import { type ApiKey, generateApiKey, hashApiKey } from "../../domain/api-key.ts";
import { AppError } from "../../domain/errors.ts";
import { newId } from "../../domain/id.ts";
import { requireApplication } from "../applications/get.ts";
import { audit } from "../audit.ts";
import type { ServiceContext } from "../context.ts";
import type { CreateKey } from "./schemas.ts";

export interface NewKey {
  readonly key: ApiKey;
  readonly secret: string;
}

/** The secret is in the answer and nowhere else; a key never holds a scope that its maker lacks. */
export async function createKey(
  ctx: ServiceContext,
  applicationId: string,
  input: CreateKey,
): Promise<NewKey> {
  const { tenantId, environment } = ctx.actor;
  const wanted = [...new Set(input.scopes ?? ctx.actor.scopes)];
  const lacking = wanted.filter((scope) => !ctx.actor.scopes.includes(scope));
  const secret = generateApiKey(environment);
  const createdAt = ctx.now();
  return ctx.write(async (tx) => {
    await requireApplication(tx, applicationId);
    if (lacking.length > 0) {
      throw new AppError("forbidden", `the calling key does not hold ${lacking.join(", ")}`);
    }
    const key: ApiKey = {
      id: newId(createdAt),
      applicationId,
      environment,
      name: input.name,
      last4: secret.slice(-4),
      scopes: wanted,
      createdAt,
      lastUsedAt: null,
      revokedAt: null,
    };
    await insertApiKey(tx, tenantId, key, hashApiKey(secret));
    await audit(ctx, tx, "api_key.create", key.id, { scopes: wanted });
    return { key, secret };
  });
}
