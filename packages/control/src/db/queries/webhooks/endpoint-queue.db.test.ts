import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { cpSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { after, before, describe, it } from "node:test";
import { fileURLToPath, pathToFileURL } from "node:url";
import { createEmptyDatabase, type TestDatabase } from "@mooring/testing/database/database";
import { until } from "@mooring/testing/processes/until";
import pg from "pg";
import { migrate } from "../../engine/migrate.ts";
import { type Database, openDatabase } from "../../engine/pool.ts";
import { claimDueDeliveries } from "./due-deliveries.ts";

const migrations = fileURLToPath(new URL("../../../../migrations/", import.meta.url));
const tenants = Array.from({ length: 24 }, () => ({
  tenantId: randomUUID(),
  applicationId: randomUUID(),
  endpointId: randomUUID(),
}));
const limits = { perEndpoint: 64, perTenant: 64, perTestEnvironment: 64, capped: new Map() };

describe("the queue of endpoints becomes a partitioned table while it is used", () => {
  let database: TestDatabase;
  let directory: string;
  let parts: string;
  let session: pg.Client;
  let worker: Database;
  before(async () => {
    database = await createEmptyDatabase();
    directory = mkdtempSync(path.join(tmpdir(), "migrations-"));
    const names = readdirSync(migrations).sort();
    const own = names.findIndex((name) => name.endsWith("_endpoint_queue_parts.sql"));
    parts = names[own] ?? "";
    for (const name of names.slice(0, own)) copy(name);
    await migrated();
    session = await connected();
    // Of a later migration; today's query reads it.
    await session.query("alter table webhook_endpoints add column format text default 'standard'");
    worker = openDatabase({ url: database.url, role: "mooring_worker", max: 2 });
    for (const { tenantId, applicationId, endpointId } of tenants) {
      await session.query(
        "insert into tenants (id, name, plan, created_at) values ($1, 'Tenant', 'p', now())",
        [tenantId],
      );
      await session.query(
        `insert into applications (id, tenant_id, environment, name, created_at)
         values ($1, $2, 'live', 'Shop', now())`,
        [applicationId, tenantId],
      );
      await session.query(
        `insert into webhook_endpoints (id, tenant_id, environment, application_id, url, events, active,
           sealed_secret, created_at)
         values ($1, $2, 'live', $3, 'https://hooks.example/', '{*}', true, 'x', now())`,
        [endpointId, tenantId, applicationId],
      );
    }
  });
  after(async () => {
    await worker.close();
    await session.end();
    await database.drop();
    rmSync(directory, { recursive: true });
  });

  const copy = (name: string): void =>
    cpSync(path.join(migrations, name), path.join(directory, name));
  const migrated = () => migrate(database.url, { directory: pathToFileURL(`${directory}/`) });

  async function connected(): Promise<pg.Client> {
    const client = new pg.Client({ connectionString: database.url });
    await client.connect();
    return client;
  }

  let sequence = 0;
  /** As the API does it: the queue is written when the transaction ends. */
  async function deliver(client: pg.Client, number: number, dueInHours = 0): Promise<void> {
    sequence += 1;
    const { tenantId, applicationId, endpointId } = tenants[number] ?? {};
    const eventId = randomUUID();
    await client.query("begin");
    await client.query("select from webhook_endpoints where id = $1", [endpointId]);
    await client.query(
      `insert into events (id, tenant_id, environment, application_id, sequence, type, body, created_at)
       values ($1, $2, 'live', $3, $4, 'domain.added', '{}', now())`,
      [eventId, tenantId, applicationId, sequence],
    );
    await client.query(
      `insert into deliveries (id, tenant_id, environment, endpoint_id, event_id, event_type, status, due_at, created_at)
       values (gen_random_uuid(), $1, 'live', $2, $3, 'domain.added', 'pending', now() + $4 * interval '1 hour', now())`,
      [tenantId, endpointId, eventId, dueInHours],
    );
    await client.query("commit");
  }

  it("with no error in anybody's work and no delivery left behind", async () => {
    const writers = await Promise.all(Array.from({ length: 6 }, connected));
    // What waits for later has no traffic that would bring it back.
    await deliver(session, 0, 1);
    const done = { deliveries: 0, claims: 0 };
    const failed: unknown[] = [];
    let isStopped = false;
    const repeat = async (what: keyof typeof done, work: () => Promise<unknown>): Promise<void> => {
      try {
        for (; !isStopped; done[what] += 1) await work();
      } catch (error) {
        failed.push(error);
      }
    };
    const deliverNow = (client: pg.Client) =>
      deliver(client, 1 + (sequence % (tenants.length - 1)));
    const claim = () => {
      const now = new Date();
      return claimDueDeliveries(worker, now, new Date(now.getTime() + 30_000), 4, limits);
    };
    const traffic = Promise.all([
      ...writers.map((client) => repeat("deliveries", () => deliverNow(client))),
      // Often enough that its prepared plan is one of those that are used again.
      ...[1, 2].map(() => repeat("claims", claim)),
    ]);
    const more = async (what: string): Promise<void> => {
      const { deliveries, claims } = done;
      const isMore = () => done.deliveries > deliveries + 100 && done.claims > claims + 20;
      await until(() => isMore() || failed.length > 0, what);
    };
    try {
      await more("traffic before");
      copy(parts);
      assert.deepEqual((await migrated()).applied, [parts]);
      await more("traffic after");
    } finally {
      isStopped = true;
      await traffic;
      await Promise.all(writers.map((client) => client.end()));
    }
    assert.deepEqual(failed, []);

    const { rows: found } = await session.query(
      "select count(distinct tableoid)::int as parts, count(*)::int as rows from endpoint_queue",
    );
    assert.equal(found[0].rows, tenants.length, "one row for each endpoint");
    assert.ok(found[0].parts > 1);
    const { rows: late } = await session.query(
      `select q.turn_at, d.due_at from (
         select endpoint_id, min(due_at) as due_at from deliveries where due_at is not null group by 1) d
       left join endpoint_queue q using (endpoint_id) where q.turn_at is null or q.turn_at > d.due_at`,
    );
    assert.deepEqual(late, []);
  });
});
