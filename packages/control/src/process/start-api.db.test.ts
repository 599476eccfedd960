import assert from "node:assert/strict";
import { once } from "node:events";
import { connect } from "node:net";
import { after, before, describe, it } from "node:test";
import { startTestApp, type TestApp } from "@mooring/testing/control/app";
import {
  startDedicatedApp,
  startTcpProxy,
  throughPort,
} from "@mooring/testing/control/database-faults";
import { call } from "@mooring/testing/control/http";
import { createEmptyDatabase } from "@mooring/testing/database/database";
import pg from "pg";
import type { NewTenant } from "../services/operator/tenants.ts";

async function elapsed(work: () => Promise<unknown>): Promise<number> {
  const startedAt = performance.now();
  await work();
  return performance.now() - startedAt;
}

describe("stopping the API", () => {
  let app: TestApp;
  let owner: NewTenant;
  let client: pg.Client;
  before(async () => {
    app = await startTestApp();
    owner = await app.tenant("owner");
    client = new pg.Client({ connectionString: app.databaseUrl });
    await client.connect();
  });
  after(async () => {
    await client.end();
    await app.close();
  });

  async function countedCalls(): Promise<number> {
    const { rows } = await client.query<{ total: string | null }>(
      "select sum(amount) as total from usage_counters where kind = 'api_call' and tenant_id = $1",
      [owner.tenant.id],
    );
    return Number(rows[0]?.total ?? 0);
  }

  async function untilBlocked(count: number): Promise<void> {
    for (;;) {
      // pg_stat_activity is a snapshot for the length of a transaction.
      await client.query("select pg_stat_clear_snapshot()");
      const { rows } = await client.query(
        `select 1 from pg_stat_activity where datname = current_database()
         and application_name = 'mooring_api' and wait_event_type = 'Lock'`,
      );
      if (rows.length === count) return;
    }
  }

  it("finishes requests in flight, refuses later ones, and writes every counted call", async () => {
    const api = await app.another();
    const key = owner.keys.test;
    const before = await countedCalls();
    for (let count = 0; count < 40; count += 1) await call(api.url, "/v1/plans", { key });
    // Opens a connection for each of the three: they wait for the lock for two seconds at most.
    await Promise.all([1, 2, 3].map(() => call(api.url, "/v1/applications", { key })));
    await client.query("begin; lock table applications in access exclusive mode");
    const creates = ["a", "b", "c"].map((name) =>
      call(api.url, "/v1/applications", { key, body: { name: `in-flight-${name}` } }),
    );
    await untilBlocked(creates.length);
    const closing = elapsed(() => api.close());
    const late = call(api.url, "/v1/plans", { key }).then(
      (answer) => answer.status,
      () => "refused",
    );
    await client.query("rollback");
    assert.deepEqual(
      (await Promise.all(creates)).map((answer) => answer.status),
      [201, 201, 201],
    );
    const took = await closing;
    assert.ok(took < 5_500, `${Math.round(took)} ms: keep-alive connections are closed`);
    assert.equal(await late, "refused");
    assert.equal(await countedCalls(), before + 46);
  });

  it("is not held up by idle, half-sent or silent clients", async () => {
    const api = await app.another();
    const { port, hostname } = new URL(api.url);
    const beginnings = [
      "",
      "GET /v1/plans HTTP/1.1\r\nHost: x\r\n",
      "POST /v1/applications HTTP/1.1\r\nHost: x\r\nContent-Length: 100\r\n\r\n{",
    ];
    const sockets = await Promise.all(
      beginnings.map(async (text) => {
        const socket = connect(Number(port), hostname);
        socket.on("error", () => undefined);
        await once(socket, "connect");
        socket.write(text);
        return socket;
      }),
    );
    await call(api.url, "/v1/plans", { key: owner.keys.test });
    const closed = sockets.map((socket) => once(socket, "close"));
    assert.ok((await elapsed(() => api.close())) < 10_000);
    for (const socket of sockets) socket.resume();
    await Promise.all(closed);
  });

  it("ends within 10 seconds also when the database stops answering", async (context) => {
    const database = await createEmptyDatabase();
    context.after(() => database.drop());
    const proxy = await startTcpProxy(Number(new URL(database.url).port));
    context.after(() => proxy.close());
    const own = await startDedicatedApp(database.url, throughPort(database.url, proxy.port));
    const key = own.first.keys.test;
    assert.equal((await call(own.api.url, "/v1/applications", { key })).status, 200);
    proxy.freeze();
    const stuck = call(own.api.url, "/v1/applications", { key }).then(
      (answer) => answer.status,
      () => "cut",
    );
    const took = await elapsed(() => own.close());
    assert.ok(took < 10_000, `${Math.round(took)} ms`);
    assert.ok(["cut", 503].includes(await stuck));
    assert.ok(own.logLines.some((line) => line.includes("usage not written at stop")));
  });
});
