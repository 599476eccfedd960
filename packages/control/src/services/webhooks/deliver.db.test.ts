import assert from "node:assert/strict";
import { after, afterEach, before, beforeEach, describe, it } from "node:test";
import {
  type ListedDelivery,
  startWebhookApp,
  type WebhookApp,
} from "@mooring/testing/control/webhooks/webhook-app";
import {
  answer,
  type Behaviour,
  eventIn,
  isGenuine,
  isStandard,
  type Received,
  type Receiver,
  reset,
  startReceiver,
} from "@mooring/testing/control/webhooks/webhook-receiver";
import { until } from "@mooring/testing/processes/until";

const added = ["domain.added"];

describe("delivering events", () => {
  let shop: WebhookApp;
  let receiver: Receiver;
  const now = () => shop.app.clock.now().getTime();
  before(async () => {
    shop = await startWebhookApp();
  });
  after(() => shop.close());
  beforeEach(async () => {
    receiver = await startReceiver();
  });
  afterEach(async () => {
    // Another receiver may get the port of this one.
    await shop.session.query("update webhook_endpoints set active = false");
    await receiver.close();
  });

  /** One event to one new endpoint, until its delivery shows this status. */
  async function sendOne(behaviour: Behaviour, status: string) {
    receiver.behave(behaviour);
    const endpoint = await shop.endpoint(receiver.url, added);
    await shop.emitEvent();
    let delivery: ListedDelivery | undefined;
    await until(async () => {
      const all = await shop.deliveries(endpoint.id);
      delivery = all.find((one) => one.event_type === "domain.added");
      return delivery?.status === status && delivery.attempts.length > 0;
    }, status);
    assert.ok(delivery);
    return { endpoint, delivery };
  }

  /** The next attempt is so long after the last one, or a little less. */
  function assertWait(delivery: ListedDelivery, [leastMs, mostMs]: readonly [number, number]) {
    const next = Date.parse(delivery.next_attempt_at ?? "");
    const afterMs = next - Date.parse(delivery.attempts.at(-1)?.at ?? "");
    assert.ok(afterMs > leastMs && next - now() <= mostMs, `${afterMs} ms`);
  }

  function onlyOne(): Received {
    assert.equal(receiver.received.length, 1);
    const [one] = receiver.received;
    assert.ok(one);
    return one;
  }

  it("sends the bytes that were fixed at commit, signed so that only they verify", async () => {
    const { endpoint, delivery } = await sendOne(answer(200, {}, "thanks"), "delivered");
    const one = onlyOne();
    const { secret } = endpoint;
    const { rows } = await shop.session.query<{ body: string }>(
      "select body from events where id = $1",
      [delivery.event_id],
    );
    assert.equal(one.body.toString("utf8"), rows[0]?.body);
    assert.equal(eventIn(one).id, delivery.event_id);
    assert.equal(isGenuine(one, secret, now()), true);
    assert.equal(isStandard(one, secret), true);
    assert.equal(one.headers["x-svc-event-id"], delivery.event_id);
    assert.equal(one.headers["x-svc-event"], "domain.added");
    assert.equal(one.headers["x-svc-attempt"], "1");
    for (let at = 0; at < one.body.length; at += 37) {
      const body = Buffer.from(one.body);
      body[at] = (body[at] ?? 0) ^ 1;
      assert.equal(isGenuine({ ...one, body }, secret, now()), false, `byte ${at}`);
      assert.equal(isStandard({ ...one, body }, secret), false, `byte ${at}`);
    }
    assert.equal(isGenuine(one, `${secret}x`, now()), false);
    const signedAt = Number(one.headers["x-svc-timestamp"]) * 1_000;
    assert.equal(isGenuine(one, secret, signedAt + 300_000), true);
    assert.equal(isGenuine(one, secret, signedAt + 301_000), false);
    assert.equal(isGenuine(one, secret, signedAt - 301_000), false);
    const [attempt] = delivery.attempts;
    assert.equal(attempt?.status_code, 200);
    assert.equal(attempt?.response_excerpt, "thanks");
    assert.equal(delivery.next_attempt_at, null);
  });

  for (const [name, behaviour, code] of [
    ["an answer of 500", answer(500, {}, "broken"), 500],
    ["a connection that is reset", reset, null],
    [
      "a redirect, which is not followed",
      answer(302, { location: "http://169.254.169.254/" }),
      302,
    ],
  ] as const) {
    it(`tries again after ${name}, about 5 seconds later, with the same id and a new timestamp`, async () => {
      const { endpoint, delivery } = await sendOne(behaviour, "failed");
      assert.equal(delivery.attempts[0]?.status_code, code);
      assertWait(delivery, [3_900, 6_000]);
      receiver.behave(answer(200));
      await shop.pass(7_000);
      await until(() => receiver.received.length >= 2, "a second attempt");
      const [first, second] = receiver.received;
      assert.ok(first && second);
      assert.deepEqual(second.body, first.body);
      assert.notEqual(second.headers["x-svc-timestamp"], first.headers["x-svc-timestamp"]);
      assert.equal(second.headers["x-svc-attempt"], "2");
      assert.equal(isGenuine(second, endpoint.secret, now()), true);
      await until(async () => {
        const [now] = await shop.deliveries(endpoint.id);
        return now?.status === "delivered" && now.attempts.length === receiver.received.length;
      }, "delivered");
    });
  }

  it("sends what Cloudflare would to an endpoint of that format, with the secret as it is", async () => {
    receiver.behave(answer(503));
    const made = await shop.endpoint(receiver.url, added);
    const path = `/v1/webhook-endpoints/${made.id}`;
    const changed = await shop.call(path, { method: "PATCH", body: { format: "cloudflare" } });
    assert.equal(changed.json()["format"], "cloudflare", changed.text);
    const rotated = await shop.call(`${path}/rotate-secret`, { method: "POST" });
    const id = await shop.emitEvent();
    await until(() => receiver.received.length === 1, "the first attempt");
    receiver.behave(answer(200));
    await until(async () => {
      await shop.pass(7_000);
      return (await shop.deliveries(made.id))[0]?.status === "delivered";
    }, "delivered");
    const [first, second] = receiver.received;
    assert.ok(first && second);
    const sent = [first, second].map(({ headers }) => headers["cf-webhook-auth"]);
    assert.deepEqual(sent, [rotated.json()["signing_secret"], made.secret]);
    assert.equal(first.headers["webhook-signature"], undefined);
    assert.deepEqual(second.body, first.body);
    const connection = (await shop.call(`/v1/connections/${id}`)).json();
    const [delivery] = await shop.deliveries(made.id);
    const message = JSON.parse(first.body.toString("utf8")) as Record<string, unknown>;
    assert.partialDeepStrictEqual(message, {
      alert_type: "custom_ssl_certificate_event_type",
      policy_id: made.id,
      data: {
        metadata: {
          event: { id: delivery?.event_id, type: "domain.added" },
          zone: { id: String(connection["application_id"]).replaceAll("-", "") },
        },
        data: {
          id,
          hostname: connection["hostname"],
          status: "pending",
          ssl: { status: "initializing" },
        },
      },
    });
    assert.match(String(message["text"]), new RegExp(String(connection["hostname"])));
    const shown = await shop.call(`/v1/deliveries/${delivery?.id}`);
    assert.deepEqual(shown.json()["payload"], message);
  });

  it("waits as long as Retry-After says, up to twice the step", async () => {
    const { delivery } = await sendOne(answer(503, { "retry-after": "3600" }), "failed");
    assertWait(delivery, [9_900, 10_000]);
  });

  it("switches an endpoint off that replies 410, logs it and notifies the others", async (t) => {
    const other = await startReceiver();
    t.after(() => other.close());
    await shop.endpoint(other.url, ["endpoint.disabled"]);
    const { endpoint, delivery } = await sendOne(answer(410), "failed");
    assert.equal(delivery.next_attempt_at, null);
    const shown = await shop.call(`/v1/webhook-endpoints/${endpoint.id}`);
    assert.deepEqual([shown.json()["active"], shown.json()["disabled_reason"]], [false, "gone"]);
    const log = await shop.deliveries(endpoint.id);
    assert.ok(log.some((one) => one.event_type === "endpoint.disabled" && one.status === "failed"));
    await until(() => other.received.length === 1, "the other endpoint knows");
    await shop.emitEvent();
    assert.equal((await shop.deliveries(endpoint.id)).length, log.length, "nothing more is queued");
  });

  it("audits a test event, a replay, and switching an endpoint off by itself", async () => {
    const { endpoint, delivery } = await sendOne(answer(200), "delivered");
    const path = `/v1/webhook-endpoints/${endpoint.id}`;
    assert.equal((await shop.call(`${path}/test`, { method: "POST" })).status, 200);
    const replay = `${path}/deliveries/${delivery.id}/replay`;
    assert.equal((await shop.call(replay, { method: "POST" })).status, 200);
    await until(() => receiver.received.length === 3, "test and replay");
    receiver.behave(answer(410));
    await shop.emitEvent();
    await until(async () => {
      const shown = await shop.call(path);
      return shown.json()["active"] === false;
    }, "switched off");
    const { rows } = await shop.session.query<{ action: string; actor: string }>(
      `select action, split_part(actor, ':', 1) as actor from audit_log
       where subject = any ($1) and action <> 'webhook_endpoint.create' order by action`,
      [[`webhook_endpoint:${endpoint.id}`, `delivery:${delivery.id}`]],
    );
    assert.deepEqual(
      rows.map(({ action, actor }) => `${action} by ${actor}`),
      [
        "delivery.replay by key",
        "webhook_endpoint.disable by service",
        "webhook_endpoint.test by key",
      ],
    );
  });

  it("reads no more than it needs of an endless reply, and accepts its 200", async () => {
    const chunk = Buffer.alloc(65_536, "x");
    let written = 0;
    const { delivery } = await sendOne((response) => {
      response.writeHead(200);
      const more = (): void => {
        written += chunk.length;
        if (!response.destroyed) response.write(chunk, more);
      };
      more();
    }, "delivered");
    assert.equal(delivery.attempts[0]?.response_excerpt, "x".repeat(1_024));
    assert.ok(written < 64 * 1024 * 1024, `${written} bytes`);
  });

  it("makes a replay a new attempt: same id and bytes, fresh timestamp and signature", async () => {
    const { endpoint, delivery } = await sendOne(answer(200), "delivered");
    shop.app.clock.advance(3_600_000);
    const path = `/v1/webhook-endpoints/${endpoint.id}/deliveries/${delivery.id}/replay`;
    const asked = await shop.call(path, { method: "POST" });
    assert.equal(asked.status, 200, asked.text);
    assert.equal(asked.json()["status"], "pending");
    await until(() => receiver.received.length === 2, "the replay");
    const [first, second] = receiver.received;
    assert.ok(first && second);
    assert.deepEqual(second.body, first.body);
    assert.equal(isGenuine(first, endpoint.secret, now()), false, "an hour old");
    assert.equal(isGenuine(second, endpoint.secret, now()), true);
    assert.equal(second.headers["x-svc-attempt"], "2");
  });

  it("sends a replay that is requested during an attempt after it, and logs both", async () => {
    let letGo = (): void => undefined;
    receiver.behave((response) => {
      letGo = () => void response.writeHead(200).end();
    });
    const endpoint = await shop.endpoint(receiver.url, added);
    await shop.emitEvent();
    await until(() => receiver.received.length === 1, "the first request");
    const [delivery] = await shop.deliveries(endpoint.id);
    const path = `/v1/webhook-endpoints/${endpoint.id}/deliveries/${delivery?.id}/replay`;
    assert.equal((await shop.call(path, { method: "POST" })).status, 200);
    receiver.behave(answer(200));
    letGo();
    await until(async () => {
      const [now] = await shop.deliveries(endpoint.id);
      return now?.status === "delivered" && now.attempts.length === 2;
    }, "both on record");
    assert.equal(receiver.received.length, 2);
  });

  it("sends everything since a time again, also what an endpoint never got", async () => {
    const since = shop.app.clock.now().toISOString();
    await shop.emitEvent();
    await shop.emitEvent();
    const endpoint = await shop.endpoint(receiver.url, added);
    await shop.emitEvent();
    await until(() => receiver.received.length === 1, "its own event");
    const path = `/v1/webhook-endpoints/${endpoint.id}/replay`;
    const asked = await shop.call(path, { body: { since } });
    assert.deepEqual(asked.json(), { replayed: 3, complete: true });
    await until(() => receiver.received.length === 4, "all of them");
    assert.equal(new Set(receiver.received.map((one) => eventIn(one).id)).size, 3);
  });

  it("sends a test event also to an endpoint that is off, and nothing else", async () => {
    const endpoint = await shop.endpoint(receiver.url);
    const path = `/v1/webhook-endpoints/${endpoint.id}`;
    await shop.call(path, { method: "PATCH", body: { active: false } });
    await shop.emitEvent();
    assert.equal((await shop.call(`${path}/test`, { method: "POST" })).status, 200);
    await until(() => receiver.received.length === 1, "the test event");
    assert.equal(eventIn(onlyOne()).type, "endpoint.test");
    assert.equal(isGenuine(onlyOne(), endpoint.secret, now()), true);
  });

  it("sends nothing while an endpoint is off, and what it missed once it is on again", async () => {
    const { endpoint } = await sendOne(answer(500), "failed");
    const path = `/v1/webhook-endpoints/${endpoint.id}`;
    await shop.call(path, { method: "PATCH", body: { active: false } });
    receiver.behave(answer(200));
    await shop.pass(60_000);
    const replay = await shop.call(`${path}/replay`, {
      body: { since: new Date(0).toISOString() },
    });
    assert.equal(replay.status, 409, "a replay to an endpoint that is off");
    assert.equal(receiver.received.length, 1);
    await shop.call(path, { method: "PATCH", body: { active: true } });
    await until(() => receiver.received.length === 2, "the open delivery");
  });

  it("delays no other event or delivery while an endpoint's outcomes are written", async () => {
    const failing = await shop.endpoint(receiver.url, added);
    await shop.session.query("begin");
    await shop.session.query("update webhook_endpoints set failing_since = now() where id = $1", [
      failing.id,
    ]);
    // An open transaction: neither the change nor its delivery waits for it to end.
    await shop.emitEvent();
    await until(() => receiver.received.length > 0, "delivered");
    await shop.session.query("rollback");
  });

  it("numbers the events of a connection without a gap, each written with its change", async () => {
    const endpoint = await shop.endpoint(receiver.url);
    const id = await shop.emitEvent();
    await shop.call(`/v1/connections/${id}`, { method: "DELETE" });
    await until(() => receiver.received.length === 2, "both events");
    const events = receiver.received.map((one) => JSON.parse(one.body.toString("utf8")));
    const bySequence = events.sort((a, b) => a.sequence - b.sequence);
    assert.deepEqual(
      bySequence.map(({ type, sequence, data }) => [type, sequence, data.connection.state]),
      [
        ["domain.added", bySequence[0].sequence, "pending_ownership"],
        ["domain.archived", bySequence[0].sequence + 1, "archived"],
      ],
    );
    assert.equal(bySequence[1].data.reason, "deleted");
    assert.equal(bySequence[0].environment, "test");
    assert.equal(bySequence[0].application_id, shop.applicationId);
    await shop.call(`/v1/webhook-endpoints/${endpoint.id}`, { method: "DELETE" });
  });
});
