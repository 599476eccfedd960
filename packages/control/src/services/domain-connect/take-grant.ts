import { type AsyncGrant, exchangeCode, ProviderError } from "@mooring/dns";
import { insertAudit } from "../../db/queries/audit.ts";
import { failAttempt, saveGrant } from "../../db/queries/domain-connect.ts";
import { requestRecheck } from "../../db/queries/due-connections.ts";
import { insertTimeline } from "../../db/queries/events.ts";
import type { Connection } from "../../domain/connection.ts";
import type { DomainConnectAttempt } from "../../domain/domain-connect.ts";
import type { Runtime } from "../runtime.ts";
import { asyncClient, sealTokens, tokenEnd } from "./grant.ts";
import { returnUrl } from "./identity.ts";

export interface Coming {
  readonly attempt: DomainConnectAttempt;
  readonly connection: Connection;
  readonly code: string;
}

/** Turns the code into a grant and keeps it sealed; the next look applies it. False: it was refused. */
export async function takeGrant(
  runtime: Runtime,
  coming: Coming,
  signal: AbortSignal,
): Promise<boolean> {
  try {
    await keep(runtime, coming, await exchange(runtime, coming, signal));
    return true;
  } catch (error) {
    const message = expected(error, signal);
    if (message === null) throw error;
    await noteFailure(runtime, coming, message);
    return false;
  }
}

function expected(error: unknown, signal: AbortSignal): string | null {
  if (error instanceof ProviderError) return error.message;
  return signal.aborted ? "the provider did not answer in time" : null;
}

function exchange(
  runtime: Runtime,
  { attempt, code }: Coming,
  signal: AbortSignal,
): Promise<AsyncGrant> {
  const { providerId } = attempt;
  const client = runtime.domainConnectClients.find((one) => one.providerId === providerId);
  if (client === undefined) {
    throw new ProviderError("unsupported", "The service is no client of the provider any more.");
  }
  const given = { code, redirectUri: returnUrl(runtime.config) };
  return exchangeCode(asyncClient(runtime, client), given, signal);
}

async function keep(
  runtime: Runtime,
  { attempt, connection }: Coming,
  granted: AsyncGrant,
): Promise<void> {
  const now = runtime.clock.now();
  const { tenantId, environment, id: connectionId } = connection;
  const { accessToken, refreshToken } = granted;
  const owner = { tenantId, connectionId };
  await runtime.system(async (tx) => {
    await saveGrant(tx, {
      ...owner,
      environment,
      providerId: attempt.providerId ?? "",
      providerName: attempt.providerName,
      zone: attempt.zone,
      host: attempt.host,
      serviceId: attempt.serviceId,
      sealed: sealTokens(runtime, owner, { accessToken, refreshToken }),
      tokenExpiresAt: tokenEnd(now, granted),
      createdAt: now,
      appliedAt: null,
    });
    await insertAudit(tx, {
      tenantId,
      environment,
      at: now,
      actor: "customer",
      action: "domain_connect_grant.create",
      subject: `domain_connect_grant:${connectionId}`,
      details: { provider: attempt.providerId, zone: attempt.zone },
    });
    await requestRecheck(tx, connectionId, now);
  });
}

async function noteFailure(
  runtime: Runtime,
  { attempt, connection }: Coming,
  message: string,
): Promise<void> {
  await runtime.system(async (tx) => {
    await failAttempt(tx, attempt.id, message);
    await insertTimeline(tx, connection, {
      kind: "write",
      fromState: null,
      toState: null,
      errorCode: null,
      details: {
        via: "domain_connect",
        provider: attempt.providerName,
        zone: attempt.zone,
        outcome: "failed",
        error: message,
      },
      createdAt: runtime.clock.now(),
    });
  });
}
