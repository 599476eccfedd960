import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { connectionStates } from "../connections/connection.ts";
import { cloudflareHeaders, cloudflareNotification } from "./cloudflare-notification.ts";
import { eventTypes, subscribableTypes, testEventType } from "./event.ts";

const ids = {
  tenantId: "01a1ed14-0d72-7f9b-9495-f184e8b7129b",
  endpointId: "01a1ed14-0e0d-7057-a527-aeb1dbd838c4",
};

interface Message {
  readonly text: string;
  readonly ts: number;
  readonly data: {
    readonly metadata: {
      readonly event: { readonly id: string; readonly type: string };
      readonly zone: { readonly id: string };
      readonly account: { readonly id: string };
    };
    readonly data: {
      readonly hostname?: string;
      readonly status?: string;
      readonly ssl?: { readonly status: string; readonly validation_errors: readonly object[] };
    };
  };
}

function notify(type: string, data: object): Message {
  const event = {
    id: "0199a3c2-5d70-7c11-8b6e-2f9a41d7e035",
    type,
    created_at: "2026-11-15T09:30:12.480Z",
    application_id: "0198f0aa-1b20-7e44-9c55-70d1f3b8a612",
    environment: "live",
    sequence: 5,
    data,
  };
  return JSON.parse(cloudflareNotification(JSON.stringify(event), ids)) as Message;
}

function connectionIn(state: string, errorCode: string | null = null) {
  const id = "0199a3b9-0000-7000-8000-000000000000";
  const created = "2026-11-01T00:00:00.000Z";
  const named = { id, hostname: "shop.example.com", created_at: created };
  return { connection: { ...named, state, error_code: errorCode } };
}

describe("a notification in Cloudflare's form", () => {
  it("names hostname, zone and account, and the statuses that the drop-in API shows", () => {
    const { data, ts, text } = notify("domain.flow.completed", connectionIn("live"));
    assert.equal(data.metadata.zone.id, "0198f0aa1b207e449c5570d1f3b8a612");
    assert.equal(data.metadata.account.id, "01a1ed140d727f9b9495f184e8b7129b");
    assert.equal(data.metadata.event.type, "ssl.custom_hostname_certificate.deployment.succeeded");
    assert.deepEqual(
      [data.data.hostname, data.data.status, data.data.ssl?.status],
      ["shop.example.com", "active", "active"],
    );
    assert.equal(ts, Date.parse("2026-11-15T09:30:12Z") / 1_000);
    assert.match(text, /^shop\.example\.com: /);
  });

  it("has statuses for every state, and the error of the connection", () => {
    for (const state of connectionStates) {
      const { data } = notify("domain.changed", connectionIn(state));
      assert.ok(data.data.status && data.data.ssl?.status, state);
    }
    const archived = notify("domain.archived", connectionIn("archived")).data;
    assert.deepEqual([archived.data.status, archived.data.ssl?.status], ["deleted", "deleted"]);
    const failed = notify("domain.failed", connectionIn("failed", "dns_timeout")).data.data;
    assert.deepEqual(failed.ssl?.validation_errors, [{ message: "dns_timeout" }]);
  });

  it("tells a renewal from a first certificate", () => {
    const types = [false, true].map(
      (renewal) =>
        notify("ssl.issued", { ...connectionIn("live"), renewal }).data.metadata.event.type,
    );
    assert.deepEqual(types, [
      "ssl.custom_hostname_certificate.issuance.succeeded",
      "ssl.custom_hostname_certificate.renewal.succeeded",
    ]);
  });

  it("is there for every event, without a hostname where no connection is concerned", () => {
    for (const type of [...subscribableTypes, testEventType]) {
      const isAboutName = eventTypes.some((one) => one === type);
      const message = notify(type, isAboutName ? connectionIn("live") : { connection: null });
      assert.equal(message.data.data.hostname, isAboutName ? "shop.example.com" : undefined, type);
      assert.ok(message.text.includes(type), type);
    }
  });

  it("carries the secret as it is, and during a rotation each of the two in turn", () => {
    const header = (attempt: number, previousSecret: string | null) =>
      cloudflareHeaders({ eventId: "e", attempt, secret: "new", previousSecret })[
        "cf-webhook-auth"
      ];
    assert.deepEqual([header(1, null), header(2, null)], ["new", "new"]);
    assert.deepEqual([header(1, "old"), header(2, "old"), header(3, "old")], ["new", "old", "new"]);
  });
});
