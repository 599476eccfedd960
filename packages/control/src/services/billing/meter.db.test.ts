import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import { startTestApp, type TestApp } from "@mooring/testing/control/app";
import { call } from "@mooring/testing/control/http";
import { keyWith, mintToken } from "@mooring/testing/control/world";
import { until } from "@mooring/testing/processes/until";
import pg from "pg";
import { type Database, openDatabase } from "../../db/engine/pool.ts";
import type { KeyActor } from "../../domain/tenancy.ts";
import { startMeter } from "./meter.ts";

/** A database whose statements are counted and can be made to fail. */
function watched(database: Database) {
  const statements: string[] = [];
  let broken: RegExp | null = null;
  const prepared: Database["prepared"] = async (statement, values) => {
    statements.push(statement.text);
    if (broken?.test(statement.text)) throw new Error("away");
    return database.prepared(statement, values);
  };
  return {
    database: { ...database, prepared },
    statements,
    /** Statements that fail from now on. */
    breakOff: (which: RegExp | null) => {
      broken = which;
    },
  };
}

describe("metering", () => {
  let app: TestApp;
  let client: pg.Client;
  let database: Database;
  before(async () => {
    app = await startTestApp();
    client = new pg.Client({ connectionString: app.databaseUrl });
    await client.connect();
    database = openDatabase({ url: app.databaseUrl, role: "mooring_api" });
  });
  after(async () => {
    await database.close();
    await client.end();
    await app.close();
  });

  /** A tenant's key and first application, at the cost of one call. */
  async function tenant(name: string) {
    const made = await app.tenant(name);
    const list = await call(app.api.url, "/v1/applications", { key: made.keys.test });
    const applicationId = /"id":"([^"]+)"/.exec(list.text)?.[1] ?? "";
    return { tenantId: made.tenant.id, own: { key: made.keys.test, applicationId } };
  }

  async function readCalls(tenantId: string): Promise<Record<string, number>> {
    const { rows } = await client.query<{ environment: string; total: string }>(
      `select environment, sum(amount) as total from usage_counters
       where tenant_id = $1 and kind = 'api_call' group by environment`,
      [tenantId],
    );
    return Object.fromEntries(rows.map((row) => [row.environment, Number(row.total)]));
  }

  async function lastUsed(keyId: string): Promise<Date | null> {
    const { rows } = await client.query<{ last_used_at: Date | null }>(
      "select last_used_at from api_keys where id = $1",
      [keyId],
    );
    return rows[0]?.last_used_at ?? null;
  }

  it("counts every authenticated call of every process, and no other, by the time they close", async () => {
    const { own, tenantId } = await tenant("exact");
    const { keys } = await app.tenant("not counted here");
    const token = await mintToken(app, own.key, own.applicationId);
    const others = await Promise.all([app.another(), app.another()]);
    const base = 2; // the list and the token above, on the first process
    for (let index = 0; index < 120; index += 1) {
      const { url } = others[index % 2] ?? app.api;
      // Five at once: a call that a busy API sheds would not be counted.
      await Promise.all([
        call(url, "/v1/plans", { key: own.key }),
        call(url, "/v1/plans", { key: token }),
        call(url, "/v1/applications/nope", { key: own.key }),
        call(url, "/v1/plans", { key: `${own.key.slice(0, -1)}_` }),
        call(url, "/v1/plans", { key: keys.test }),
      ]);
    }
    await Promise.all(others.map((api) => api.close()));
    await until(async () => (await readCalls(tenantId))["test"] === base + 360);
    assert.deepEqual(await readCalls(tenantId), { test: base + 360 });
  });

  it("shows the counted calls in GET /v1/usage", async () => {
    const { own, tenantId } = await tenant("shown");
    const expected = 1;
    await until(async () => (await readCalls(tenantId))["test"] === expected);
    const usage = (await call(app.api.url, "/v1/usage", { key: own.key })).json();
    assert.deepEqual(usage["counters"], {
      connect: 0,
      active_domain: 0,
      cert: 0,
      api_call: expected,
    });
  });

  function actor(tenantId: string, keyId: string, applicationId: string): KeyActor {
    return {
      kind: "key",
      role: null,
      tenantId,
      environment: "test",
      keyId,
      applicationId,
      scopes: [],
      isSuspended: false,
    };
  }

  it("writes many calls in one statement and nothing while they are made", async () => {
    const { own, tenantId } = await tenant("batched");
    const { database: db, statements } = watched(database);
    const meter = startMeter({ ...app.operator, database: db });
    const { id } = await keyWith(app, own, ["usage:read"]);
    const before = (await readCalls(tenantId))["test"] ?? 0;
    for (let index = 0; index < 5_000; index += 1) {
      meter.count(actor(tenantId, id, own.applicationId));
    }
    assert.equal(statements.length, 0);
    await meter.flush();
    assert.equal(statements.filter((text) => text.includes("add_api_calls")).length, 1);
    assert.equal(statements.filter((text) => text.includes("touch_api_keys")).length, 1);
    await meter.flush();
    assert.equal(statements.length, 2, "nothing new, nothing written");
    await meter.close();
    await until(async () => ((await readCalls(tenantId))["test"] ?? 0) >= before + 5_000);
  });

  it("sets last_used_at at most once a minute, and never back", async () => {
    const { own, tenantId } = await tenant("used");
    const { database: db, statements } = watched(database);
    const meter = startMeter({ ...app.operator, database: db });
    const { id } = await keyWith(app, own, ["usage:read"]);
    const one = actor(tenantId, id, own.applicationId);
    assert.equal(await lastUsed(id), null);
    meter.count(one);
    await meter.flush();
    const first = await lastUsed(id);
    assert.ok(first);
    app.clock.advance(30_000);
    meter.count(one);
    await meter.flush();
    assert.deepEqual(await lastUsed(id), first);
    app.clock.advance(31_000);
    meter.count(one);
    await meter.flush();
    const second = await lastUsed(id);
    assert.ok(second && second > first);
    assert.equal(statements.filter((text) => text.includes("touch_api_keys")).length, 2);
    await client.query("update api_keys set last_used_at = $2 where id = $1", [
      id,
      new Date(second.getTime() + 3_600_000),
    ]);
    app.clock.advance(61_000);
    meter.count(one);
    await meter.close();
    assert.equal((await lastUsed(id))?.getTime(), second.getTime() + 3_600_000);
  });

  it("writes counts that could not be written before when the database is back", async () => {
    const { own, tenantId } = await tenant("unwritten");
    const { database: db, breakOff } = watched(database);
    const meter = startMeter({ ...app.operator, database: db });
    const { id } = await keyWith(app, own, ["usage:read"]);
    await until(async () => (await readCalls(tenantId))["test"] === 2);
    breakOff(/touch_api_keys/);
    meter.count(actor(tenantId, id, own.applicationId));
    await assert.rejects(meter.flush(), /away/);
    breakOff(/./);
    for (let index = 0; index < 10; index += 1) {
      meter.count(actor(tenantId, id, own.applicationId));
      await assert.rejects(meter.flush(), /away/);
    }
    breakOff(null);
    await meter.close();
    assert.deepEqual(await readCalls(tenantId), { test: 13 });
    assert.notEqual(await lastUsed(id), null, "the use of the key was written too");
  });
});
