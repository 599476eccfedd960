import assert from "node:assert/strict";
import { randomBytes, randomInt } from "node:crypto";
import { after, before, describe, it } from "node:test";
import { setTimeout as delay } from "node:timers/promises";
import { textOf } from "../../packages/control/test/support/http.ts";
import {
  type MadeEndpoint,
  startWebhookApp,
  type WebhookApp,
} from "../../packages/control/test/support/webhook-app.ts";
import {
  answer,
  eventIn,
  isGenuine,
  type Receiver,
  startReceiver,
} from "../../packages/control/test/support/webhook-receiver.ts";
import { eventually } from "../support/connecting.ts";
import { proofSize } from "../support/proof-size.ts";
import { keepLedger } from "../support/webhook-ledger.ts";
import { startFleet, type WorkerFleet } from "../support/worker-fleet.ts";

const kills = proofSize(3, 1_000);
const changesPerKill = proofSize(200, 400);
/** Over a few kills it is chance; over a thousand it is a figure. */
const repeatedShare = proofSize(1, 0.01);
const workers = 3;
const inFlightPerEndpoint = 8;
const feeds = 8;

describe("webhooks while workers are killed", { timeout: 3_600_000 }, () => {
  let shop: WebhookApp;
  let receiver: Receiver;
  let endpoint: MadeEndpoint;
  let fleet: WorkerFleet;
  before(async () => {
    shop = await startWebhookApp(false, { RATE_LIMITS: "general=10000:10000" });
    receiver = await startReceiver();
    endpoint = await shop.endpoint(receiver.url);
    fleet = await startFleet(workers, {
      DATABASE_URL: shop.app.databaseUrl,
      DATA_DIR: shop.app.config.DATA_DIR,
      DNS_RESOLVERS: "127.0.0.1:1",
      WEBHOOK_ALLOW_PRIVATE: "true",
      LOG_LEVEL: "warn",
      TEST_LEASE_MS: "2000",
    });
  });
  after(async () => {
    await fleet.close();
    await receiver.close();
    await shop.close();
  });

  /** So many state changes, each with its event: a connection is made, and ended again. */
  async function change(): Promise<number> {
    const hostname = `www.zone-${randomBytes(8).toString("hex")}.test`;
    const body = { application_id: shop.applicationId, hostname };
    const made = await shop.call("/v1/connections", { body });
    // A change that a busy service refused was not made, and has no event.
    if (made.status === 503) return 0;
    assert.equal(made.status, 201, made.text);
    const ended = await shop.call(`/v1/connections/${textOf(made, "id")}`, { method: "DELETE" });
    return ended.status === 200 ? 2 : 1;
  }

  /** Retries come now instead of in minutes. */
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
    const ledger = keepLedger(() => endpoint.secret, Math.random);
    receiver.behave(ledger.behaviour);
    let changes = 0;
    let killed = 0;
    const feed = async (): Promise<void> => {
      while (changes < kills * changesPerKill) {
        const made = await change();
        changes += made;
      }
    };
    const kill = async (): Promise<void> => {
      while (killed < kills) {
        // A kill for each so many changes, at a moment of its own.
        await eventually("more changes", 60_000, () => changes >= killed * changesPerKill);
        await delay(randomInt(200));
        await fleet.killAndReplace(randomInt(workers));
        killed += 1;
        await hurry();
      }
    };
    await Promise.all([...Array.from({ length: feeds }, feed), kill()]);
    await eventually("every delivery over", 120_000, async () => {
      await hurry();
      return (await openDeliveries()) === 0;
    });
    const { rows } = await shop.session.query<{ id: string }>("select id from events");
    const lost = rows.filter(({ id }) => !ledger.accepted.has(id));
    const known = new Set(rows.map(({ id }) => id));
    assert.ok(rows.length >= kills * changesPerKill, `${rows.length} events`);
    assert.deepEqual(lost, [], "events that no receiver accepted");
    assert.deepEqual(ledger.forged, [], "requests with a wrong signature");
    assert.ok(
      [...ledger.accepted.keys()].every((id) => known.has(id)),
      "an id that is no event's",
    );
    const repeated = [...ledger.accepted.values()].reduce((sum, count) => sum + count - 1, 0);
    // A kill can only repeat what that one worker had under way.
    assert.ok(repeated <= kills * inFlightPerEndpoint, `${repeated} repeated`);
    const share = repeated / rows.length;
    assert.ok(share <= repeatedShare, `${(share * 100).toFixed(2)} % repeated`);
    t.diagnostic(
      `${rows.length} events over ${kills} kills: none lost, ${repeated} repeated (${(share * 100).toFixed(2)} %); ${[...ledger.answers].map(([name, count]) => `${name} ${count}`).join(", ")}`,
    );
  });

  it("send an event again, with the same id, when the sender dies between sending and recording", async () => {
    const before = receiver.received.length;
    const killing: Promise<void>[] = [];
    receiver.behave(() => {
      // Whichever worker sent it: none of them may record this attempt.
      if (killing.length > 0) return;
      for (let index = 0; index < workers; index += 1) killing.push(fleet.killAndReplace(index));
      receiver.behave(answer(200));
    });
    await shop.happen();
    await eventually("the first request", 30_000, () => killing.length > 0);
    await Promise.all(killing);
    await eventually("delivered", 30_000, async () => (await openDeliveries()) === 0);
    const seen = receiver.received.slice(before);
    assert.ok(seen.length >= 2);
    assert.equal(new Set(seen.map((one) => eventIn(one).id)).size, 1);
    for (const one of seen) assert.equal(isGenuine(one, endpoint.secret, Date.now()), true);
  });
});
