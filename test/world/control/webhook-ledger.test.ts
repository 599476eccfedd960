import assert from "node:assert/strict";
import { randomBytes, randomInt } from "node:crypto";
import { after, before, describe, it } from "node:test";
import { setTimeout as delay } from "node:timers/promises";
import { startLedger } from "@mooring/testing/clients/webhook-ledger";
import { textOf } from "@mooring/testing/control/http";
import { startWebhookApp, type WebhookApp } from "@mooring/testing/control/webhooks/webhook-app";
import {
  answer,
  eventIn,
  isGenuine,
  startReceiver,
} from "@mooring/testing/control/webhooks/webhook-receiver";
import { startFleet, type WorkerFleet } from "@mooring/testing/processes/processes";
import { proofSize } from "@mooring/testing/processes/proof-size";
import { recordPromise } from "@mooring/testing/processes/soak";
import { until } from "@mooring/testing/processes/until";

const kills = proofSize(3, 1_000);
const changesPerKill = 100;
/** Less than two cores can do: a worker that waits for a core records its answers late. */
const changesPerSecond = 40;
/** The share after a few kills is chance, so only the long run limits it. */
const repeatedShare = proofSize(1, 0.01);
const workers = 3;
const inFlightPerEndpoint = 8;
const feeds = 8;

describe("webhooks while workers are killed", () => {
  let shop: WebhookApp;
  let fleet: WorkerFleet;
  before(async () => {
    shop = await startWebhookApp(false, { RATE_LIMITS: "general=10000:10000" });
    fleet = await startFleet(workers, {
      DATABASE_URL: shop.app.databaseUrl,
      DATA_DIR: shop.app.config.dataDir,
      DNS_RESOLVERS: "127.0.0.1:1",
      WEBHOOK_ALLOW_PRIVATE: "true",
      LOG_LEVEL: "warn",
      TEST_LEASE_MS: "5000",
    });
  });
  after(async () => {
    await fleet.close();
    await shop.close();
  });

  /**
   * Creates and archives a connection; returns the number of state changes, each with its event.
   */
  async function change(): Promise<number> {
    const hostname = `www.zone-${randomBytes(8).toString("hex")}.test`;
    const body = { application_id: shop.applicationId, hostname };
    const made = await shop.call("/v1/connections", { body });
    // A change that a busy API refused has no event.
    if (made.status === 503) return 0;
    assert.equal(made.status, 201, made.text);
    const ended = await shop.call(`/v1/connections/${textOf(made, "id")}`, { method: "DELETE" });
    return ended.status === 200 ? 2 : 1;
  }

  /** Makes retries due now instead of in minutes. */
  async function hurry(): Promise<void> {
    await shop.session.query(
      "update deliveries set due_at = now() where due_at > now() and leased_until is null",
    );
    await shop.session.query("select pg_notify('mooring_due', 'deliveries')");
  }

  async function openDeliveries(): Promise<number> {
    const { rowCount } = await shop.session.query(
      "select 1 from deliveries where status <> 'delivered'",
    );
    return rowCount ?? 0;
  }

  it(`lose no event over ${kills} kills, and sign every one`, async (t) => {
    const ledger = await startLedger();
    const endpoint = await shop.endpoint(ledger.url);
    const hurried = setInterval(() => void hurry(), 1_000);
    t.after(async () => {
      clearInterval(hurried);
      await shop.call(`/v1/webhook-endpoints/${endpoint.id}`, { method: "DELETE" });
      await ledger.close();
    });
    await ledger.trust(endpoint.secret);
    let changes = 0;
    let killed = 0;
    const feed = async (): Promise<void> => {
      while (killed < kills) {
        const next = delay((feeds * 2_000) / changesPerSecond);
        const made = await change();
        changes += made;
        await next;
      }
    };
    const kill = async (): Promise<void> => {
      while (killed < kills) {
        // One kill per `changesPerKill` changes, at a random point among them.
        const at = killed * changesPerKill + randomInt(changesPerKill);
        await until(() => changes >= at, "more changes");
        await delay(randomInt(100));
        await fleet.killAndReplace(randomInt(workers));
        killed += 1;
      }
    };
    await Promise.all([...Array.from({ length: feeds }, feed), kill()]);
    await until(async () => (await openDeliveries()) === 0, "every delivery over");
    const { accepted, forged, answers } = await ledger.report();
    const { rows } = await shop.session.query<{ id: string }>("select id from events");
    const lost = rows.filter(({ id }) => !accepted.has(id));
    const known = new Set(rows.map(({ id }) => id));
    assert.ok(rows.length >= (kills - 1) * changesPerKill, `${rows.length} events`);
    assert.deepEqual(lost, [], "events that no receiver accepted");
    assert.equal(forged, 0, "requests with a wrong signature");
    assert.ok(
      [...accepted.keys()].every((id) => known.has(id)),
      "an unknown event id",
    );
    const repeated = [...accepted.values()].reduce((sum, count) => sum + count - 1, 0);
    // A kill can only repeat the deliveries that the worker had in flight.
    assert.ok(repeated <= kills * inFlightPerEndpoint, `${repeated} repeated`);
    const share = repeated / rows.length;
    assert.ok(share <= repeatedShare, `${(share * 100).toFixed(2)} % repeated`);
    t.diagnostic(
      `${rows.length} events over ${kills} kills: none lost, ${repeated} repeated (${(share * 100).toFixed(2)} %); ${[...answers].map(([name, count]) => `${name} ${count}`).join(", ")}`,
    );
    recordPromise(
      "G1",
      `${kills} kills, ${rows.length} events`,
      `none lost or unsigned, ${(share * 100).toFixed(2)} % repeated (promise 1 %)`,
    );
  });

  it("send an event again, with the same id, when the sender dies between sending and recording", async (t) => {
    const receiver = await startReceiver();
    t.after(() => receiver.close());
    const endpoint = await shop.endpoint(receiver.url);
    const killing: Promise<void>[] = [];
    receiver.behave(() => {
      // All workers are killed, so that none records this attempt.
      if (killing.length > 0) return;
      for (let index = 0; index < workers; index += 1) killing.push(fleet.killAndReplace(index));
      receiver.behave(answer(200));
    });
    await shop.emitEvent();
    await until(() => killing.length > 0, "the first request");
    await Promise.all(killing);
    await until(async () => (await openDeliveries()) === 0, "delivered");
    const seen = receiver.received;
    assert.ok(seen.length >= 2);
    assert.equal(new Set(seen.map((one) => eventIn(one).id)).size, 1);
    for (const one of seen) assert.equal(isGenuine(one, endpoint.secret, Date.now()), true);
  });
});
