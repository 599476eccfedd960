import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import { startTestApp, type TestApp } from "@mooring/testing/control/app";
import pg from "pg";
import { createOperatorKey, createTenant, setTenantPlan } from "./tenants.ts";

describe("the operator's verbs on tenants", () => {
  let app: TestApp;
  let session: pg.Client;
  before(async () => {
    app = await startTestApp();
    session = new pg.Client({ connectionString: app.databaseUrl });
    await session.connect();
  });
  after(async () => {
    await session.end();
    await app.close();
  });

  it("write an audit row with every change", async () => {
    const { tenant } = await createTenant(app.operator, "Acme");
    await setTenantPlan(app.operator, tenant.id, "free");
    await createOperatorKey(app.operator, {
      tenant: tenant.id,
      environment: "test",
      application: "Default",
      name: "Second key",
    });
    const { rows } = await session.query<{ action: string; actor: string }>(
      "select action, actor from audit_log where tenant_id = $1 order by action",
      [tenant.id],
    );
    assert.deepEqual(rows, [
      { action: "api_key.create", actor: "operator" },
      { action: "tenant.create", actor: "operator" },
      { action: "tenant.set_plan", actor: "operator" },
    ]);
  });

  it("leave no audit row when the change fails", async () => {
    const malformed = { test: "sk_test_malformed" };
    await assert.rejects(createTenant(app.operator, "Broken", malformed), /well-formed/);
    const { rows } = await session.query(
      "select 1 from audit_log a left join tenants t on t.id = a.tenant_id where t.name = 'Broken'",
    );
    assert.deepEqual(rows, []);
  });
});
