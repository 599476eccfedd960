import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { after, before, describe, it } from "node:test";
import { createTestDatabase, type TestDatabase } from "@mooring/testing/database/database";
import { proofSize } from "@mooring/testing/processes/proof-size";
import pg from "pg";
import { simulateFleet } from "../../../bench/support/fleet-model.ts";
import {
  fillScaleData,
  type ScaleData,
  scaleStatistics,
} from "../../../bench/support/scale-data.ts";
import { inspectOperations } from "../../../bench/support/scale-inspection.ts";

const rows = proofSize(10_000, 200_000);
const believed = 10_000_000;

describe(`the plans of frequent statements with ${rows} connections that pass for ${believed}`, () => {
  const directory = mkdtempSync(path.join(tmpdir(), "mooring-scale-"));
  let database: TestDatabase;
  let session: pg.Client;
  let data: ScaleData;
  before(async () => {
    database = await createTestDatabase();
    session = new pg.Client({ connectionString: database.url });
    await session.connect();
    data = await fillScaleData(session, rows);
    await scaleStatistics(session, believed / rows);
    await addEndpoints(session, data);
  });
  after(async () => {
    await session.end();
    await database.drop();
    rmSync(directory, { recursive: true, force: true });
  });

  for (const kind of ["generic", "custom"] as const) {
    it(`scan no table, sort no backlog and read no more rows than they need, ${kind}`, async (context) => {
      const env = { DATABASE_URL: database.url, DATA_DIR: directory, LOG_LEVEL: "fatal" };
      let statements = 0;
      const parts = { url: database.url, env, session, data };
      const problems = await inspectOperations(parts, kind, ({ name, plans }) => {
        // Not every operation has a statement whose plan is cached.
        if (kind === "custom") assert.ok(plans.length > 0, `no statement of "${name}" was seen`);
        statements += plans.length;
      });
      context.diagnostic(`${statements} statements, ${problems.length} listed exceptions`);
      assert.ok(statements > 0);
      assert.deepEqual(
        problems.filter(({ reason }) => reason === null),
        [],
      );
    });
  }

  it("notice a statement that would not hold", async () => {
    await session.query("drop index certificates_alarm; drop index deliveries_due");
    const env = { DATABASE_URL: database.url, DATA_DIR: directory, LOG_LEVEL: "fatal" };
    data = { ...data, large: data.small };
    const problems = await inspectOperations({ url: database.url, env, session, data }, "custom");
    const found = problems.map(({ problem }) => problem).join();
    for (const table of ["certificates", "deliveries"]) {
      assert.match(found, new RegExp(`(scan|rows) of ${table}`));
    }
  });
});

/**
 * So many, without a delivery, that reading all of them seems cheaper to the planner than some by
 * their keys.
 */
async function addEndpoints(session: pg.Client, { large }: ScaleData): Promise<void> {
  await session.query(
    `with own as (insert into applications (id, tenant_id, environment, name, origin_url, created_at)
       values (gen_random_uuid(), $1, 'live', 'Idle', 'https://origin.example', now()) returning id)
     insert into webhook_endpoints (id, tenant_id, environment, application_id, url, events, active,
       sealed_secret, created_at)
     select gen_random_uuid(), $1, 'live', own.id, 'https://hooks.example/', '{*}', true, 'x', now()
     from own, generate_series(1, 5000)`,
    [large.tenantId],
  );
  await session.query("analyze webhook_endpoints");
}

describe("ten million certificates over a year, by the rules of renewals", () => {
  const incidents = { outage: { day: 100, hours: 72 }, revocation: { day: 200, part: 0.5 } };
  for (const [name, lifetimeHours] of Object.entries({ "45 days": 1_080, "6 days": 160 })) {
    it(`expire none of ${name}, with a CA away for 72 h and half of all revoked`, (context) => {
      const year = simulateFleet({ certificates: believed, lifetimeHours, ...incidents });
      context.diagnostic(
        `${year.usualPerSecond.toFixed(1)}/s, at most ${year.peakPerSecond.toFixed(0)}/s; recovered ` +
          `${year.outageRecoveredHours.toFixed(0)} h after the outage, all revoked ones replaced in ` +
          `${year.revocationRecoveredHours.toFixed(0)} h`,
      );
      assert.equal(year.expired, 0);
      assert.ok(year.revocationRecoveredHours <= 24, `${year.revocationRecoveredHours} h`);
    });
  }

  it("expire with the pace that did not grow", () => {
    const year = simulateFleet({
      certificates: believed,
      lifetimeHours: 1_080,
      ...incidents,
      ordersPerSecond: 20 / 60,
    });
    assert.ok(year.expired > 0);
  });
});
