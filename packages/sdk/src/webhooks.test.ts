import assert from "node:assert/strict";
import { createHmac } from "node:crypto";
import { describe, it } from "node:test";
import fc from "fast-check";
import {
  signWebhook,
  verifyWebhook,
  type WebhookHeaders,
  type WebhookRefusal,
} from "./webhooks.ts";

const secret = "whsec_MDEyMzQ1Njc4OTAxMjM0NTY3ODkwMTIzNDU2Nzg5MDE=";
const old = "whsec_b2xkb2xkb2xkb2xkb2xkb2xkb2xkb2xkb2xkb2xkb2w=";
const sentAt = 1_800_000_000;
const now = new Date(sentAt * 1_000);
const event = {
  id: "0198c0de-0000-7000-8000-000000000001",
  type: "domain.drift",
  created_at: "2027-01-15T08:00:00.000Z",
  application_id: "0198c0de-0000-7000-8000-000000000002",
  environment: "live",
  sequence: 7,
  data: { connection: { hostname: "shöp.example" } },
};
// Re-serialising the parsed body would change this spacing.
const body = JSON.stringify(event, null, 3);

/** Independent of the code under test: Node's HMAC over the documented string. */
function sign(text: string | Uint8Array, key = secret, timestamp = String(sentAt)): string {
  return `sha256=${createHmac("sha256", key).update(`${timestamp}.`).update(text).digest("hex")}`;
}

function headersFor(signature = sign(body), timestamp = String(sentAt)) {
  return { "x-svc-signature": signature, "x-svc-timestamp": timestamp };
}

function refuses(
  reason: WebhookRefusal,
  raw: string | Uint8Array,
  headers: WebhookHeaders,
  at = now,
): Promise<void> {
  return assert.rejects(verifyWebhook(raw, headers, secret, { now: at }), {
    name: "WebhookVerificationError",
    reason,
  });
}

