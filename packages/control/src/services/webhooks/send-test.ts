import { insertDelivery } from "../../db/queries/deliveries.ts";
import { insertEndpointEvent } from "../../db/queries/events.ts";
import { testEventType } from "../../domain/event.ts";
import { newId } from "../../domain/id.ts";
import type { Delivery } from "../../domain/webhook.ts";
import type { ServiceContext } from "../context.ts";
import { requireEndpoint } from "./get.ts";

/** Sends a made-up event to this endpoint, whatever it subscribes to and even while it is off. */
export function sendTest(ctx: ServiceContext, id: string): Promise<Delivery> {
  return ctx.write(async (tx) => {
    const endpoint = await requireEndpoint(tx, id);
    const at = ctx.now();
    const { applicationId } = endpoint;
    const type = testEventType;
    const delivery = {
      id: newId(at),
      endpointId: id,
      eventId: await insertEndpointEvent(tx, ctx.actor, { type, applicationId, at, data: {} }),
      eventType: type,
      status: "pending" as const,
    };
    await insertDelivery(tx, ctx.actor, { ...delivery, at, dueAt: at });
    return { ...delivery, attempts: [], nextAttemptAt: at, createdAt: at };
  });
}
