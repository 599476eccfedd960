import { timingSafeEqual } from "node:crypto";
import type { Tx } from "../../db/engine/transaction.ts";
import { selectApplication } from "../../db/queries/applications.ts";
import { selectConnection } from "../../db/queries/connections.ts";
import { closeAttempt, selectAttemptByState } from "../../db/queries/domain-connect.ts";
import { requestRecheck } from "../../db/queries/due-connections.ts";
import { insertTimeline } from "../../db/queries/events.ts";
import type { Connection } from "../../domain/connection.ts";
import {
  type AttemptOutcome,
  type DomainConnectAttempt,
  hashState,
  isOwnState,
} from "../../domain/domain-connect.ts";
import type { Runtime } from "../runtime.ts";
import { openerOrigins } from "./redirect.ts";
import { endOf, type ReturnedEnd, type ReturnQuery } from "./returned.ts";
import { stateKeys } from "./state-keys.ts";
import { takeGrant } from "./take-grant.ts";

export type ReturnRefusal = "unknown" | "mismatch" | "expired" | "replayed" | "ended";

/** How the customer's way through their provider ended. */
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
      /** Who may hear of it from a popup. */
      readonly origins: readonly string[];
    };

/**
 * A customer comes back. Anybody can call this with anything: a state that is not ours, is over, or
 * was used changes nothing. A good one is used up, noted, and makes the connection due for a look;
 * its state moves by what that look sees, never by this.
 */
export async function returnFromProvider(
  runtime: Runtime,
  given: { readonly pathState: string | null; readonly query: ReturnQuery },
  signal: AbortSignal,
): Promise<ReturnResult> {
  const { pathState, query } = given;
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
    status: isGranted ? statusOf(end.outcome) : "failed",
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

function statusOf(outcome: AttemptOutcome): "returned" | "cancelled" | "failed" {
  return outcome === "returned" || outcome === "cancelled" ? outcome : "failed";
}

interface Accepted {
  readonly kind: "accepted";
  readonly attempt: DomainConnectAttempt;
  readonly connection: Connection;
  readonly end: ReturnedEnd;
  readonly origins: readonly string[];
}

/** The state itself says whose it is: it is looked up across tenants, by its hash alone. */
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
  const end = endOf(attempt, query);
  if (!(await closeAttempt(tx, attempt.id, end, now))) return refused("replayed");
  await noteReturn(tx, connection, attempt, end, now);
  await requestRecheck(tx, connection.id, now);
  const origins = openerOrigins(runtime.config, application);
  return { kind: "accepted", attempt, connection, end, origins };
}

async function noteReturn(
  tx: Tx,
  connection: Connection,
  { providerName, zone }: DomainConnectAttempt,
  { outcome, error, description }: ReturnedEnd,
  now: Date,
): Promise<void> {
  await insertTimeline(tx, connection, {
    kind: "write",
    fromState: null,
    toState: null,
    errorCode: null,
    details: {
      via: "domain_connect",
      provider: providerName,
      zone,
      outcome,
      ...(error === null ? {} : { error }),
      ...(description === null ? {} : { description }),
    },
    createdAt: now,
  });
}
