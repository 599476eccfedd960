import type { Tx } from "../../db/engine/transaction.ts";
import { noteDelivery } from "../../db/queries/connections/timeline.ts";
import { insertAudit } from "../../db/queries/operator/audit.ts";
import { fanOut, insertDelivery } from "../../db/queries/webhooks/deliveries.ts";
import {
  type DueDelivery,
  writeAttempt,
  writeSuccess,
} from "../../db/queries/webhooks/due-deliveries.ts";
import { insertApplicationEvent } from "../../db/queries/webhooks/events.ts";
import {
  disableEndpoint,
  lockEndpointHealth,
  readEndpointHealth,
  shareEndpointHealth,
  updateEndpointHealth,
} from "../../db/queries/webhooks/webhook-endpoints.ts";
import { newId } from "../../domain/id.ts";
import { disabledEventType } from "../../domain/webhooks/event.ts";
import {
  type AttemptResult,
  afterAttempt,
  type DeliveryAttempt,
  type DeliveryDecision,
  type DisabledReason,
  type EndpointHealth,
  failingSince,
  isSuccess,
} from "../../domain/webhooks/webhook.ts";
import type { Runtime } from "../runtime.ts";

/** Writes an attempt and everything that follows from it in one transaction. */
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
    const { health, isLocked } = await healthFor(tx, delivery, decide);
    const { decision, since } = decide(health);
    const dueAt = nextAt(decision, now);
    const next = { status: decision.status, dueAt, now };
    // False: the lease was lost, and the attempt of the worker that has it now counts.
    if (!(await writeAttempt(tx, delivery, attempt, next))) return;
    if (health) {
      await updateEndpointHealth(tx, delivery.endpointId, {
        failingSince: since,
        lastFailedAt: now,
      });
    }
    if (isLocked && health?.active && decision.disables !== null) {
      await disableEndpoint(tx, delivery.endpointId, decision.disables);
      await announceDisabled(tx, delivery, decision.disables, now);
    }
    // The retries in between say nothing new; the log of the endpoint has them.
    if (dueAt !== null && delivery.tries > 0) return;
    const { status_code: statusCode, error } = attempt;
    const { status } = decision;
    await noteDelivery(tx, delivery, { status, statusCode, error, nextAttemptAt: dueAt }, now);
  });
}

type Decide = (health: EndpointHealth | null) => {
  readonly decision: DeliveryDecision;
  readonly since: Date;
};

/** The random number is drawn once, so that deciding twice gives the same decision. */
function decider(delivery: DueDelivery, result: AttemptResult, now: Date): Decide {
  const random = Math.random();
  return (health) => {
    const since = health ? failingSince(health, now) : now;
    const failingForMs = now.getTime() - since.getTime();
    const tries = delivery.tries + 1;
    return { since, decision: afterAttempt(result, { tries, failingForMs, random }) };
  };
}

/**
 * Locks the endpoint's row: shared with other attempts, or exclusively when it will be switched
 * off.
 */
async function healthFor(
  tx: Tx,
  delivery: DueDelivery,
  decide: Decide,
): Promise<{ readonly health: EndpointHealth | null; readonly isLocked: boolean }> {
  const { endpointId } = delivery;
  const current = await readEndpointHealth(tx, endpointId);
  const isLocked = current?.active === true && decide(current).decision.disables !== null;
  const lock = isLocked ? lockEndpointHealth : shareEndpointHealth;
  return { health: await lock(tx, endpointId), isLocked };
}

/**
 * Of an endpoint that is off nothing is claimed, whatever is due; it continues when it is switched
 * on.
 */
function nextAt({ nextInMs }: DeliveryDecision, now: Date): Date | null {
  return nextInMs === null ? null : new Date(now.getTime() + nextInMs);
}

/**
 * Open deliveries wait until the endpoint is switched on again. The event is in the endpoint's own
 * delivery log, and is sent to the application's other endpoints.
 */
async function announceDisabled(
  tx: Tx,
  delivery: DueDelivery,
  reason: DisabledReason,
  now: Date,
): Promise<void> {
  const { endpointId, applicationId, url } = delivery;
  await insertAudit(tx, {
    tenantId: delivery.tenantId,
    environment: delivery.environment,
    at: now,
    actor: "service",
    action: "webhook_endpoint.disable",
    subject: `webhook_endpoint:${endpointId}`,
    details: { reason },
  });
  const data = { endpoint: { id: endpointId, url, disabled_reason: reason } };
  const type = disabledEventType;
  const about = { applicationId, connection: null };
  const eventId = await insertApplicationEvent(tx, delivery, { ...about, type, at: now, data });
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
