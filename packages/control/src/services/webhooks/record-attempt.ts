import { fanOut, insertDelivery, pauseDeliveries } from "../../db/deliveries.ts";
import { type DueDelivery, writeAttempt } from "../../db/due-deliveries.ts";
import { insertEndpointEvent, noteDelivery } from "../../db/events.ts";
import { inTransaction, type Tx } from "../../db/transaction.ts";
import {
  lockEndpointStanding,
  noteEndpointFailure,
  noteEndpointSuccess,
} from "../../db/webhook-endpoints.ts";
import { disabledEventType, testEventType } from "../../domain/event.ts";
import { newId } from "../../domain/id.ts";
import {
  type AttemptResult,
  afterAttempt,
  type DeliveryAttempt,
  type DeliveryDecision,
  type DisabledReason,
  type EndpointStanding,
  failingSince,
  isSuccess,
} from "../../domain/webhook.ts";
import type { Runtime } from "../runtime.ts";

/** Writes an attempt and all that follows from it, in one transaction. */
export function recordAttempt(
  runtime: Runtime,
  delivery: DueDelivery,
  attempt: DeliveryAttempt,
  result: AttemptResult,
): Promise<void> {
  return inTransaction(runtime.database.query, async (tx) => {
    const now = runtime.clock.now();
    const standing = await standingFor(tx, delivery, result);
    const since = standing ? failingSince(standing, now) : now;
    const decision = afterAttempt(result, {
      tries: delivery.tries + 1,
      failingForMs: now.getTime() - since.getTime(),
      random: Math.random(),
    });
    const dueAt = nextAt(decision, delivery, standing, now);
    const next = { status: decision.status, dueAt, now };
    // False: another worker has taken it over, and its attempt is the one that counts.
    if (!(await writeAttempt(tx, delivery, attempt, next))) return;
    if (standing) await noteStanding(tx, delivery, { standing, since, decision, now });
    if (dueAt === null) await noteDelivery(tx, delivery, decision, now);
  });
}

/** The endpoint's row is read and written only where the outcome changes it: most succeed again. */
function standingFor(
  tx: Tx,
  delivery: DueDelivery,
  result: AttemptResult,
): Promise<EndpointStanding | null> {
  if (isSuccess(result) && delivery.failingSince === null) return Promise.resolve(null);
  return lockEndpointStanding(tx, delivery.endpointId);
}

/** Nothing more is sent to an endpoint that was switched off meanwhile, save what is to try it. */
function nextAt(
  { nextInMs }: DeliveryDecision,
  delivery: DueDelivery,
  standing: EndpointStanding | null,
  now: Date,
): Date | null {
  const isOff = standing !== null && !standing.active && delivery.eventType !== testEventType;
  return nextInMs === null || isOff ? null : new Date(now.getTime() + nextInMs);
}

async function noteStanding(
  tx: Tx,
  delivery: DueDelivery,
  outcome: {
    readonly standing: EndpointStanding;
    readonly since: Date;
    readonly decision: DeliveryDecision;
    readonly now: Date;
  },
): Promise<void> {
  const { standing, since, decision, now } = outcome;
  if (decision.status === "delivered") return noteEndpointSuccess(tx, delivery.endpointId);
  const disables = standing.active ? decision.disables : null;
  await noteEndpointFailure(tx, delivery.endpointId, { since, now, disables });
  if (disables) await tellDisabled(tx, delivery, disables, now);
}

/**
 * What is open stays open until it is switched on again. That it was switched off stands in its own
 * log, and the application's other endpoints are told.
 */
async function tellDisabled(
  tx: Tx,
  delivery: DueDelivery,
  reason: DisabledReason,
  now: Date,
): Promise<void> {
  const { endpointId, applicationId, url } = delivery;
  await pauseDeliveries(tx, endpointId);
  const data = { endpoint: { id: endpointId, url, disabled_reason: reason } };
  const type = disabledEventType;
  const eventId = await insertEndpointEvent(tx, delivery, { type, applicationId, at: now, data });
  await insertDelivery(tx, delivery, {
    id: newId(now),
    endpointId,
    eventId,
    eventType: type,
    status: "failed",
    at: now,
    dueAt: null,
  });
  await fanOut(tx, { id: eventId, applicationId, type, at: now });
}
