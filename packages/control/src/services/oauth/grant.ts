import { createHash } from "node:crypto";
import { revokeOAuthToken } from "@mooring/dns";
import {
  deleteOAuthGrant,
  type OAuthGrant,
  selectOAuthGrant,
} from "../../db/queries/oauth-grants.ts";
import type { Connection } from "../../domain/connection.ts";
import { invalid } from "../../domain/errors.ts";
import type { ServiceContext } from "../context.ts";
import type { Runtime } from "../runtime.ts";
import { findOAuthClient } from "./clients.ts";

export function oauthContext(tenantId: string, id: string) {
  return { tenant: tenantId, table: "oauth_grants", row: id, column: "sealed" };
}

export function sealToken(
  { vault }: Pick<Runtime, "vault">,
  { id, tenantId }: { readonly id: string; readonly tenantId: string },
  token: string,
): string {
  return vault.seal("dns_credential", oauthContext(tenantId, id), token);
}

/** A customer's permission, as the credential that it stands for. */
export interface OpenedOAuthGrant {
  readonly provider: string;
  readonly fields: Readonly<Record<string, string>>;
  /** Throws the token away, here and at the provider. */
  readonly end: () => Promise<void>;
}

export async function openOAuthGrant(
  ctx: ServiceContext,
  connection: Connection,
  secret: string,
): Promise<OpenedOAuthGrant> {
  const { runtime } = ctx;
  const found = await ctx.read((tx) =>
    selectOAuthGrant(tx, connection.id, hashGrant(secret), ctx.now()),
  );
  const client = findOAuthClient(runtime.config, found?.provider ?? null);
  if (found === null || client === null) {
    throw invalid([{ path: "oauth_grant", message: "it is unknown, was used, or has expired" }]);
  }
  const place = oauthContext(found.tenantId, found.id);
  const token = runtime.vault.open("dns_credential", place, found.sealed).toString("utf8");
  return {
    provider: found.provider,
    fields: { [client.field]: token },
    end: () => endGrant(runtime, found, token),
  };
}

const revokeTimeoutMs = 5_000;

/** The row goes first: what cannot be revoked is still gone here, and ends by itself. */
async function endGrant(runtime: Runtime, { id, provider }: OAuthGrant, token: string) {
  await runtime.system((tx) => deleteOAuthGrant(tx, id));
  const client = findOAuthClient(runtime.config, provider);
  if (client === null) return;
  try {
    const signal = AbortSignal.timeout(revokeTimeoutMs);
    await revokeOAuthToken(client, runtime.egress.fetch, token, signal);
  } catch (error) {
    runtime.log.warn({ err: error, provider }, "oauth token not revoked");
  }
}

/** Of the secret that redeems a token; only this is stored. */
export function hashGrant(grant: string): Buffer {
  return createHash("sha256").update(grant, "utf8").digest();
}
