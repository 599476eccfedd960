import { createHash } from "node:crypto";
import type { OAuthTokens } from "@mooring/dns";
import { z } from "zod";
import {
  deleteOAuthGrant,
  type OAuthGrant,
  selectOAuthGrant,
} from "../../db/queries/applications/oauth-grants.ts";
import type { Connection } from "../../domain/connections/connection.ts";
import { invalid } from "../../domain/errors.ts";
import type { ServiceContext } from "../context.ts";
import type { PlanResult } from "../dns-write/apply-records.ts";
import type { ApplyRecords } from "../dns-write/schemas.ts";
import type { Runtime } from "../runtime.ts";
import { findOAuthClient } from "./clients.ts";
import { keepSignIn } from "./retained.ts";
import { revokeTokens } from "./revoke.ts";

export function oauthContext(tenantId: string, id: string) {
  return { tenant: tenantId, table: "oauth_grants", row: id, column: "sealed" };
}

export function sealTokens(
  { vault }: Pick<Runtime, "vault">,
  { id, tenantId }: { readonly id: string; readonly tenantId: string },
  tokens: OAuthTokens,
): string {
  return vault.seal("dns_credential", oauthContext(tenantId, id), JSON.stringify(tokens));
}

const Tokens = z.object({
  accessToken: z.string(),
  refreshToken: z.string().nullable(),
  expiresInSeconds: z.number().nullable(),
});

/**
 * Runs `work` with what a sign-in gave as its credential, for one connection or the two of a pair.
 * Once the plan is applied, the permission is thrown away, here and at the provider, unless the
 * application keeps it.
 */
export async function withSignIn<T extends PlanResult>(
  ctx: ServiceContext,
  connections: readonly [Connection, ...Connection[]],
  { oauth_grant: secret, ...input }: ApplyRecords,
  work: (input: ApplyRecords) => Promise<T>,
): Promise<T> {
  if (!secret) return work(input);
  if (input.credential_id || input.provider || input.fields) {
    throw invalid([{ path: "oauth_grant", message: "give either this or another credential" }]);
  }
  const { grant, tokens, field } = await openGrant(ctx, connections, secret);
  const { provider } = grant;
  const result = await work({ ...input, provider, fields: { [field]: tokens.accessToken } });
  if (!result.applied) return result;
  await ctx.runtime.system((tx) => deleteOAuthGrant(tx, grant.id));
  const received = { provider, field, tokens, receivedAt: grant.receivedAt, zone: result.zone };
  const isRetained = await keepSignIn(ctx, connections, received);
  if (!isRetained) await revokeTokens(ctx.runtime, provider, tokens);
  return result;
}

async function openGrant(
  ctx: ServiceContext,
  connections: readonly Connection[],
  secret: string,
): Promise<{ readonly grant: OAuthGrant; readonly tokens: OAuthTokens; readonly field: string }> {
  const { runtime } = ctx;
  const ids = connections.map(({ id }) => id);
  const grant = await ctx.read((tx) => selectOAuthGrant(tx, ids, hashGrant(secret), ctx.now()));
  const client = findOAuthClient(runtime.config, grant?.provider ?? null);
  if (grant === null || client === null) {
    throw invalid([{ path: "oauth_grant", message: "it is unknown, was used, or has expired" }]);
  }
  const context = oauthContext(grant.tenantId, grant.id);
  const plain = runtime.vault.open("dns_credential", context, grant.sealed).toString("utf8");
  return { grant, tokens: Tokens.parse(JSON.parse(plain)), field: client.field };
}

/** Of the secret that redeems a token; only this is stored. */
export function hashGrant(grant: string): Buffer {
  return createHash("sha256").update(grant, "utf8").digest();
}
