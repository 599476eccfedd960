import assert from "node:assert/strict";
import { until } from "../../processes/until.ts";
import { textOf } from "../http.ts";
import { startWebhookApp } from "./webhook-app.ts";
import { startReceiver } from "./webhook-receiver.ts";

/** A delivery as the service sent it within 24 hours after its endpoint's secret was rotated. */
export interface RotatedDelivery {
  readonly type: string;
  readonly body: string;
  /** What proves the delivery; all names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  readonly oldSecret: string;
  readonly newSecret: string;
}

/** Rotates the secret of an endpoint, and records what the service delivers to it next. */
export async function recordRotatedDelivery(): Promise<RotatedDelivery> {
  const shop = await startWebhookApp();
  const receiver = await startReceiver();
  try {
    const type = "domain.added";
    const { id, secret: oldSecret } = await shop.endpoint(receiver.url, [type]);
    const path = `/v1/webhook-endpoints/${id}/rotate-secret`;
    const newSecret = textOf(await shop.call(path, { method: "POST" }), "signing_secret");
    await shop.emitEvent();
    await until(() => receiver.received.length > 0, "the delivery");
    const [received] = receiver.received;
    assert.ok(received);
    const headers: Record<string, string> = {};
    for (const [name, value] of Object.entries(received.headers)) {
      const isProof = /^(?:x-svc|webhook)-|^content-type$/.test(name);
      if (isProof && typeof value === "string") headers[name] = value;
    }
    return { type, body: received.body.toString("utf8"), headers, oldSecret, newSecret };
  } finally {
    await receiver.close();
    await shop.close();
  }
}
