import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import { setTimeout as delay } from "node:timers/promises";
import { startTestApp, type TestApp } from "@mooring/testing/control/app";
import { sql } from "kysely";
import type { NewTenant } from "../../../services/operator/tenants.ts";
import { type Database, openDatabase } from "../../engine/pool.ts";
import { selectTenants } from "../operator/tenants.ts";
import {
  findSubscriptionTenant,
  lockSubscription,
  selectSubscription,
  setOwnPlan,
  updateSubscription,
} from "./subscriptions.ts";

describe("subscriptions under the api role", () => {
  let app: TestApp;
  let database: Database;
  let ours: NewTenant;
  let theirs: NewTenant;
  before(async () => {
    app = await startTestApp();
    database = openDatabase({ url: app.databaseUrl, role: "mooring_api" });
    ours = await app.tenant("Ours");
    theirs = await app.tenant("Theirs");
  });
  after(async () => {
    await database.close();
    await app.close();
  });

  const scopeOf = ({ tenant }: NewTenant) =>
    ({ tenantId: tenant.id, environment: "live" }) as const;
  const plans = async () =>
    (await app.operator.database.transaction(selectTenants)).map(({ plan }) => plan);

  /** Whether a transaction that has used the table stands in a queue for a lock. */
  const someoneWaits = async (): Promise<boolean> => {
    const { rows } = await app.operator.database.pool.query(
      `select from pg_locks where not granted and pid in
         (select pid from pg_locks where relation = 'subscriptions'::regclass)`,
    );
    return rows.length > 0;
  };

  it("a plan moves for the transaction's tenant alone, and without one for nobody", async () => {
    await database.transaction((tx) => setOwnPlan(tx, "growth"));
    assert.deepEqual(await plans(), ["self_hosted", "self_hosted"]);
    await database.tenant(scopeOf(ours), (tx) => setOwnPlan(tx, "growth"));
    assert.deepEqual(await plans(), ["growth", "self_hosted"]);
    const direct = database.pool.query("update tenants set plan = 'growth'");
    await assert.rejects(direct, { code: "42501" });
  });

  it("another tenant's subscription is neither seen nor written", async () => {
    const begin = { plan: "starter", at: app.clock.now() };
    const { tenantId } = scopeOf(ours);
    await database.tenant(scopeOf(ours), async (tx) => {
      const begun = await lockSubscription(tx, tenantId, begin);
      await updateSubscription(tx, tenantId, { ...begun, status: "active", stripeId: "sub_1" });
    });
    await database.tenant(scopeOf(theirs), async (tx) => {
      const seen = await selectSubscription(tx, tenantId);
      assert.equal(seen, null);
      await updateSubscription(tx, tenantId, {
        plan: "growth",
        status: "canceled",
        customer: null,
        stripeId: null,
        currentPeriodEnd: null,
        lastEventAt: null,
      });
    });
    const stored = await database.tenant(scopeOf(ours), (tx) => selectSubscription(tx, tenantId));
    assert.deepEqual([stored?.status, stored?.plan], ["active", "starter"]);
    const foreign = database.tenant(scopeOf(theirs), (tx) => lockSubscription(tx, tenantId, begin));
    await assert.rejects(foreign);
  });

  it("one that is locked is waited for, and then seen as it was left", async () => {
    const { tenantId } = scopeOf(theirs);
    const begin = { plan: "starter", at: app.clock.now() };
    const lock = () =>
      database.tenant(scopeOf(theirs), (tx) => lockSubscription(tx, tenantId, begin));
    await lock();
    const second = await database.tenant(scopeOf(theirs), async (tx) => {
      const first = await lockSubscription(tx, tenantId, begin);
      let isDone = false;
      const waiter = lock().finally(() => {
        isDone = true;
      });
      while (!isDone && !(await someoneWaits())) await delay(5);
      await updateSubscription(tx, tenantId, { ...first, status: "past_due" });
      return { waiter };
    });
    assert.equal((await second.waiter).status, "past_due");
  });

  it("a Stripe subscription tells its tenant before one is known", async () => {
    assert.equal(await findSubscriptionTenant(database, "sub_1"), ours.tenant.id);
    assert.equal(await findSubscriptionTenant(database, "sub_2"), null);
  });

  it("the functions are closed to roles that have no part in billing", async () => {
    for (const text of ["select set_own_plan('x')", "select find_subscription_tenant('x')"]) {
      const refused = app.operator.database.transaction((tx) => sql.raw(text).execute(tx));
      await assert.rejects(refused, { code: "42501" });
    }
  });
});
