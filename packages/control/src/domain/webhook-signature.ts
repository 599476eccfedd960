import { createHmac } from "node:crypto";

/**
 * The headers that prove a delivery. `X-Svc-Signature` is HMAC-SHA256 over `<timestamp>.<body>`
 * with the UTF-8 bytes of the whole secret; `webhook-signature` is that of the Standard Webhooks
 * libraries, over `<id>.<timestamp>.<body>` with the decoded bytes. During a rotation the previous
 * secret signs too.
 */
export function signatureHeaders(delivery: {
  readonly eventId: string;
  readonly eventType: string;
  readonly attempt: number;
  readonly body: string;
  readonly at: Date;
  readonly secret: string;
  readonly previousSecret: string | null;
}): Record<string, string> {
  const timestamp = String(Math.floor(delivery.at.getTime() / 1_000));
  const secrets = [delivery.secret, ...(delivery.previousSecret ? [delivery.previousSecret] : [])];
  const standard = secrets.map((secret) => {
    const key = Buffer.from(secret.replace(/^whsec_/, ""), "base64");
    const content = `${delivery.eventId}.${timestamp}.${delivery.body}`;
    return `v1,${createHmac("sha256", key).update(content, "utf8").digest("base64")}`;
  });
  return {
    "content-type": "application/json; charset=utf-8",
    "user-agent": "Mooring-Webhooks/1",
    "x-svc-timestamp": timestamp,
    "x-svc-signature": sign(delivery.secret, timestamp, delivery.body),
    ...(delivery.previousSecret
      ? { "x-svc-signature-previous": sign(delivery.previousSecret, timestamp, delivery.body) }
      : {}),
    "x-svc-event-id": delivery.eventId,
    "x-svc-event": delivery.eventType,
    "x-svc-attempt": String(delivery.attempt),
    "webhook-id": delivery.eventId,
    "webhook-timestamp": timestamp,
    "webhook-signature": standard.join(" "),
  };
}

function sign(secret: string, timestamp: string, body: string): string {
  const mac = createHmac("sha256", secret).update(`${timestamp}.${body}`, "utf8").digest("hex");
  return `sha256=${mac}`;
}
