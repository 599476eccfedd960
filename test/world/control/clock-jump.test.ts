import assert from "node:assert/strict";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { after, before, describe, it } from "node:test";
import { openSession } from "@mooring/testing/clients/connecting";
import { visit } from "@mooring/testing/clients/visit";
import { startTestApp, type TestApp } from "@mooring/testing/control/app";
import { call, textOf } from "@mooring/testing/control/http";
import { type Stock, stockEdge } from "@mooring/testing/edge/stocked-edge";
import { createJumpingClock } from "@mooring/testing/processes/jumping-clock";
import { type EdgeProcess, startEdgeProcess } from "@mooring/testing/processes/mooring-serve";
import { type ProductProcess, startProcess } from "@mooring/testing/processes/processes";
import { until } from "@mooring/testing/processes/until";
import type pg from "pg";
import { verifyWebhook } from "../../../packages/sdk/src/webhooks.ts";

const hour = 3_600;
const day = 24 * hour;
const jumps = {
  "an hour ahead": hour,
  "an hour behind": -hour,
  "a day ahead": day,
  "a day behind": -day,
};
/** The database's clock is the truth; a busy machine is slow. */
const toleranceSeconds = 20;

async function listen(server: Server): Promise<string> {
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

/** How far a time is from the database's, in seconds. */
async function fromNow(session: pg.Client, time: unknown): Promise<number> {
  assert.ok(time instanceof Date, `no time: ${String(time)}`);
  const { rows } = await session.query<{ at: Date }>("select clock_timestamp() as at");
  return (time.getTime() - (rows[0]?.at.getTime() ?? 0)) / 1_000;
}

describe("a worker whose clock jumps", () => {
  const clock = createJumpingClock();
  let app: TestApp;
  let session: pg.Client;
  let worker: ProductProcess;
  let key = "";
  let endpoint: { readonly id: string; readonly secret: string };
  const delivered: Promise<string>[] = [];
  const receiver = createServer((request, response) => {
    const checked = text(request).then((body) =>
      verifyWebhook(body, request.headers, endpoint.secret).then(
        ({ type }) => type,
        (error: unknown) => String(error),
      ),
    );
    delivered.push(checked);
    response.end();
  });
  let ids: readonly string[] = [];
  let leasedVersion: unknown = null;

  before(async () => {
    const url = await listen(receiver);
    app = await startTestApp({ WEBHOOK_ALLOW_PRIVATE: "true" });
    session = await openSession(app.databaseUrl);
    key = (await app.tenant("Acme")).keys.test;
    const made = await call(app.api.url, "/v1/applications", { key, body: { name: "Shop" } });
    const application_id = textOf(made, "id");
    const hostnames = ["www.one.test", "www.two.test"];
    const created = await Promise.all(
      hostnames.map((hostname) =>
        call(app.api.url, "/v1/connections", { key, body: { application_id, hostname } }),
      ),
    );
    ids = created.map((answer) => textOf(answer, "id"));
    const hook = await call(app.api.url, "/v1/webhook-endpoints", {
      key,
      body: { application_id, url },
    });
    endpoint = { id: textOf(hook, "id"), secret: textOf(hook, "signing_secret") };
    worker = await startProcess("worker", {
      ...clock.env,
      DATABASE_URL: app.databaseUrl,
      DATA_DIR: app.config.dataDir,
      DNS_RESOLVERS: "127.0.0.1:9",
      WEBHOOK_ALLOW_PRIVATE: "true",
      STALL_AFTER: "30m",
    });
    for (const id of ids) await checked(id);
  });
  after(async () => {
    await worker?.signal("SIGKILL");
    await session.end();
    await app.close();
    receiver.closeAllConnections();
    receiver.close();
    clock.remove();
  });

  async function readRow(id: string): Promise<Record<string, unknown>> {
    const { rows } = await session.query(
      `select c.state, c.checks, k.due_at, k.leased_until, k.last_checked_at, k.version
       from connections c join connection_checks k on k.connection_id = c.id where c.id = $1`,
      [id],
    );
    return rows[0] ?? {};
  }

  /** Makes the connection due and waits for its check. */
  async function checked(id: string): Promise<Record<string, unknown>> {
    const before = (await readRow(id))["checks"];
    await session.query(
      "update connection_checks set due_at = now(), leased_until = null where connection_id = $1",
      [id],
    );
    await session.query("select pg_notify('mooring_due', 'connections')");
    const isChecked = async () => {
      const row = await readRow(id);
      return row["checks"] !== before && row["leased_until"] === null;
    };
    await until(isChecked, "a check");
    return readRow(id);
  }

  for (const [name, seconds] of Object.entries(jumps)) {
    it(`${name}: checks continue, no state is left early, no lease is taken from another`, async () => {
      const [id = "", leased = ""] = ids;
      // Leased by nobody else, or by the jump before: the worker's own checks end with a write.
      await until(async () => {
        const { rowCount } = await session.query(
          `update connection_checks set due_at = now(), leased_until = now() + interval '5 minutes'
           where connection_id = $1 and (leased_until is null or version = $2)`,
          [leased, leasedVersion],
        );
        return rowCount === 1;
      }, "a lease");
      leasedVersion = (await readRow(leased))["version"];
      clock.setAhead(seconds);
      for (let round = 0; round < 2; round += 1) {
        const row = await checked(id);
        assert.equal(row["state"], "pending_ownership");
        assert.ok(Math.abs(await fromNow(session, row["last_checked_at"])) < toleranceSeconds);
        const dueIn = await fromNow(session, row["due_at"]);
        assert.ok(dueIn > -toleranceSeconds && dueIn < 900, `due in ${dueIn} s`);
      }
      assert.equal((await readRow(leased))["version"], leasedVersion);
      delivered.length = 0;
      const path = `/v1/webhook-endpoints/${endpoint.id}/test`;
      assert.ok((await call(app.api.url, path, { key, method: "POST" })).status < 300);
      await until(() => delivered.length > 0, "a delivery");
      const [type] = await Promise.all(delivered);
      assert.match(String(type), /^[a-z_.]+$/, "the receiver refuses the delivery");
      clock.setAhead(0);
    });
  }
});

describe("an edge whose clock jumps", () => {
  const clock = createJumpingClock();
  let stock: Stock;
  let edge: EdgeProcess;
  let assertion = "";
  const origin = createServer((request, response) => {
    assertion = String(request.headers["x-svc-assertion"]);
    response.end("origin");
  });

  before(async () => {
    const url = await listen(origin);
    stock = await stockEdge(2);
    await stock.database.admin.query("update applications set origin_url = $1", [url]);
    // Neither is due, nor expired, for hours; a clock that is a day ahead says otherwise.
    await stock.database.admin.query(
      `update certificates set not_after = now() + interval '20 hours',
         renew_at = now() + interval '12 hours', due_at = now() + interval '12 hours'`,
    );
    edge = await startEdgeProcess({ ...stock.env, ...clock.env, EDGE_WORKERS: "1" });
  });
  after(async () => {
    await edge?.signal("SIGKILL");
    await stock.close();
    origin.closeAllConnections();
    origin.close();
    clock.remove();
  });

  for (const [name, seconds] of Object.entries(jumps)) {
    it(`${name}: no certificate expires or is ordered early, and what is due is not late`, async () => {
      const [served = "", due = ""] = stock.names;
      const { database } = stock;
      const before = await database.row(served);
      clock.setAhead(seconds);
      await database.admin.query("update certificates set due_at = now() where hostname = $1", [
        due,
      ]);
      await database.admin.query("select pg_notify('mooring_due', 'certificates')");
      // The API gives no permission: the row is due again in ten seconds.
      let dueIn = 0;
      const isDelayed = async () => {
        dueIn = await fromNow(database.admin, (await database.row(due))["due_at"]);
        return dueIn > 0;
      };
      await until(isDelayed, "an attempt");
      assert.ok(dueIn < toleranceSeconds, `due in ${dueIn} s`);
      const row = await database.row(served);
      assert.deepEqual([row["version"], row["status"]], [before["version"], "issued"]);
      assert.equal(stock.calls().acme, 0);
      assert.equal((await visit(edge.httpsPort, served, stock.root)).status, 200);
      const claims = Buffer.from(assertion.split(".")[1] ?? "", "base64url").toString();
      const issuedAt = new Date(Number(JSON.parse(claims)["iat"]) * 1_000);
      // A statement is about a minute, and says when that began.
      assert.ok(Math.abs(await fromNow(database.admin, issuedAt)) < toleranceSeconds + 60);
      clock.setAhead(0);
    });
  }
});
