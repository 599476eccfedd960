import assert from "node:assert/strict";
import { after, afterEach, before, beforeEach, describe, it } from "node:test";
import { textOf } from "@mooring/testing/control/http";
import {
  type ListedDelivery,
  type MadeEndpoint,
  startWebhookApp,
  type WebhookApp,
} from "@mooring/testing/control/webhooks/webhook-app";
import {
  answer,
  eventIn,
  hang,
  isGenuine,
  isStandard,
  type Received,
  type Receiver,
  startReceiver,
} from "@mooring/testing/control/webhooks/webhook-receiver";
import { until } from "@mooring/testing/processes/until";
import { openDatabase } from "../../db/engine/pool.ts";
import { sweepLogs } from "../operator/retention.ts";

const hour = 3_600_000;
const added = ["domain.added"];

describe("deliveries over hours and days", () => {
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
    // Another receiver may get the port of this one. A delete could deadlock with an outcome being
    // written.
    await shop.session.query("update webhook_endpoints set active = false");
    await receiver.close();
  });

  const find = async (endpoint: MadeEndpoint): Promise<ListedDelivery | undefined> =>
    (await shop.deliveries(endpoint.id)).find((one) => one.event_type === "domain.added");

  /** Moves to the time of the next attempt, and waits until it is on record. */
  async function attempt(endpoint: MadeEndpoint, made: number): Promise<void> {
    const delivery = await find(endpoint);
    if (delivery?.next_attempt_at) {
      await shop.pass(Math.max(0, Date.parse(delivery.next_attempt_at) - now()));
    }
    await until(async () => {
      const count = (await find(endpoint))?.attempts.length ?? 0;
      return count >= made;
    }, `attempt ${made}`);
  }

  it("are on the connection's timeline when they first fail and when they end, not in between", async () => {
    receiver.behave(answer(503));
    const endpoint = await shop.endpoint(receiver.url, added);
    const connectionId = await shop.emitEvent();
    const entries = async () => {
      const path = `/v1/connections/${connectionId}/events?kind=delivery`;
      const { data } = (await shop.call(path)).json();
      return (data as { details: Record<string, unknown>; actor: object }[]).toReversed();
    };
    for (const made of [1, 2, 3]) await attempt(endpoint, made);
    const failed = await entries();
    assert.equal(failed.length, 1, "one entry for three failures");
    const { next_attempt_at: next, ...details } = failed[0]?.details ?? {};
    const about = { endpoint_id: endpoint.id, event: "domain.added" };
    assert.deepEqual(details, { ...about, status: "failed", status_code: 503 });
    const [first] = (await find(endpoint))?.attempts ?? [];
    const waitMs = Date.parse(String(next)) - Date.parse(first?.at ?? "");
    assert.ok(waitMs >= 4_000 && waitMs < 10_000, `${waitMs} ms`);
    assert.deepEqual(failed[0]?.actor, { kind: "system", id: null, name: "worker" });
    receiver.behave(answer(200));
    // A further failure may have been under way.
    for (let made = 4; (await find(endpoint))?.status !== "delivered"; made += 1) {
      await attempt(endpoint, made);
    }
    const ended = await entries();
    assert.deepEqual(
      ended.map((one) => one.details["status"]),
      ["failed", "delivered"],
    );
  });

  it("are exhausted after three days of failures, stay in the log and can be replayed", async () => {
    receiver.behave(answer(500));
    const endpoint = await shop.endpoint(receiver.url, added);
    const startedAt = now();
    await shop.emitEvent();
    for (let made = 1; made <= 12; made += 1) await attempt(endpoint, made);
    const exhausted = await find(endpoint);
    assert.equal(exhausted?.status, "exhausted");
    assert.equal(exhausted?.next_attempt_at, null);
    const days = (now() - startedAt) / (24 * hour);
    assert.ok(days > 0.8 * 3.1 && days < 1.2 * 3.2, `${days} days`);
    await shop.pass(4 * 24 * hour - (now() - startedAt));
    receiver.behave(answer(200));
    const path = `/v1/webhook-endpoints/${endpoint.id}/deliveries/${exhausted?.id}/replay`;
    assert.equal((await shop.call(path, { method: "POST" })).status, 200);
    await until(async () => (await find(endpoint))?.status === "delivered", "delivered");
    const last = receiver.received.at(-1);
    assert.ok(last);
    assert.equal(receiver.received.length, 13);
    assert.equal(new Set(receiver.received.map((one) => eventIn(one).id)).size, 1);
    assert.equal(new Set(receiver.received.map((one) => one.headers["x-svc-timestamp"])).size, 13);
    assert.equal(last.headers["x-svc-attempt"], "13");
    assert.equal(isGenuine(last, endpoint.secret, now()), true);
  });

  it("end when the endpoint has failed for five days: it is switched off, with an event in its log", async () => {
    receiver.behave(answer(500));
    const endpoint = await shop.endpoint(receiver.url, added);
    for (let day = 0; day < 5; day += 1) {
      await shop.emitEvent();
      await until(async () => {
        const open = await shop.deliveries(endpoint.id);
        return open.every((one) => Date.parse(one.next_attempt_at ?? "") > now());
      }, "all attempts on record");
      const shown = await shop.call(`/v1/webhook-endpoints/${endpoint.id}`);
      assert.equal(shown.json()["active"], true, `day ${day}`);
      await shop.pass(24.1 * hour);
    }
    await shop.emitEvent();
    await until(async () => {
      const shown = await shop.call(`/v1/webhook-endpoints/${endpoint.id}`);
      return shown.json()["active"] === false && shown.json()["disabled_reason"] === "failing";
    }, "off");
    const log = await shop.deliveries(endpoint.id);
    assert.equal(log.filter((one) => one.event_type === "endpoint.disabled").length, 1);
    assert.equal(log.filter((one) => one.next_attempt_at !== null).length, 0);
    await until(async () => {
      const leased = await shop.session.query(
        "select from deliveries where leased_until is not null",
      );
      return leased.rowCount === 0;
    }, "the end of what was being sent");
    const sent = receiver.received.length;
    await shop.pass(24 * hour);
    assert.equal(receiver.received.length, sent);
    receiver.behave(answer(200));
    const path = `/v1/webhook-endpoints/${endpoint.id}`;
    const on = await shop.call(path, { method: "PATCH", body: { active: true } });
    assert.equal(on.json()["disabled_reason"], null);
    await until(
      async () => (await shop.deliveries(endpoint.id)).every((one) => one.status === "delivered"),
      "what was open",
    );
  });

  it("are signed with both secrets for 24 hours after a rotation, then with the new one alone", async () => {
    const endpoint = await shop.endpoint(receiver.url, added);
    const path = `/v1/webhook-endpoints/${endpoint.id}/rotate-secret`;
    const secret = textOf(await shop.call(path, { method: "POST" }), "signing_secret");
    assert.notEqual(secret, endpoint.secret);
    const next = async (): Promise<Received> => {
      const before = receiver.received.length;
      await shop.emitEvent();
      await until(() => receiver.received.length > before, "a delivery");
      const one = receiver.received.at(-1);
      assert.ok(one);
      return one;
    };
    const during = await next();
    assert.equal(isGenuine(during, secret, now()), true);
    assert.equal(isGenuine(during, endpoint.secret, now()), false);
    assert.equal(isGenuine(during, endpoint.secret, now(), "x-svc-signature-previous"), true);
    assert.equal(isStandard(during, secret) && isStandard(during, endpoint.secret), true);
    await shop.pass(24 * hour + 1_000);
    const later = await next();
    assert.equal(isGenuine(later, secret, now()), true);
    assert.equal(later.headers["x-svc-signature-previous"], undefined);
    assert.equal(isStandard(later, endpoint.secret), false);
  });

  it("fail after 15 seconds when the receiver hangs or drips, while others do not wait", async () => {
    const dripping = await startReceiver();
    const well = await startReceiver();
    const timers: NodeJS.Timeout[] = [];
    try {
      receiver.behave(hang);
      dripping.behave((response) => {
        response.writeHead(200);
        timers.push(setInterval(() => response.write("."), 200));
      });
      const hung = await shop.endpoint(receiver.url, added);
      const drip = await shop.endpoint(dripping.url, added);
      await shop.endpoint(well.url, added);
      const startedAt = performance.now();
      await shop.emitEvent();
      await until(() => well.received.length === 1, "the well one has it");
      assert.ok(performance.now() - startedAt < 12_000);
      for (const endpoint of [hung, drip]) {
        await until(async () => (await find(endpoint))?.status === "failed", "a failure");
        const [tried] = (await find(endpoint))?.attempts ?? [];
        assert.equal(tried?.status_code, null);
        assert.match(tried?.error ?? "", /^unreachable$/);
      }
      assert.ok(performance.now() - startedAt > 14_000);
    } finally {
      for (const timer of timers) clearInterval(timer);
      await Promise.all([dripping.close(), well.close()]);
    }
  });

  it("are deleted after 90 days, with their events; the timeline and the audit log after 400", async () => {
    const endpoint = await shop.endpoint(receiver.url, added);
    await shop.emitEvent();
    await until(async () => (await find(endpoint))?.status === "delivered", "delivered");
    const event = (await find(endpoint))?.event_id ?? "";
    const isStored = async () => {
      const found = await shop.session.query("select 1 from events where id = $1", [event]);
      return found.rowCount === 1;
    };
    const runtime = shop.app.operator;
    // The running worker may log something about later days.
    const begunAt = shop.app.clock.now();
    const logged = async () => {
      const found = await shop.session.query(
        `select exists (select from timeline where created_at <= $1) as timeline,
                exists (select from audit_log where at <= $1) as audit`,
        [begunAt],
      );
      return [found.rows[0].timeline, found.rows[0].audit];
    };
    shop.app.clock.advance(89 * 24 * hour);
    await sweepLogs(runtime);
    assert.equal((await shop.deliveries(endpoint.id)).length, 1);
    assert.equal(await isStored(), true);
    shop.app.clock.advance(2 * 24 * hour);
    // The worker removes them too, and a row that it has locked is left to it.
    await until(async () => {
      await sweepLogs(runtime);
      return (await shop.deliveries(endpoint.id)).length === 0 && !(await isStored());
    }, "the delivery and its event gone");
    assert.deepEqual(await logged(), [true, true]);
    shop.app.clock.advance(311 * 24 * hour);
    const worker = openDatabase({ url: shop.app.databaseUrl, role: "mooring_worker" });
    await sweepLogs({ ...runtime, ...worker, database: worker });
    await worker.close();
    assert.deepEqual(await logged(), [false, false]);
  });
});
