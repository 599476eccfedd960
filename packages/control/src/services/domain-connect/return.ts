import { timingSafeEqual } from "node:crypto";
import { type AsyncGrant, exchangeCode, foreignLine, ProviderError } from "@mooring/dns";
import type { Tx } from "../../db/engine/transaction.ts";
import { selectApplication } from "../../db/queries/applications/applications.ts";
import { selectPartner } from "../../db/queries/connections/connection-settings.ts";
import { selectConnection } from "../../db/queries/connections/connections.ts";
import { requestRecheck } from "../../db/queries/connections/due-connections.ts";
import {
  closeAttempt,
  failAttempt,
  saveGrant,
  selectAttemptByState,
} from "../../db/queries/domain-connect/domain-connect.ts";
import { insertAudit } from "../../db/queries/operator/audit.ts";
import type { Connection } from "../../domain/connections/connection.ts";
import { partnerName } from "../../domain/connections/pair.ts";
import {
  type AttemptOutcome,
  type DomainConnectAttempt,
  hashState,
  isOwnState,
} from "../../domain/domain-connect/domain-connect.ts";
import { insertWriteEntry } from "../connections/timeline.ts";
import { ownTemplate } from "../domains/domain-connect-offer.ts";
import type { Runtime } from "../runtime.ts";
import { asyncClient, sealTokens, tokenEnd } from "./grant.ts";
import { openerOrigins, returnUrl, stateKeys } from "./redirect.ts";

export type ReturnRefusal = "unknown" | "mismatch" | "expired" | "replayed" | "ended";

/** How the customer's visit to their provider ended. */
export type ReturnResult =
  | { readonly kind: "refused"; readonly reason: ReturnRefusal }
  | {
      readonly kind: "accepted";
      readonly status: "returned" | "cancelled" | "failed";
      readonly connectionId: string;
      readonly hostname: string;
      readonly providerName: string;
      /** Where to send the customer; null: show a page. */
      readonly redirectUri: string | null;
      /** The origins that the popup may post the result to. */
      readonly origins: readonly string[];
    };

/**
 * Handles a customer's return from the provider. The request is not authenticated: a state that is
 * not ours, has expired or was used changes nothing. A valid one is consumed and makes the
 * connection due for a check; only that check changes the connection's state.
 */
export async function returnFromProvider(
  runtime: Runtime,
  input: { readonly pathState: string | null; readonly query: ReturnQuery },
  signal: AbortSignal,
): Promise<ReturnResult> {
  const { pathState, query } = input;
  const state = pathState ?? query.state ?? "";
  if (!isOwnState(stateKeys(runtime.vault), state)) return refused("unknown");
  if (query.state !== null && !isSame(state, query.state)) return refused("mismatch");
  const accepted = await runtime.system((tx) => accept(runtime, tx, hashState(state), query));
  if (accepted.kind === "refused") return accepted;
  const { attempt, connection, end, origins } = accepted;
  const isGranted =
    attempt.mode === "sync" || end.outcome !== "returned"
      ? true
      : await takeGrant(runtime, { attempt, connection, code: query.code ?? "" }, signal);
  return {
    kind: "accepted",
    status: isGranted ? toStatus(end.outcome) : "failed",
    connectionId: connection.id,
    hostname: connection.hostname,
    providerName: attempt.providerName,
    redirectUri: attempt.redirectUri,
    origins,
  };
}

function refused(reason: ReturnRefusal): { kind: "refused"; reason: ReturnRefusal } {
  return { kind: "refused", reason };
}

function isSame(one: string, other: string): boolean {
  return timingSafeEqual(hashState(one), hashState(other));
}

function toStatus(outcome: AttemptOutcome): "returned" | "cancelled" | "failed" {
  return outcome === "returned" || outcome === "cancelled" ? outcome : "failed";
}

interface Accepted {
  readonly kind: "accepted";
  readonly attempt: DomainConnectAttempt;
  readonly connection: Connection;
  readonly end: ReturnedEnd;
  readonly origins: readonly string[];
}

/** The tenant is not known yet: the state is looked up across tenants, by its hash. */
async function accept(
  runtime: Runtime,
  tx: Tx,
  stateHash: Buffer,
  query: ReturnQuery,
): Promise<Accepted | ReturnType<typeof refused>> {
  const now = runtime.clock.now();
  const attempt = await selectAttemptByState(tx, stateHash);
  if (attempt === null) return refused("unknown");
  if (attempt.returnedAt !== null) return refused("replayed");
  if (attempt.expiresAt <= now) return refused("expired");
  const connection = await selectConnection(tx, attempt.connectionId);
  const application = connection ? await selectApplication(tx, connection.applicationId) : null;
  if (!connection || !application || connection.state === "archived") return refused("ended");
  const end = judgeReturn(attempt, query);
  if (!(await closeAttempt(tx, attempt.id, end, now))) return refused("replayed");
  for (const one of await coveredBy(runtime, tx, attempt, connection)) {
    await noteReturn(tx, one, attempt, end, now);
    await requestRecheck(tx, one.id, now);
  }
  const origins = openerOrigins(runtime.config, application);
  return { kind: "accepted", attempt, connection, end, origins };
}

