import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { after, before, beforeEach, describe, it } from "node:test";
import { openCaller } from "@mooring/testing/clients/connecting";
import { startWebhookApp, type WebhookApp } from "@mooring/testing/control/webhooks/webhook-app";
import { proofSize } from "@mooring/testing/processes/proof-size";
import { firstConnection } from "../../engine/first-connection.ts";
import { type Database, openDatabase } from "../../engine/pool.ts";
import {
  claimDueDeliveries,
  type DeliveryLimits,
  type DueDelivery,
  extendDeliveries,
} from "./due-deliveries.ts";

const races = proofSize(10, 500);
const workers = 8;
const eventsEach = 20;
const none: ReadonlyMap<string, number> = new Map();

describe("claiming deliveries that are due", () => {
  let shop: WebhookApp;
  const pools: Database[] = [];
  const endpoints: string[] = [];
  before(async () => {
    shop = await startWebhookApp(false);
    await shop.emitEvent();
    await shop.session.query(
      `insert into events (id, tenant_id, environment, application_id, connection_id, sequence, type, body, created_at)
       select gen_random_uuid(), tenant_id, environment, application_id, connection_id, 1000 + n, type, body, created_at
       from events, generate_series(2, $1) n`,
      [eventsEach],
    );
    for (let count = 0; count < 12; count += 1) {
      endpoints.push((await shop.endpoint("https://hooks.example.com/")).id);
    }
    for (let count = 0; count < workers; count += 1) {
      const pool = openDatabase({ url: shop.app.databaseUrl, role: "mooring_worker", max: 1 });
      pools.push(pool);
      // One after the other: a pool waits a second for its connection.
      await firstConnection(pool.pool);
    }
  });
  after(async () => {
    await Promise.all(pools.map((pool) => pool.close()));
    await shop.close();
  });
  beforeEach(() => shop.session.query("delete from deliveries"));

  const start = Date.now() + 3_600_000;
  const later = (ms: number): Date => new Date(start + ms);

  /** Every event is due at each of these endpoints. */
  async function fill(ids: readonly string[]): Promise<void> {
    await shop.session.query(
      `insert into deliveries (id, tenant_id, environment, endpoint_id, event_id, event_type, status, due_at, created_at)
       select gen_random_uuid(), tenant_id, environment, endpoint_id, id, type, 'pending', created_at, created_at
       from events, unnest($1::uuid[]) as e (endpoint_id)`,
      [ids],
    );
  }

  function claim(
    pool: Database,
    now = 0,
    capped = none,
    limit = 32,
    limits: Partial<DeliveryLimits> = {},
  ): Promise<DueDelivery[]> {
    const all = { perEndpoint: 8, perTenant: 64, perTestEnvironment: 64, ...limits, capped };
    return claimDueDeliveries(pool, later(now), later(now + 30_000), limit, all);
  }

  /** All workers at the same moment, until none of them finds more. */
  async function claimTogether(now: number): Promise<DueDelivery[]> {
    const claimed: DueDelivery[] = [];
    for (;;) {
      const more = (await Promise.all(pools.map((pool) => claim(pool, now)))).flat();
      if (more.length === 0) return claimed;
      claimed.push(...more);
    }
  }

  it(`gives ${workers} workers together no more than eight of one endpoint, in ${races} races`, async () => {
    const [id] = endpoints;
    assert.ok(id);
    await fill([id]);
    for (let race = 0; race < races; race += 1) {
      const claimed = await claimTogether(race * 60_000);
      assert.equal(claimed.length, 8, `race ${race}`);
      assert.equal(new Set(claimed.map((one) => one.id)).size, 8);
    }
  });

  it(`gives them no more than sixty-four of one tenant, in ${races} races`, async () => {
    await fill(endpoints);
    for (let race = 0; race < races; race += 1) {
      const claimed = await claimTogether(race * 60_000);
      assert.equal(claimed.length, 64, `race ${race}`);
      assert.equal(new Set(claimed.map((one) => one.id)).size, 64);
    }
  });

  it("gives workers that ask at the same moment different ones", async () => {
    await fill(endpoints.slice(0, 8));
    const claimed = await Promise.all(pools.map((pool) => claim(pool, 0, none, 8)));
    assert.equal(new Set(claimed.flat().map((one) => one.id)).size, claimed.flat().length);
    assert.ok(claimed.filter((some) => some.length > 0).length > 1, "not one worker alone");
  });

  it("counts what another worker has under way, for as long as that one lives", async () => {
    const [id] = endpoints;
    const [first, second] = pools;
    assert.ok(id && first && second);
    await fill([id]);
    const leased = await claim(first, 0, none, 5);
    assert.equal(leased.length, 5);
    assert.equal((await claim(second, 10_000)).length, 3);
    assert.deepEqual(await claim(second, 29_000), []);
    const extended = new Map(leased.slice(0, 2).map((one) => [one.id, one.version]));
    await extendDeliveries(first, extended, later(60_000));
    // Three of the first worker's are lost, which frees their slots.
    assert.equal((await claim(second, 31_000)).length, 3);
  });

  it("gives a capped endpoint no more than its limit, and the others all they may have", async () => {
    const [tried, capped, well] = endpoints;
    const [worker] = pools;
    assert.ok(tried && capped && well && worker);
    await fill([tried, capped, well]);
    const claimed = await claim(
      worker,
      0,
      new Map([
        [tried, 1],
        [capped, 0],
      ]),
    );
    const of = (id: string): number => claimed.filter((one) => one.endpointId === id).length;
    assert.deepEqual([of(tried), of(capped), of(well)], [1, 0, 8]);
  });

  it("shares the slots between tenants, however long each has waited", async () => {
    const [worker, second] = pools;
    const [model, ...large] = endpoints.slice(0, 6);
    assert.ok(worker && second && model);
    const key = (await shop.app.tenant("Other")).keys.test;
    const other = await openCaller(shop.app.api.url, key);
    const { rows } = await shop.session.query<{ id: string }>(
      `insert into webhook_endpoints select (jsonb_populate_record(e, jsonb_build_object('id', gen_random_uuid(),
         'tenant_id', a.tenant_id, 'application_id', a.id))).*
       from webhook_endpoints e, applications a where e.id = $1 and a.id = $2 returning id`,
      [model, other.applicationId],
    );
    const small = rows[0]?.id;
    assert.ok(small);
    await fill([...large, small]);
    await shop.session.query(
      `update deliveries d set tenant_id = e.tenant_id,
         due_at = due_at + case when e.id = $1 then interval '1 hour' else interval '0' end
       from webhook_endpoints e where e.id = d.endpoint_id`,
      [small],
    );
    const first = await claim(worker, 3_600_000, none, 8);
    const ofSmall = (some: readonly DueDelivery[]) =>
      some.filter((one) => one.endpointId === small).length;
    assert.equal(ofSmall(first), 4);
    // A tenant with much in flight waits for the one with little.
    assert.equal(ofSmall(await claim(second, 3_600_000, none, 4)), 2);
    await shop.session.query("update deliveries set leased_until = null");
    const limited = await claim(worker, 3_600_000, none, 32, { perTestEnvironment: 3 });
    assert.deepEqual([ofSmall(limited), limited.length], [3, 6]);
  });

  it("takes the longest overdue first when there are not enough slots for all", async () => {
    await fill(endpoints.slice(0, 4));
    const [worker] = pools;
    assert.ok(worker);
    const last = endpoints[3];
    await shop.session.query(
      "update deliveries set due_at = due_at - interval '1 minute' where endpoint_id = $1",
      [last],
    );
    const claimed = await claim(worker, 0, none, 8);
    assert.deepEqual(new Set(claimed.map((one) => one.endpointId)), new Set([last]));
  });

  it("reaches an endpoint behind hundreds that cannot be served now", async () => {
    const [pool] = pools;
    assert.ok(pool);
    const busy = Array.from({ length: 300 }, () => randomUUID());
    await shop.session.query(
      `insert into webhook_endpoints (id, tenant_id, environment, application_id, url, events, active,
         sealed_secret, created_at)
       select b.id, e.tenant_id, e.environment, e.application_id, e.url, '{none}', true, e.sealed_secret, now()
       from unnest($1::uuid[]) as b (id), webhook_endpoints e where e.id = $2`,
      [busy, endpoints[0]],
    );
    await fill(busy);
    await fill(endpoints.slice(0, 1));
    const capped = new Map(busy.map((id) => [id, 0]));
    let claims = 0;
    for (let found = 0; found === 0; claims += 1) {
      assert.ok(claims < 10, "it is not reached");
      found = (await claim(pool, 0, capped)).length;
    }
    const { rows } = await shop.session.query(
      "select count(*)::int as count from endpoint_queue where turn_at <= $1",
      [later(0)],
    );
    assert.ok(rows[0].count >= busy.length, "the others keep their queue position");
  });
});