describe("verifyWebhook", () => {
  it("returns the event of a delivery that was signed over timestamp, dot and raw body", async () => {
    assert.deepEqual(await verifyWebhook(body, headersFor(), secret, { now }), event);
    const bytes = new TextEncoder().encode(body);
    assert.deepEqual(await verifyWebhook(bytes, headersFor(), secret, { now }), event);
  });

  it("accepts a recorded signature", async () => {
    const raw = '{"id":"e1","type":"domain.added","data":{}}';
    const signature = "sha256=30041b0d0b6301f5a192c3bb5e98d4f303ed3228d6a1ea9269e8b177c9c912be";
    const got = await verifyWebhook(raw, headersFor(signature), "whsec_test", { now });
    assert.equal(got.id, "e1");
  });

  it("finds the headers in any letter case and in every accepted form", async () => {
    const signature = sign(body);
    const forms: readonly WebhookHeaders[] = [
      new Headers({ "X-Svc-Signature": signature, "X-Svc-Timestamp": String(sentAt) }),
      { "X-SVC-SIGNATURE": signature, "X-Svc-Timestamp": [String(sentAt)], other: undefined },
      [
        ["X-Svc-Signature", signature],
        ["X-Svc-Timestamp", String(sentAt)],
      ],
      ["Host", "x-svc-signature", "X-Svc-Signature", signature, "x-Svc-timestamp", `${sentAt}`],
    ];
    for (const headers of forms) {
      assert.equal((await verifyWebhook(body, headers, secret, { now })).id, event.id);
    }
  });

  it("accepts a timestamp up to 300 seconds off, and none 301 off, in either direction", async () => {
    for (const seconds of [-300, 0, 300]) {
      const at = new Date((sentAt + seconds) * 1_000);
      assert.equal((await verifyWebhook(body, headersFor(), secret, { now: at })).id, event.id);
    }
    for (const seconds of [-301, 301, 1e9]) {
      const at = new Date((sentAt + seconds) * 1_000);
      await refuses("outside_tolerance", body, headersFor(), at);
    }
    await refuses("outside_tolerance", body, headersFor(), new Date(Number.NaN));
    const options = { now: new Date((sentAt + 11) * 1_000), toleranceSeconds: 10 };
    await assert.rejects(verifyWebhook(body, headersFor(), secret, options));
  });

  it("uses the current time when none is given", async () => {
    await refuses("outside_tolerance", body, headersFor(), new Date());
    const timestamp = String(Math.floor(Date.now() / 1_000));
    const headers = headersFor(sign(body, secret, timestamp), timestamp);
    assert.equal((await verifyWebhook(body, headers, secret)).id, event.id);
  });

  it("refuses a delivery when any byte of the body or the timestamp was changed", async () => {
    const bytes = new TextEncoder().encode(body);
    await fc.assert(
      fc.asyncProperty(fc.nat(bytes.length - 1), fc.integer({ min: 1, max: 255 }), (at, flip) => {
        const changed = Uint8Array.from(bytes);
        changed[at] = (changed[at] ?? 0) ^ flip;
        return refuses("wrong_signature", changed, headersFor());
      }),
    );
    await refuses("wrong_signature", body, headersFor(sign(body), String(sentAt + 1)));
    await refuses("wrong_signature", JSON.stringify(JSON.parse(body)), headersFor());
    await refuses("wrong_signature", `${body} `, headersFor());
  });

  it("refuses another secret, and the bytes that a secret decodes to", async () => {
    await refuses("wrong_signature", body, headersFor(sign(body, old)));
    const decoded = Buffer.from(secret.slice("whsec_".length), "base64");
    const signature = `sha256=${createHmac("sha256", decoded).update(`${sentAt}.${body}`).digest("hex")}`;
    await refuses("wrong_signature", body, headersFor(signature));
  });

  it("accepts the old secret, the new one, or both during a rotation", async () => {
    const headers = { ...headersFor(), "x-svc-signature-previous": sign(body, old) };
    for (const known of [secret, old, [old, secret], ["whsec_other", old]]) {
      assert.equal((await verifyWebhook(body, headers, known, { now })).id, event.id);
    }
    await assert.rejects(verifyWebhook(body, headers, "whsec_other", { now }), {
      reason: "wrong_signature",
    });
  });

  it("reports what is missing or malformed", async () => {
    const good = sign(body);
    await refuses("missing_signature", body, { "x-svc-timestamp": String(sentAt) });
    await refuses("missing_timestamp", body, { "x-svc-signature": good });
    await refuses("missing_signature", body, {
      "x-svc-signature-previous": good,
      "x-svc-timestamp": String(sentAt),
    });
    for (const bad of [
      "",
      good.slice(7),
      `sha1=${good.slice(7)}`,
      good.slice(0, -2),
      `${good}00`,
    ]) {
      await refuses("malformed_signature", body, headersFor(bad));
    }
    await refuses("malformed_signature", body, {
      "x-svc-signature": [good, good],
      "x-svc-timestamp": String(sentAt),
    });
    for (const bad of [
      "",
      "soon",
      `${sentAt}.0`,
      `-${sentAt}`,
      "0x6b49d200",
      "1e9",
      "9".repeat(20),
    ]) {
      await refuses("malformed_timestamp", body, headersFor(good, bad));
    }
  });

  it("refuses a signed body that is not an event", async () => {
    for (const raw of ["", "[]", "null", "{", '{"id":1,"type":"x","data":{}}', '{"id":"x"}']) {
      await refuses("malformed_body", raw, headersFor(sign(raw)));
    }
    const broken = Uint8Array.from([0x7b, 0xff, 0x7d]);
    await refuses("malformed_body", broken, headersFor(sign(broken)));
  });

  it("refuses to run without a secret, or on a body that was parsed", async () => {
    const verify = (...args: unknown[]) => Reflect.apply(verifyWebhook, null, args);
    const expected =
      / Give it the endpoint's `signing_secret`, .* is the environment variable that holds it set\?$/;
    for (const [none, found] of [
      [undefined, "undefined"],
      [null, "null"],
      ["", "empty"],
      [[], "an empty list"],
      [[secret, ""], "empty"],
      [7, "a number"],
    ] as const) {
      await assert.rejects(verify(body, headersFor(), none, { now }), (error) => {
        assert.ok(error instanceof TypeError);
        assert.ok(error.message.startsWith(`verifyWebhook: the signing secret is ${found}. `));
        assert.match(error.message, expected);
        return true;
      });
    }
    await assert.rejects(verify(JSON.parse(body), headersFor(), secret, { now }), {
      name: "TypeError",
      message: /^verifyWebhook: the body is an object\. Give the received bytes or text, before/,
    });
    await assert.rejects(verify(body, undefined, secret, { now }), {
      name: "TypeError",
      message: /^verifyWebhook: the headers are undefined\. Give the request's headers/,
    });
  });
});

describe("signWebhook", () => {
  const now = new Date(sentAt * 1_000 + 500);
  const body = '{"id":"e1","type":"domain.added","data":{"name":"shöp"}}';

  it("returns headers that verifyWebhook accepts, for this body only", async () => {
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
