import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import { startTestApp, type TestApp } from "@mooring/testing/control/app";
import { makeSides, type Sides, withoutLimits } from "@mooring/testing/control/world";
import pg from "pg";
import { stuckSince } from "../../../domain/connections/stuck.ts";
import { openRuntime } from "../../../process/open-runtime.ts";
import { countEndedDays } from "../../../services/connections/summary.ts";
import { type ConnectionSummary, selectSummary } from "./connection-summary.ts";

const dayMs = 86_400_000;

describe("the summary of a tenant with many connections", () => {
  let app: TestApp;
  let own: Sides;
  let foreign: Sides;
  let admin: pg.Client;

  before(async () => {
    app = await startTestApp(withoutLimits);
    own = await makeSides(app, "own");
    foreign = await makeSides(app, "foreign");
    admin = new pg.Client({ connectionString: app.databaseUrl });
    await admin.connect();
    await stock(own);
    await stock(foreign);
  });
  after(async () => {
    await admin.end();
    await app.close();
  });

  /**
   * Five states and causes over 40 days, with the claims and the counter that the product stores
   * beside them.
   */
  async function stock({ tenant, test }: Sides): Promise<void> {
    await admin.query("set session_replication_role = replica");
    await admin.query(
      `insert into connections (id, tenant_id, environment, application_id, hostname, registrable_domain, kind,
         setup_type, state, challenge, may_use_credentials, desired_records, phase_started_at, created_at,
         first_live_at, error_code, finding)
       select gen_random_uuid(), $1, 'test', $2::uuid, 'h' || n || '.' || $4::text || '.test', $4 || '.test', 'subdomain', 'manual',
         s.state, 'c', true, '[]', at, at, case when s.state in ('live', 'drifted') then at + n * interval '1 second' end,
         s.error_code, case when s.error_code is not null then '{"actor":"end_customer"}'::jsonb end
       from generate_series(1, 400) as n
       cross join lateral (select $3::timestamptz - n * interval '144 minutes' as at) as t
       cross join lateral (select
         case when n % 20 = 0 then 'stalled' when n % 20 = 1 then 'failed' when n % 20 = 2 then 'drifted'
           when n % 20 = 3 then 'archived' else 'live' end as state,
         case when n % 20 in (0, 3) then 'record_missing' end as error_code) as s`,
      [tenant.tenant.id, test.applicationId, app.clock.now(), test.applicationId],
    );
    await admin.query(
      `insert into held_hostnames (tenant_id, environment, held)
       select $1, 'test', count(*) from connections
       where tenant_id = $1 and environment = 'test' and state in ('stalled', 'drifted', 'live')
       on conflict (tenant_id, environment) do update set held = excluded.held`,
      [tenant.tenant.id],
    );
    await admin.query("set session_replication_role = default");
  }

  /** By counting all of them, or from what is stored. */
  function summary(side: Sides, many?: number): Promise<ConnectionSummary> {
    const now = app.clock.now();
    const today = Math.floor(now.getTime() / dayMs) * dayMs;
    const window = {
      now,
      since: new Date(today - 29 * dayMs),
      days: 30,
      stuckSince: stuckSince(now, 1_800_000),
      expiringUntil: new Date(now.getTime() + 14 * dayMs),
    };
    const scope = { tenantId: side.tenant.tenant.id, environment: "test" } as const;
    return app.operator.tenant(scope, (tx) => selectSummary(tx, scope, window, many));
  }

  const storedDays = async ({ tenant }: Sides): Promise<number> => {
    const { rows } = await admin.query<{ count: string }>(
      "select count(*) from connection_days where tenant_id = $1",
      [tenant.tenant.id],
    );
    return Number(rows[0]?.count);
  };

  function assertSame(stored: ConnectionSummary, counted: ConnectionSummary): void {
    const { timeToLive: storedTimes, ...counts } = stored;
    const { timeToLive: times, ...expected } = counted;
    assert.deepEqual(counts, expected);
    // Quantiles of each day stand for its connections.
    for (const name of ["medianS", "p95S"] as const) {
      const [is, was] = [storedTimes[name] ?? Number.NaN, times[name] ?? Number.NaN];
      assert.ok(Math.abs(is - was) <= 0.03 * was, `${name}: ${is} instead of ${was}`);
    }
  }

  it("finds the days that have ended counted by a worker", async () => {
    const worker = await openRuntime(app.config, {
      url: app.databaseUrl,
      role: "mooring_worker",
      name: "worker",
      clock: app.clock,
      log: app.operator.log,
    });
    try {
      const counted = await summary(foreign);
      await countEndedDays(worker.runtime);
      assert.equal(await storedDays(foreign), 0, "tenants with few connections need none");
      await countEndedDays(worker.runtime, 10);
      const stored = await storedDays(foreign);
      assert.ok(stored === 28 || stored === 29, `${stored} days have ended`);
      assertSame(await summary(foreign, 10), counted);
      assert.equal(await storedDays(foreign), stored, "a summary counts none of them again");
      await admin.query("delete from connection_days");
    } finally {
      await worker.close();
    }
  });

  it("is what counting all of them gives, before and after days are stored", async () => {
    const counted = await summary(own);
    assert.equal(counted.byState.live, 320);
    assert.deepEqual(counted.byErrorCode, { record_missing: 20 });
    assert.equal(counted.stuck, 60);
    assert.equal(await storedDays(own), 0);
    assertSame(await summary(own, 10), counted);
    const stored = await storedDays(own);
    assert.ok(stored === 28 || stored === 29, `${stored} days have ended`);
    assertSame(await summary(own, 10), counted);
    assert.equal(await storedDays(foreign), 0);
  });

  it("counts a day again until it has ended, and forgets those that are too old", async () => {
    const before = await summary(own, 10);
    await admin.query(
      `update connections set created_at = $2 where id = (select id from connections
         where tenant_id = $1 and environment = 'test' and created_at < $2::timestamptz - interval '35 days' limit 1)`,
      [own.tenant.tenant.id, app.clock.now()],
    );
    const created = (found: ConnectionSummary) => found.series.at(-1)?.created ?? 0;
    assert.equal(created(await summary(own, 10)), created(before) + 1);
    app.clock.advance(3 * dayMs);
    const later = await summary(own, 10);
    assertSame(later, await summary(own));
    assert.equal(later.series[0]?.date, before.series[3]?.date);
    const { rows } = await admin.query(
      "select from connection_days where tenant_id = $1 and day < $2",
      [own.tenant.tenant.id, later.series[0]?.date],
    );
    assert.equal(rows.length, 0);
  });
});
