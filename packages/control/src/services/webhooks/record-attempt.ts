import type { Tx } from "../../db/engine/transaction.ts";
import { fanOut, insertDelivery, pauseDeliveries } from "../../db/queries/deliveries.ts";
import { type DueDelivery, writeAttempt, writeSuccess } from "../../db/queries/due-deliveries.ts";
import { insertEndpointEvent, noteDelivery } from "../../db/queries/events.ts";
import {
  disableEndpoint,
  lockEndpointStanding,
  noteEndpointStanding,
  readEndpointStanding,
  shareEndpointStanding,
} from "../../db/queries/webhook-endpoints.ts";
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

/** Writes an attempt and all that follows from it, whole or not at all. */
export function recordAttempt(
  runtime: Runtime,
  delivery: DueDelivery,
  attempt: DeliveryAttempt,
  result: AttemptResult,
): Promise<void> {
  return isSuccess(result)
    ? writeSuccess(runtime.database, delivery, attempt, runtime.clock.now())
    : recordFailure(runtime, delivery, attempt, result);
}

function recordFailure(
  runtime: Runtime,
  delivery: DueDelivery,
  attempt: DeliveryAttempt,
  result: AttemptResult,
): Promise<void> {
  return runtime.transaction(async (tx) => {
    const now = runtime.clock.now();
    const decide = decider(delivery, result, now);
    const { standing, isLocked } = await standingFor(tx, delivery, decide);
    const { decision, since } = decide(standing);
    const dueAt = nextAt(decision, delivery, standing, now);
    const next = { status: decision.status, dueAt, now };
    // False: another worker has taken it over, and its attempt is the one that counts.
    if (!(await writeAttempt(tx, delivery, attempt, next))) return;
    if (standing) {
      await noteEndpointStanding(tx, delivery.endpointId, {
        failingSince: since,
        lastFailedAt: now,
      });
    }
    if (isLocked && standing?.active && decision.disables !== null) {
      await disableEndpoint(tx, delivery.endpointId, decision.disables);
      await tellDisabled(tx, delivery, decision.disables, now);
    }
    if (dueAt === null) await noteDelivery(tx, delivery, decision, now);
  });
}

type Decide = (standing: EndpointStanding | null) => {
  readonly decision: DeliveryDecision;
  readonly since: Date;
};

/** The same chance each time, so that what is decided again is decided alike. */
function decider(delivery: DueDelivery, result: AttemptResult, now: Date): Decide {
  const random = Math.random();
  return (standing) => {
    const since = standing ? failingSince(standing, now) : now;
    const failingForMs = now.getTime() - since.getTime();
    const tries = delivery.tries + 1;
    return { since, decision: afterAttempt(result, { tries, failingForMs, random }) };
  };
}

/** The endpoint's row is shared with the others that count on it, and held alone to switch it off. */
async function standingFor(
  tx: Tx,
  delivery: DueDelivery,
  decide: Decide,
): Promise<{ readonly standing: EndpointStanding | null; readonly isLocked: boolean }> {
  const { endpointId } = delivery;
  const seen = await readEndpointStanding(tx, endpointId);
  const isLocked = seen?.active === true && decide(seen).decision.disables !== null;
  const take = isLocked ? lockEndpointStanding : shareEndpointStanding;
  return { standing: await take(tx, endpointId), isLocked };
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
