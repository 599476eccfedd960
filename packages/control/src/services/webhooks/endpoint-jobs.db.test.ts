import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import { startWebhookApp, type WebhookApp } from "@mooring/testing/control/webhooks/webhook-app";
import { until } from "@mooring/testing/processes/until";
import { type Database, openDatabase } from "../../db/engine/pool.ts";
import { claimDueDeliveries } from "../../db/queries/webhooks/due-deliveries.ts";
import { runEndpointJobs } from "./endpoint-jobs.ts";

/** More than are done at once. */
const many = 2_300;

describe("long work for an endpoint", () => {
  let shop: WebhookApp;
  let worker: Database;
  before(async () => {
    shop = await startWebhookApp(false);
    worker = openDatabase({ url: shop.app.databaseUrl, role: "mooring_worker" });
    await shop.emitEvent();
    await shop.session.query(
      `insert into events (id, tenant_id, environment, application_id, connection_id, sequence, type, body, created_at)
       select gen_random_uuid(), tenant_id, environment, application_id, connection_id, 1000 + n, type, body,
         created_at - n * interval '1 second'
       from events, generate_series(2, $1::int) n`,
      [many],
    );
  });
  after(async () => {
    await worker.close();
    await shop.close();
  });

  /** As a worker does it. */
  const runJobs = () => runEndpointJobs({ ...shop.app.operator, ...worker, database: worker });

  async function filledEndpoint(dueInMs: number): Promise<string> {
    const { id } = await shop.endpoint("https://hooks.example.com/");
    await shop.session.query(
      `insert into deliveries (id, tenant_id, environment, endpoint_id, event_id, event_type, status, due_at, created_at)
       select gen_random_uuid(), tenant_id, environment, $1, id, type, 'pending', $2, created_at from events`,
      [id, new Date(shop.app.clock.now().getTime() + dueInMs)],
    );
    return id;
  }

  async function count(text: string, ...values: readonly unknown[]): Promise<number> {
    const { rows } = await shop.session.query(`select count(*)::int as count ${text}`, [...values]);
    return rows[0].count;
  }

  function claim() {
    const now = shop.app.clock.now();
    const limits = { perEndpoint: 8, perTenant: 64, perTestEnvironment: 64, capped: new Map() };
    return claimDueDeliveries(worker, now, new Date(now.getTime() + 30_000), 32, limits);
  }

  it("is gone at once when deleted, and its log is removed in pieces", async () => {
    const id = await filledEndpoint(0);
    const path = `/v1/webhook-endpoints/${id}`;
    assert.equal((await shop.call(path, { method: "DELETE" })).status, 204);
    assert.equal((await shop.call(path)).status, 404);
    assert.equal((await shop.call(path, { method: "DELETE" })).status, 404);
    assert.ok(!(await shop.call("/v1/webhook-endpoints?limit=100")).text.includes(id));
    assert.deepEqual(await claim(), [], "nothing is sent to it any more");
    assert.equal(await count("from deliveries where endpoint_id = $1", id), many);
    await runJobs();
    assert.equal(await count("from deliveries where endpoint_id = $1", id), 0);
    assert.equal(await count("from webhook_endpoints where id = $1", id), 0);
  });

  it("replays the first events at once and the rest in pieces, and shows the progress", async () => {
    const { id } = await shop.endpoint("https://hooks.example.com/");
    const since = "2020-01-01T00:00:00.000Z";
    const path = `/v1/webhook-endpoints/${id}`;
    const answer = await shop.call(`${path}/replay`, { body: { since } });
    assert.deepEqual(answer.json(), { replayed: 1_000, complete: false });
    const { replay } = (await shop.call(path)).json();
    assert.deepEqual(replay, { since, replayed: 1_000, complete: false });
    await runJobs();
    const after = (await shop.call(path)).json();
    assert.deepEqual(after["replay"], { since, replayed: many, complete: true });
    assert.equal(await count("from deliveries where endpoint_id = $1", id), many);
    await shop.call(path, { method: "DELETE" });
    await runJobs();
  });

  it("is switched off without touching its log, and on again with everything due", async () => {
    const day = 86_400_000;
    const id = await filledEndpoint(day);
    const path = `/v1/webhook-endpoints/${id}`;
    const { rows } = await shop.session.query(
      "select max(xmin::text::bigint) as newest from deliveries",
    );
    await shop.call(path, { method: "PATCH", body: { active: false } });
    const touched = "from deliveries where xmin::text::bigint > $1";
    assert.equal(await count(touched, rows[0].newest), 0, "no row is written");
    for (const delivery of await shop.deliveries(id)) assert.equal(delivery.next_attempt_at, null);
    shop.app.clock.advance(2 * day);
    assert.deepEqual(await claim(), [], "nothing is sent while it is off");
    await shop.session.query("update deliveries set due_at = due_at + interval '10 days'");
    await shop.call(path, { method: "PATCH", body: { active: true } });
    await runJobs();
    const isDue = "from deliveries where endpoint_id = $1 and due_at <= $2";
    assert.equal(await count(isDue, id, shop.app.clock.now()), many);
    await until(async () => (await claim()).length > 0, "a delivery that is due");
  });

  it("leaves the next attempt of what was sent since it was switched on", async () => {
    const id = await filledEndpoint(86_400_000);
    const path = `/v1/webhook-endpoints/${id}`;
    await shop.call(path, { method: "PATCH", body: { active: false } });
    await shop.call(path, { method: "PATCH", body: { active: true } });
    shop.app.clock.advance(100);
    const sentAt = shop.app.clock.now();
    const retryAt = new Date(sentAt.getTime() + 5_000);
    // One was due when the endpoint was switched on: its first attempt comes before the job.
    const { rows } = await shop.session.query(
      `update deliveries set due_at = $2, status = 'failed', tries = 1, attempts = $3
       where id = (select id from deliveries where endpoint_id = $1 limit 1) returning id`,
      [id, retryAt, JSON.stringify([{ at: sentAt.toISOString(), status_code: 500 }])],
    );
    await runJobs();
    const stillLater = "from deliveries where endpoint_id = $1 and due_at > $2";
    assert.equal(await count(stillLater, id, sentAt), 1);
    assert.equal(
      await count("from deliveries where id = $1 and due_at = $2", rows[0].id, retryAt),
      1,
    );
  });
});
