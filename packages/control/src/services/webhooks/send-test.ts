import { insertDelivery } from "../../db/deliveries.ts";
import { insertTestEvent } from "../../db/events.ts";
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
    const eventId = await insertTestEvent(tx, ctx.actor, endpoint.applicationId, at);
    const delivery = {
      id: newId(at),
      endpointId: id,
      eventId,
      eventType: testEventType,
      at,
    };
    await insertDelivery(tx, ctx.actor, delivery);
    return { ...delivery, status: "pending", attempts: [], nextAttemptAt: at, createdAt: at };
  });
}
