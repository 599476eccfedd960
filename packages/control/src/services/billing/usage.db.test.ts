import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { after, before, describe, it } from "node:test";
import { startTestApp, type TestApp } from "@mooring/testing/control/app";
import { type Database, openDatabase } from "../../db/engine/pool.ts";
import { selectCounters } from "../../db/queries/billing/usage.ts";
import { calendarMonth, periodKey } from "../../domain/billing/plan.ts";
import { AppError } from "../../domain/errors.ts";
import type { TenantScope } from "../../domain/tenancy.ts";
import { createTenant, setTenantPlan } from "../operator/tenants.ts";
import { takeQuota } from "./usage.ts";

describe("the quota", () => {
  let app: TestApp;
  let database: Database;
  before(async () => {
    app = await startTestApp();
    database = openDatabase({ url: app.databaseUrl, role: "mooring_api" });
  });
  after(async () => {
    await database.close();
    await app.close();
  });

  async function tenantOn(plan: string): Promise<string> {
    const { tenant } = await createTenant(app.operator, `tenant ${randomUUID()}`);
    await setTenantPlan(app.operator, tenant.id, plan);
    return tenant.id;
  }

  async function take(
    scope: TenantScope,
    cause: string = randomUUID(),
  ): Promise<"taken" | AppError> {
    try {
      await database.tenant(scope, (tx) =>
        takeQuota({ ...app.operator, database }, tx, scope, { kind: "connect", cause }),
      );
      return "taken";
    } catch (error) {
      assert.ok(error instanceof AppError, String(error));
      return error;
    }
  }

  async function counted(scope: TenantScope, at = app.clock.now()): Promise<number> {
    const period = periodKey(calendarMonth(at));
    return (await database.tenant(scope, (tx) => selectCounters(tx, period))).connect;
  }

  /** Many at once without more waiting for a connection than the pool lets wait. */
  async function takeMany(
    scope: TenantScope,
    causes: readonly string[],
  ): Promise<(string | AppError)[]> {
    const results: (string | AppError)[] = [];
    const queue = [...causes];
    const worker = async (): Promise<void> => {
      for (let cause = queue.pop(); cause !== undefined; cause = queue.pop()) {
        results.push(await take(scope, cause));
      }
    };
    await Promise.all(Array.from({ length: 6 }, worker));
    return results;
  }

  it("gives the last one to exactly one of 200 parallel takers", async () => {
    const scope = { tenantId: await tenantOn("free"), environment: "live" } as const;
    for (let used = 0; used < 9; used += 1) assert.equal(await take(scope), "taken");
    const results = await takeMany(
      scope,
      Array.from({ length: 200 }, () => randomUUID()),
    );
    assert.equal(results.filter((result) => result === "taken").length, 1);
    for (const result of results) {
      if (result === "taken") continue;
      assert.ok(result instanceof AppError);
      const upgrade_url = app.config.upgradeUrl;
      assert.equal(result.code, "QuotaExceeded");
      assert.deepEqual(result.details, { limit: 10, plan: "free", upgrade_url });
      assert.deepEqual(result.topLevel, { upgrade_url });
    }
    assert.equal(await counted(scope), 10);
  });

  it("counts one cause once, however often it comes", async () => {
    const scope = { tenantId: await tenantOn("free"), environment: "live" } as const;
    const cause = randomUUID();
    const results = await takeMany(
      scope,
      Array.from({ length: 50 }, () => cause),
    );
    assert.deepEqual(new Set(results), new Set(["taken"]));
    assert.equal(await counted(scope), 1);
  });

  it("counts and never limits the test environment", async () => {
    const scope = { tenantId: await tenantOn("free"), environment: "test" } as const;
    const results = await takeMany(
      scope,
      Array.from({ length: 30 }, () => randomUUID()),
    );
    assert.deepEqual(new Set(results), new Set(["taken"]));
    assert.equal(await counted(scope), 30);
    assert.equal(await counted({ ...scope, environment: "live" }), 0);
  });

  it("counts nothing when the transaction that uses it fails", async () => {
    const scope = { tenantId: await tenantOn("free"), environment: "live" } as const;
    const cause = randomUUID();
    const work = database.tenant(scope, async (tx) => {
      await takeQuota({ ...app.operator, database }, tx, scope, { kind: "connect", cause });
      throw new Error("the connection could not be made");
    });
    await assert.rejects(work, /could not be made/);
    assert.equal(await counted(scope), 0);
    assert.equal(await take(scope, cause), "taken");
    assert.equal(await counted(scope), 1);
  });

  it("lets a refused cause through after an upgrade, and starts at zero each month", async () => {
    const scope = { tenantId: await tenantOn("free"), environment: "live" } as const;
    for (let used = 0; used < 10; used += 1) await take(scope);
    const cause = randomUUID();
    assert.ok((await take(scope, cause)) instanceof AppError);
    await setTenantPlan(app.operator, scope.tenantId, "starter");
    assert.equal(await take(scope, cause), "taken");
    await setTenantPlan(app.operator, scope.tenantId, "free");
    assert.ok((await take(scope)) instanceof AppError);
    const month = app.clock.now();
    app.clock.advance(calendarMonth(month).end.getTime() - month.getTime() + 1_000);
    assert.equal(await take(scope), "taken");
    assert.equal(await counted(scope), 1);
    assert.equal(await counted(scope, month), 11);
  });
});
