import assert from "node:assert/strict";
import { createHmac } from "node:crypto";
import { describe, it } from "node:test";
import fc from "fast-check";
import { signatureHeaders } from "./webhook.ts";

const secret = "whsec_MDEyMzQ1Njc4OTAxMjM0NTY3ODkwMTIzNDU2Nzg5MDE=";
const previous = "whsec_b2xkb2xkb2xkb2xkb2xkb2xkb2xkb2xkb2xkb2xkb2w=";
const delivery = {
  eventId: "0198c0de-0000-7000-8000-000000000001",
  eventType: "domain.drift",
  attempt: 3,
  body: '{"id":"0198c0de-0000-7000-8000-000000000001","data":{"name":"shöp"}}',
  at: new Date("2027-01-15T08:00:00.999Z"),
  secret,
  previousSecret: null,
};

describe("the signature of a delivery", () => {
  it("is the one of the recorded example", () => {
    // printf '%s' '1800000000.<body>' | openssl dgst -sha256 -hmac '<secret>'
    assert.deepEqual(signatureHeaders(delivery), {
      "content-type": "application/json; charset=utf-8",
      "user-agent": "Mooring-Webhooks/1",
      "x-svc-timestamp": "1800000000",
      "x-svc-signature": "sha256=a55fc6e4673ff98a9ae8593cb1901289847bbb67dd42e1a908d11e4d36141708",
      "x-svc-event-id": delivery.eventId,
      "x-svc-event": "domain.drift",
      "x-svc-attempt": "3",
      "webhook-id": delivery.eventId,
      "webhook-timestamp": "1800000000",
      "webhook-signature": "v1,UxNnqcgNEin9wf2mlUy0SXUi8FoG4fDt1SEFbapAcVQ=",
    });
  });

  it("is HMAC-SHA256 over timestamp, dot and the body's bytes, keyed with the whole secret", () => {
    fc.assert(
      fc.property(
        fc.string({ unit: "grapheme" }),
        fc.date({ noInvalidDate: true, min: new Date(0) }),
        (body, at) => {
          const headers = signatureHeaders({ ...delivery, body, at });
          const timestamp = String(Math.floor(at.getTime() / 1_000));
          const mac = createHmac("sha256", Buffer.from(secret, "utf8"));
          mac.update(Buffer.concat([Buffer.from(`${timestamp}.`), Buffer.from(body, "utf8")]));
          assert.equal(headers["x-svc-timestamp"], timestamp);
          assert.equal(headers["x-svc-signature"], `sha256=${mac.digest("hex")}`);
        },
      ),
    );
  });

  it("of Standard Webhooks is keyed with the decoded secret and covers the event's id", () => {
    const key = Buffer.from("01234567890123456789012345678901");
    const text = `${delivery.eventId}.1800000000.${delivery.body}`;
    const mac = createHmac("sha256", key).update(text).digest("base64");
    assert.equal(signatureHeaders(delivery)["webhook-signature"], `v1,${mac}`);
  });

  it("is made with both secrets during a rotation, the new one first", () => {
    const both = signatureHeaders({ ...delivery, previousSecret: previous });
    const alone = signatureHeaders(delivery);
    const old = signatureHeaders({ ...delivery, secret: previous });
    assert.equal(both["x-svc-signature"], alone["x-svc-signature"]);
    assert.equal(both["x-svc-signature-previous"], old["x-svc-signature"]);
    assert.equal(
      both["webhook-signature"],
      `${alone["webhook-signature"]} ${old["webhook-signature"]}`,
    );
    assert.equal(alone["x-svc-signature-previous"], undefined);
  });
});
