import { type OAuthTokens, ProviderError, refreshOAuthTokens } from "@mooring/dns";
import { VaultError } from "@mooring/vault";
import { z } from "zod";
import {
  insertCredential,
  type SealedCredential,
} from "../../db/queries/applications/credentials.ts";
import {
  deleteEnded,
  deleteReplaced,
  leaseRefresh,
  type RetainedSignIn,
  selectDueRefreshes,
  storeRefreshed,
} from "../../db/queries/applications/retained-sign-ins.ts";
import type { Connection } from "../../domain/connections/connection.ts";
import { newId } from "../../domain/id.ts";
import { requireApplication } from "../applications/applications.ts";
import { audit, type ServiceContext } from "../context.ts";
import { credentialContext } from "../credentials/credentials.ts";
import { noteUse } from "../dns-write/note-use.ts";
import type { Runtime } from "../runtime.ts";
import { findOAuthClient } from "./clients.ts";
import { revokeTokens } from "./revoke.ts";

/** What a customer's sign-in gave, and the zone that it was used for. */
export interface ReceivedSignIn {
  readonly provider: string;
  /** The provider's credential field that takes the access token. */
  readonly field: string;
  readonly tokens: OAuthTokens;
  readonly receivedAt: Date;
  readonly zone: string;
}

/** Beside the provider's own fields, in the sealed value. */
const refreshKey = "refresh_token";
const Stored = z.record(z.string(), z.string());
const maxNameLength = 100;

/**
 * Stores the permission as a credential of the customer's connections alone, when their application
 * asks for that. A token that ends and cannot be refreshed is not worth keeping. False: it is to be
 * thrown away.
 */
export async function keepSignIn(
  ctx: ServiceContext,
  connections: readonly [Connection, ...Connection[]],
  { provider, field, tokens, receivedAt, zone }: ReceivedSignIn,
): Promise<boolean> {
  const [first] = connections;
  const { runtime } = ctx;
  const canLast = tokens.expiresInSeconds === null || tokens.refreshToken !== null;
  const application = await ctx.read((tx) => requireApplication(tx, first.applicationId));
  if (!application.keepOAuth || !canLast) return false;
  const createdAt = ctx.now();
  const id = newId(createdAt);
  const connectionIds = connections.map((connection) => connection.id);
  const fields = { [field]: tokens.accessToken };
  const sealed = seal(runtime, { id, tenantId: first.tenantId }, fields, tokens.refreshToken);
  const credential = {
    id,
    applicationId: first.applicationId,
    provider,
    name: first.hostname.slice(0, maxNameLength),
    zone,
    last4: "",
    lastUsedAt: null,
    lastError: null,
    connectionIds,
    createdAt,
  };
  const replaced = await ctx.write(async (tx) => {
    const older = await deleteReplaced(tx, connectionIds, provider);
    await insertCredential(tx, ctx.actor, credential, sealed, refreshTime(tokens, receivedAt));
    await audit(ctx, tx, "credential.keep", id, { provider, zone, connection_ids: connectionIds });
    return older;
  });
  for (const one of replaced) await throwAway(runtime, one);
  return true;
}

function seal(
  { vault }: Pick<Runtime, "vault">,
  { id, tenantId }: Pick<RetainedSignIn, "id" | "tenantId">,
  fields: Readonly<Record<string, string>>,
  refreshToken: string | null,
): string {
  const value = refreshToken === null ? fields : { ...fields, [refreshKey]: refreshToken };
  return vault.seal("dns_credential", credentialContext(tenantId, id), JSON.stringify(value));
}

/** After two thirds of its life, so that two more attempts fit. */
function refreshTime({ expiresInSeconds, refreshToken }: OAuthTokens, from: Date): Date | null {
  if (expiresInSeconds === null || refreshToken === null) return null;
  return new Date(from.getTime() + (expiresInSeconds * 2_000) / 3);
}

/** The fields of a retained sign-in without what is nothing of the provider's adapter. */
export function adapterFields(
  fields: Readonly<Record<string, string>>,
): Readonly<Record<string, string>> {
  const { [refreshKey]: _, ...rest } = fields;
  return rest;
}

