import { z } from "zod";
import { insertApiKey, pageApiKeys, revokeApiKey } from "../../db/queries/applications/api-keys.ts";
import { type ApiKey, generateApiKey, hashApiKey } from "../../domain/applications/api-key.ts";
import { AppError, notFound } from "../../domain/errors.ts";
import { newId } from "../../domain/id.ts";
import type { Role } from "../../domain/people/role.ts";
import { type Actor, scopes } from "../../domain/tenancy.ts";
import { audit, auditSource, type ServiceContext } from "../context.ts";
import { type Listing, type PageQuery, readPage } from "../paging.ts";
import { requireApplication, requireBelowCap } from "./applications.ts";

export const CreateKey = z.strictObject({
  name: z.string().trim().min(1).max(100),
  scopes: z
    .array(z.enum(scopes))
    .min(1)
    .max(scopes.length)
    .optional()
    .describe("Defaults to every scope that the caller holds"),
});
export type CreateKey = z.infer<typeof CreateKey>;

export interface NewKey {
  readonly key: ApiKey;
  readonly secret: string;
}

/**
 * The secret is in the reply and nowhere else. A new key gets only scopes that the calling key has.
 */
export async function createKey(
  ctx: ServiceContext,
  applicationId: string,
  input: CreateKey,
): Promise<NewKey> {
  const { tenantId, environment } = ctx.actor;
  const requested = [...new Set(input.scopes ?? ctx.actor.scopes)];
  const lacking = requested.filter((scope) => !ctx.actor.scopes.includes(scope));
  const secret = generateApiKey(environment);
  const createdAt = ctx.now();
  const by = auditSource(ctx);
  return ctx.write(async (tx) => {
    await requireApplication(tx, applicationId);
    if (lacking.length > 0) {
      throw new AppError("forbidden", `the caller does not hold ${lacking.join(", ")}`);
    }
    const key: ApiKey = {
      id: newId(createdAt),
      applicationId,
      environment,
      name: input.name,
      last4: secret.slice(-4),
      scopes: requested,
      createdAt,
      createdBy: by.actor,
      createdByName: by.actorName ?? null,
      lastUsedAt: null,
      revokedAt: null,
    };
    await requireBelowCap(tx, applicationId, "api_keys");
    await insertApiKey(tx, tenantId, key, hashApiKey(secret), ceilingOf(ctx.actor));
    await audit(ctx, tx, "api_key.create", key.id, { scopes: requested });
    return { key, secret };
  });
}

/**
 * A key that is made in a session, and every key made with that one, stays within the maker's role.
 */
function ceilingOf(actor: Actor): Role | null {
  return actor.kind === "session" || actor.kind === "key" ? actor.role : null;
}

export function listKeys(
  ctx: ServiceContext,
  applicationId: string,
  query: PageQuery,
): Promise<Listing<ApiKey>> {
  return readPage(ctx, ["keys", applicationId], query, async (tx, page) => {
    await requireApplication(tx, applicationId);
    return pageApiKeys(tx, applicationId, page);
  });
}

/** Effective with the commit: no lookup that begins after it, in any process, finds the key. */
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
