import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { after, before, describe, it } from "node:test";
import { startTestApp, type TestApp } from "@mooring/testing/control/app";
import { type Answer, call, textOf } from "@mooring/testing/control/http";
import { proofSize } from "@mooring/testing/processes/proof-size";
import { until } from "@mooring/testing/processes/until";
import pg from "pg";
import { setTenantPlan } from "../../services/operator/tenants.ts";

/** Names in a batch, and batches at once. */
const size = proofSize(8, 200);
const atOnce = proofSize(3, 2);

describe("POST /v1/connections:batch", () => {
  let app: TestApp;
  let admin: pg.Client;
  before(async () => {
    app = await startTestApp();
    admin = new pg.Client({ connectionString: app.databaseUrl });
    await admin.connect();
  });
  after(async () => {
    await admin.end();
    await app.close();
  });

  interface Importer {
    readonly tenantId: string;
    batch(hostnames: readonly string[]): Promise<Answer>;
    connects(): Promise<number>;
  }

  async function importer(environment: "test" | "live"): Promise<Importer> {
    const { tenant, keys } = await app.tenant(`tenant ${randomUUID()}`);
    const key = keys[environment];
    const made = await call(app.api.url, "/v1/applications", { key, body: { name: "Shop" } });
    const applicationId = textOf(made, "id");
    return {
      tenantId: tenant.id,
      batch: (hostnames) =>
        call(app.api.url, "/v1/connections:batch", {
          key,
          body: { application_id: applicationId, hostnames },
        }),
      async connects() {
        const { rows } = await admin.query<{ amount: string }>(
          "select amount from usage_counters where tenant_id = $1 and kind = 'connect'",
          [tenant.id],
        );
        return Number(rows[0]?.amount ?? 0);
      },
    };
  }

  const names = (count: number, zone: string): string[] =>
    Array.from({ length: count }, (_, index) => `n${String(index).padStart(3, "0")}.${zone}`);

  function statuses(answer: Answer): string[] {
    const { results } = answer.json();
    assert.ok(Array.isArray(results), answer.text);
    return results.map(({ status }) => status);
  }

  it("answers overlapping batches of one tenant, and counts every connection once", async () => {
    const shop = await importer("test");
    const all = names(size, `${randomUUID()}.test`);
    // Every other one begins at the other end, and each lacks another name.
    const batches = Array.from({ length: atOnce }, (_, index) => {
      const own = all.filter((_, position) => position !== index);
      return index % 2 === 0 ? own : own.toReversed();
    });
    const answers = await Promise.all(batches.map((hostnames) => shop.batch(hostnames)));
    assert.deepEqual(new Set(answers.map(({ status }) => status)), new Set([200]));
    const created = answers.flatMap(statuses).filter((status) => status === "created");
    assert.equal(created.length, all.length);
    assert.equal(await shop.connects(), all.length);
  });

  it("creates a hostname that is named again once, and resumes it there, in any spelling", async () => {
    const shop = await importer("test");
    const zone = `${randomUUID()}.test`;
    const [once, other] = [`shop.${zone}`, `blog.${zone}`];
    const answer = await shop.batch([once, other, once, once.toUpperCase(), "-", "-"]);
    const all = ["created", "created", "resumed", "resumed", "failed", "failed"];
    assert.deepEqual(statuses(answer), all);
    const results = answer.json()["results"] as readonly { connection: { id: string } | null }[];
    const ids = results.map(({ connection }) => connection?.id);
    assert.deepEqual([ids[2], ids[3]], [ids[0], ids[0]]);
    assert.equal(await shop.connects(), 2);
  });

  it("does not hold up another request of the tenant while it waits for a hostname", async () => {
    const shop = await importer("test");
    const all = names(5, `${randomUUID()}.test`);
    const busy = `hostname:${all.at(-1)}`;
    await admin.query("begin");
    await admin.query("select pg_advisory_xact_lock(hashtextextended($1, 0))", [busy]);
    const waiting = shop.batch(all);
    await until(async () => {
      const { rows } = await admin.query<{ count: string }>(
        `select count(*) from pg_locks where locktype = 'advisory' and not granted
         and database = (select oid from pg_database where datname = current_database())`,
      );
      return Number(rows[0]?.count) > 0;
    });
    const other = await shop.batch([`other.${randomUUID()}.test`]);
    assert.deepEqual([other.status, await shop.connects()], [200, 1], other.text);
    await admin.query("rollback");
    const answer = await waiting;
    assert.equal(answer.status, 200, answer.text);
    assert.deepEqual(new Set(statuses(answer)), new Set(["created"]));
    assert.equal(await shop.connects(), 6);
  });

  it("creates as many as the plan allows, and refuses the others by name", async () => {
    const shop = await importer("live");
    await setTenantPlan(app.operator, shop.tenantId, "free");
    const all = names(14, `z${randomUUID().slice(0, 8)}.com`);
    const answer = await shop.batch(all);
    assert.equal(answer.status, 200, answer.text);
    const found = statuses(answer);
    assert.equal(found.filter((status) => status === "created").length, 10);
    assert.deepEqual(found.slice(10), ["failed", "failed", "failed", "failed"]);
    assert.match(answer.text, /QuotaExceeded/);
    assert.equal(await shop.connects(), 10);
  });
});
