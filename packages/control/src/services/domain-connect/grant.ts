import { type AsyncClient, type AsyncGrant, refreshGrant } from "@mooring/dns";
import { VaultError } from "@mooring/vault";
import { z } from "zod";
import { sweepOAuthGrants } from "../../db/queries/applications/oauth-grants.ts";
import {
  selectGrant,
  sweepAttempts,
  sweepGrants,
  updateGrantTokens,
} from "../../db/queries/domain-connect/domain-connect.ts";
import { insertAudit } from "../../db/queries/operator/audit.ts";
import type { Connection } from "../../domain/connections/connection.ts";
import type {
  DomainConnectClient,
  DomainConnectGrant,
} from "../../domain/domain-connect/domain-connect.ts";
import type { Runtime } from "../runtime.ts";
import { returnUrl } from "./redirect.ts";

const Tokens = z.object({ accessToken: z.string(), refreshToken: z.string().nullable() });
type Tokens = z.infer<typeof Tokens>;

/** A token that is about to expire is refreshed before it is used. */
const leewayMs = 30_000;

export function grantContext(tenantId: string, connectionId: string) {
  return {
    tenant: tenantId,
    table: "domain_connect_grants",
    row: connectionId,
    column: "sealed",
  };
}

export function sealTokens(
  { vault }: Pick<Runtime, "vault">,
  owner: Pick<DomainConnectGrant, "tenantId" | "connectionId">,
  tokens: Tokens,
): string {
  const context = grantContext(owner.tenantId, owner.connectionId);
  return vault.seal("domain_connect", context, JSON.stringify(tokens));
}

export function tokenEnd(now: Date, { expiresInSeconds }: AsyncGrant): Date {
  return new Date(now.getTime() + expiresInSeconds * 1_000);
}

export function findGrant(
  runtime: Runtime,
  connectionId: string,
): Promise<DomainConnectGrant | null> {
  return runtime.system((tx) => selectGrant(tx, connectionId));
}

/** The same for a worker's check, without a query when no client is configured. */
export async function usableGrant(
  runtime: Runtime,
  connection: Connection,
): Promise<DomainConnectGrant | null> {
  return runtime.domainConnectClients.length === 0 ? null : findGrant(runtime, connection.id);
}

/** The provider's API as configured, through the egress guard. */
export function asyncClient(runtime: Runtime, client: DomainConnectClient): AsyncClient {
  const { urlAPI, clientId, clientSecret } = client;
  return { urlAPI, clientId, clientSecret, fetch: runtime.egress.fetch };
}

export interface OpenedGrant {
  readonly client: AsyncClient;
  readonly accessToken: string;
}

/**
 * Opens a grant and refreshes expired tokens; every opening leaves an audit row. Null when it
 * cannot be used any more: its client is not configured, or the row does not open.
 */
export async function openGrant(
  runtime: Runtime,
  grant: DomainConnectGrant,
  actor: string,
  signal: AbortSignal,
): Promise<OpenedGrant | null> {
  const found = runtime.domainConnectClients.find((one) => one.providerId === grant.providerId);
  const tokens = found ? unseal(runtime, grant) : null;
  if (!found || tokens === null) return null;
  await noteOpening(runtime, grant, actor);
  const client = asyncClient(runtime, found);
  const now = runtime.clock.now();
  const end = grant.tokenExpiresAt?.getTime() ?? Number.POSITIVE_INFINITY;
  if (end - now.getTime() > leewayMs || tokens.refreshToken === null) {
    return { client, accessToken: tokens.accessToken };
  }
  const request = { refreshToken: tokens.refreshToken, redirectUri: returnUrl(runtime.config) };
  const fresh = await refreshGrant(client, request, signal);
  const { accessToken, refreshToken } = fresh;
  const sealed = sealTokens(runtime, grant, { accessToken, refreshToken });
  await runtime.system((tx) =>
    updateGrantTokens(tx, grant.connectionId, { sealed, tokenExpiresAt: tokenEnd(now, fresh) }),
  );
  return { client, accessToken };
}

/** A row that was moved or altered does not open. The log says why; the caller does not. */
function unseal(runtime: Runtime, grant: DomainConnectGrant): Tokens | null {
  try {
    const context = grantContext(grant.tenantId, grant.connectionId);
    const plain = runtime.vault.open("domain_connect", context, grant.sealed).toString("utf8");
    return Tokens.parse(JSON.parse(plain));
  } catch (error) {
    if (!(error instanceof VaultError)) throw error;
    const { connectionId } = grant;
    runtime.log.error({ err: error, connectionId }, "domain connect grant not opened");
    return null;
  }
}

async function noteOpening(
  runtime: Runtime,
  grant: DomainConnectGrant,
  actor: string,
): Promise<void> {
  await runtime.system((tx) =>
    insertAudit(tx, {
      tenantId: grant.tenantId,
      environment: grant.environment,
      at: runtime.clock.now(),
      actor,
      action: "domain_connect_grant.open",
      subject: `domain_connect_grant:${grant.connectionId}`,
      details: { provider: grant.providerId },
    }),
  );
}

/** As long as a diagnosis may report an attempt, or an archived connection may be reverted. */
const retentionMs = 7 * 86_400_000;
const batchSize = 1_000;

/**
 * Deletes old attempts, sign-ins that have expired, and grants of connections that were archived
 * long ago.
 */
export async function sweepDomainConnect(runtime: Runtime): Promise<number> {
  const before = new Date(runtime.clock.now().getTime() - retentionMs);
  let total = 0;
  for (;;) {
    const deleted = await runtime.transaction(
      async (tx) =>
        (await sweepAttempts(tx, before, batchSize)) +
        (await sweepGrants(tx, before, batchSize)) +
        (await sweepOAuthGrants(tx, runtime.clock.now(), batchSize)),
    );
    total += deleted;
    if (deleted === 0) return total;
  }
}