/** Nobody else refreshes the same token meanwhile: some providers accept a refresh token once. */
const refreshLeaseMs = 60_000;
const refreshTimeoutMs = 15_000;

/** The sealed value to use now: refreshed when that is due. Failures are ProviderErrors. */
export async function freshSignIn(
  runtime: Runtime,
  { id, sealed, refreshAt }: Pick<SealedCredential, "id" | "sealed" | "refreshAt">,
): Promise<string> {
  if (refreshAt === null || refreshAt > runtime.clock.now()) return sealed;
  return (await refresh(runtime, id)) ?? sealed;
}

/** Null when somebody else refreshes it, or the provider is away: the old one works for a while. */
async function refresh(runtime: Runtime, id: string): Promise<string | null> {
  const now = runtime.clock.now();
  const until = new Date(now.getTime() + refreshLeaseMs);
  const retained = await runtime.system((tx) => leaseRefresh(tx, id, now, until));
  const client = findOAuthClient(runtime.config, retained?.provider ?? null);
  const fields = retained && unseal(runtime, retained);
  const refreshToken = fields?.[refreshKey];
  if (!retained || !client || !fields || refreshToken === undefined) return null;
  try {
    const signal = AbortSignal.timeout(refreshTimeoutMs);
    const fetch = runtime.egress.fetch;
    const tokens = await refreshOAuthTokens(client, fetch, refreshToken, signal);
    const fresh = { ...adapterFields(fields), [client.field]: tokens.accessToken };
    const sealed = seal(runtime, retained, fresh, tokens.refreshToken);
    const refreshAt = refreshTime(tokens, now);
    await runtime.system((tx) => storeRefreshed(tx, id, { sealed, refreshAt }));
    return sealed;
  } catch (error) {
    runtime.log.warn({ err: error, credentialId: id }, "oauth token not refreshed");
    if (!(error instanceof ProviderError && error.kind === "auth")) return null;
    await noteUse(runtime, { credentialId: id, connectionId: null }, error);
    throw error;
  }
}

const batchSize = 100;

/** Refreshes tokens in time, used or not, and throws away those whose connections are archived. */
export async function refreshSignIns(runtime: Runtime): Promise<void> {
  const due = await runtime.system((tx) => selectDueRefreshes(tx, runtime.clock.now(), batchSize));
  for (const id of due) {
    await refresh(runtime, id).catch((error: unknown) => {
      // Refused by the provider, which is noted with the credential.
      if (!(error instanceof ProviderError)) throw error;
    });
  }
  const ended = await runtime.system((tx) => deleteEnded(tx, batchSize));
  for (const one of ended) await throwAway(runtime, one);
}

/**
 * Ends the permission that was retained for a connection, unless it serves the other one of a pair.
 */
export async function endSignIn(runtime: Runtime, connectionId: string): Promise<void> {
  const ended = await runtime.system((tx) => deleteEnded(tx, batchSize, connectionId));
  for (const one of ended) await throwAway(runtime, one);
}

/** Ends at the provider what is deleted here. */
export async function throwAway(runtime: Runtime, retained: RetainedSignIn): Promise<void> {
  const fields = unseal(runtime, retained);
  const client = findOAuthClient(runtime.config, retained.provider);
  const accessToken = client && fields?.[client.field];
  if (!accessToken) return;
  const refreshToken = fields?.[refreshKey] ?? null;
  await revokeTokens(runtime, retained.provider, { accessToken, refreshToken });
}

function unseal(
  runtime: Runtime,
  { id, tenantId, sealed }: RetainedSignIn,
): Readonly<Record<string, string>> | null {
  try {
    const context = credentialContext(tenantId, id);
    const plain = runtime.vault.open("dns_credential", context, sealed).toString("utf8");
    return Stored.parse(JSON.parse(plain));
  } catch (error) {
    if (!(error instanceof VaultError)) throw error;
    runtime.log.error({ err: error, credentialId: id }, "credential not opened");
    return null;
  }
}