/** The consent to the template of a pair is one for both names. */
async function coveredBy(
  { config }: Runtime,
  tx: Tx,
  { serviceId }: DomainConnectAttempt,
  connection: Connection,
): Promise<readonly Connection[]> {
  const name = partnerName(connection.hostname);
  if (name === null || serviceId !== ownTemplate(config, "pair")?.serviceId) return [connection];
  const partner = await selectPartner(tx, connection, name);
  return partner === null ? [connection] : [connection, partner];
}

async function noteReturn(
  tx: Tx,
  connection: Connection,
  { providerName, zone }: DomainConnectAttempt,
  { outcome, error, description }: ReturnedEnd,
  now: Date,
): Promise<void> {
  const entry = { via: "domain_connect", provider: providerName, zone } as const;
  await insertWriteEntry(tx, connection, { ...entry, outcome, error, description }, now, {
    actor: "customer",
  });
}

/** What the provider appended to our URL; it may have been tampered with. */
export interface ReturnQuery {
  readonly state: string | null;
  readonly code: string | null;
  readonly error: string | null;
  readonly errorDescription: string | null;
}

interface ReturnedEnd {
  readonly outcome: AttemptOutcome;
  /** A name of RFC 6749 §4.1.2.1, or `unknown_error`. */
  readonly error: string | null;
  readonly description: string | null;
}

const maxDescriptionLength = 200;

/**
 * What the provider reported. It is recorded, not trusted: only DNS shows whether records are set.
 */
function judgeReturn(attempt: Pick<DomainConnectAttempt, "mode">, query: ReturnQuery): ReturnedEnd {
  const { error, code } = query;
  if (error === null) {
    const isEmpty = attempt.mode === "async" && (code === null || code === "");
    const outcome = isEmpty ? "refused" : "returned";
    return { outcome, error: isEmpty ? "no_code" : null, description: null };
  }
  return {
    outcome: error === "access_denied" ? "cancelled" : "refused",
    error: /^[a-z_]{1,64}$/.test(error) ? error : "unknown_error",
    description: plain(query.errorDescription),
  };
}

/** Text of an untrusted party: control characters are removed, and it is cut. */
function plain(text: string | null): string | null {
  const line = foreignLine(text ?? "", maxDescriptionLength);
  return line === "" ? null : line;
}

interface ReturnedCode {
  readonly attempt: DomainConnectAttempt;
  readonly connection: Connection;
  readonly code: string;
}

/**
 * Exchanges the code for a grant and stores it sealed; the next check applies it. False: refused.
 */
async function takeGrant(
  runtime: Runtime,
  returned: ReturnedCode,
  signal: AbortSignal,
): Promise<boolean> {
  try {
    await storeGrant(runtime, returned, await exchange(runtime, returned, signal));
    return true;
  } catch (error) {
    const message = expected(error, signal);
    if (message === null) throw error;
    await noteFailure(runtime, returned, message);
    return false;
  }
}

function expected(error: unknown, signal: AbortSignal): string | null {
  if (error instanceof ProviderError) return error.message;
  return signal.aborted ? "the provider did not answer in time" : null;
}

function exchange(
  runtime: Runtime,
  { attempt, code }: ReturnedCode,
  signal: AbortSignal,
): Promise<AsyncGrant> {
  const { providerId } = attempt;
  const client = runtime.domainConnectClients.find((one) => one.providerId === providerId);
  if (client === undefined) {
    throw new ProviderError("unsupported", "The service is no client of the provider any more.");
  }
  const input = { code, redirectUri: returnUrl(runtime.config) };
  return exchangeCode(asyncClient(runtime, client), input, signal);
}

async function storeGrant(
  runtime: Runtime,
  { attempt, connection }: ReturnedCode,
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
  { attempt, connection }: ReturnedCode,
  message: string,
): Promise<void> {
  await runtime.system(async (tx) => {
    await failAttempt(tx, attempt.id, message);
    const { providerName: provider, zone } = attempt;
    const entry = { via: "domain_connect", provider, zone, outcome: "failed" } as const;
    await insertWriteEntry(tx, connection, { ...entry, error: message }, runtime.clock.now(), {
      actor: "customer",
    });
  });
}
