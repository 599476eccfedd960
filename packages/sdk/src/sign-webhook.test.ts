import assert from "node:assert/strict";
import { createHmac } from "node:crypto";
import { describe, it } from "node:test";
import { signWebhook } from "./sign-webhook.ts";
import { verifyWebhook } from "./webhooks.ts";

const secret = "whsec_MDEyMzQ1Njc4OTAxMjM0NTY3ODkwMTIzNDU2Nzg5MDE=";
const now = new Date(1_800_000_000_500);
const body = '{"id":"e1","type":"domain.added","data":{"name":"shöp"}}';

describe("signWebhook", () => {
  it("gives headers that verifyWebhook accepts, for this body only", async () => {
    const headers = await signWebhook(body, { secret, id: "e1", type: "domain.added", now });
    assert.equal((await verifyWebhook(body, headers, secret, { now })).id, "e1");
    await assert.rejects(verifyWebhook(`${body} `, headers, secret, { now }), {
      reason: "wrong_signature",
    });
  });

  it("agrees with Node's HMAC in both signatures", async () => {
    const headers = await signWebhook(body, { secret, id: "e1", type: "x", attempt: 4, now });
    const hex = createHmac("sha256", secret).update(`1800000000.${body}`).digest("hex");
    const key = Buffer.from("01234567890123456789012345678901");
    const standard = createHmac("sha256", key).update(`e1.1800000000.${body}`).digest("base64");
    assert.deepEqual(headers, {
      "content-type": "application/json; charset=utf-8",
      "x-svc-timestamp": "1800000000",
      "x-svc-signature": `sha256=${hex}`,
      "x-svc-event-id": "e1",
      "x-svc-event": "x",
      "x-svc-attempt": "4",
      "webhook-id": "e1",
      "webhook-timestamp": "1800000000",
      "webhook-signature": `v1,${standard}`,
    });
  });
});
