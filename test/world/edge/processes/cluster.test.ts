import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { connect as connectTcp } from "node:net";
import { tmpdir } from "node:os";
import path from "node:path";
import { after, before, describe, it } from "node:test";
import { connect as connectTls } from "node:tls";
import { promisify } from "node:util";
import { type AcmeWorld, startAcmeWorld } from "@mooring/testing/acme/world";
import { type OpenVisit, openServed, openVisit, visit } from "@mooring/testing/clients/visit";
import { call } from "@mooring/testing/control/http";
import { type EdgeProcess, startEdgeProcess } from "@mooring/testing/processes/mooring-serve";
import { proofSize } from "@mooring/testing/processes/proof-size";
import { until } from "@mooring/testing/processes/until";

const size = 2;
const run = promisify(execFile);

/** `mooring serve edge` over several processes that share its ports. */
describe("an edge with several workers", () => {
  const directory = mkdtempSync(path.join(tmpdir(), "mooring-cluster-"));
  let world: AcmeWorld;
  let edge: EdgeProcess;
  let root = "";
  let hostname = "";
  let env: Readonly<Record<string, string>> = {};
  before(async () => {
    world = await startAcmeWorld({ edges: 0 });
    env = { ...world.edgeEnv(directory), EDGE_WORKERS: String(size), EDGE_DRAIN: "5s" };
    edge = await startEdgeProcess(env, world.validated);
    root = await world.pebble.root();
    hostname = (await world.goLive("www.acme.example")).hostname;
  });
  after(async () => {
    await edge.signal("SIGKILL");
    await world.close();
    rmSync(directory, { recursive: true, force: true });
  });

  /** Retries when a busy edge sheds load with 503. */
  async function get(): Promise<number> {
    for (;;) {
      const { status } = await visit(edge.httpsPort, hostname, root);
      if (status !== 503) return status;
    }
  }

  /** The connection was the killed worker's; any other failure is one of the test. */
  function isLost(error: unknown): false {
    const code = error instanceof Error && "code" in error ? String(error.code) : String(error);
    assert.match(code, /ECONNRESET|ECONNREFUSED|EPIPE|SOCKET/);
    return false;
  }

  async function openMany(count: number): Promise<readonly OpenVisit[]> {
    const open: OpenVisit[] = [];
    while (open.length < count) {
      open.push(await openServed(() => openVisit(edge.httpsPort, hostname, root)));
    }
    return open;
  }

  it("orders one certificate for all workers, and each worker serves it", async () => {
    assert.equal(edge.workers().length, size);
    assert.equal(await world.countOrders(hostname), 1);
    for (let index = 0; index < 8; index += 1) assert.equal(await get(), 200);
  });

  it("resumes a session at every worker", async () => {
    const first = await visitWith(null);
    assert.equal(first.isReused, false);
    // The kernel distributes the connections, so that others than the first worker get some.
    let { session } = first;
    for (let index = 0; index < 8; index += 1) {
      const next = await visitWith(session);
      assert.equal(next.isReused, true);
      session = next.session;
    }
  });

  /** One visit, and the session with which the next one can be resumed. */
  async function visitWith(session: Buffer | null): Promise<{
    readonly isReused: boolean;
    readonly session: Buffer | null;
  }> {
    const socket = connectTls({
      host: "127.0.0.1",
      port: edge.httpsPort,
      servername: hostname,
      ca: root,
      minVersion: "TLSv1.3",
      ALPNProtocols: ["http/1.1"],
      ...(session === null ? {} : { session }),
    });
    let received: Buffer | null = null;
    socket.on("session", (ticket: Buffer) => {
      received = ticket;
    });
    socket.write(`GET / HTTP/1.1\r\nhost: ${hostname}\r\nconnection: close\r\n\r\n`);
    socket.resume();
    await once(socket, "end");
    return { isReused: socket.isSessionReused(), session: received };
  }

  /** The statuses of curl from an address of this machine, in a row. */
  async function statusesFrom(address: string, count: number): Promise<readonly string[]> {
    const statuses: string[] = [];
    while (statuses.length < count) {
      const { stdout } = await run("curl", [
        ...["-sk", "-o", "/dev/null", "-w", "%{http_code}", "--interface", address],
        ...["--connect-to", `${hostname}:443:127.0.0.1:${edge.httpsPort}`],
        ...["-H", `X-Forwarded-For: 10.0.0.${statuses.length}`, `https://${hostname}/`],
      ]);
      statuses.push(stdout);
    }
    return statuses;
  }

  it("admits exactly as many requests of a visitor as the limit has, over all workers", async () => {
    const { base, key, applicationId } = world.caller;
    const setEdge = async (edgeChange: object): Promise<void> => {
      const path = `/v1/applications/${applicationId}`;
      const answer = await call(base, path, { key, method: "PATCH", body: { edge: edgeChange } });
      assert.equal(answer.status, 200, answer.text);
    };
    await setEdge({ rate_limit: { requests: 20, per_s: 86_400 } });
    // Another visitor than the one who is counted sees when every worker follows.
    const isFollowed = async (): Promise<boolean> =>
      (await statusesFrom("127.0.0.77", 8)).every((status) => status === "429");
    await until(isFollowed, "all workers follow");
    const { stdout } = await run("h2load", [
      ...["-n", "400", "-c", "16", "-m", "4", "--connect-to", `127.0.0.1:${edge.httpsPort}`],
      `https://${hostname}/`,
    ]);
    assert.match(stdout, /status codes: 20 2xx, 0 3xx, 380 4xx, 0 5xx/);
    const refused = 'mooring_edge_ruled_total{rule="rate_limit"}';
    await until(async () => (await edge.metric(refused)) >= 388, "what was refused is counted");
    await setEdge({ rate_limit: null });
    await until(async () => (await statusesFrom("127.0.0.77", 8)).every((one) => one === "200"));
  });

  it("answers health and metrics as one edge", async () => {
    await until(async () => (await edge.health()).body["status"] === "ok");
    assert.deepEqual((await edge.health()).body, { status: "ok", workers: size, serving: size });
    const before = await edge.metric("mooring_edge_requests_total");
    for (let index = 0; index < 8; index += 1) assert.equal(await get(), 200);
    await until(async () => (await edge.metric("mooring_edge_requests_total")) >= before + 8);
    assert.equal(await edge.metric("mooring_edge_workers"), size);
    assert.equal(await edge.metric("mooring_edge_hosts"), 1);
  });

  it("serves on when a worker dies, restarts it, and does not reset the counters", async () => {
    const open = await openMany(16);
    const before = await edge.metric("mooring_edge_handshakes_total");
    await until(async () => (await edge.metric("mooring_edge_connections")) >= open.length);
    const [victim = 0, ...others] = edge.workers();
    process.kill(victim, "SIGKILL");
    await until(() => !edge.workers().includes(victim));
    const left = (await Promise.all(open.map((one) => one.get()))).filter((s) => s === 200);
    // The kernel distributed the connections: the killed worker had some of them.
    assert.ok(left.length > 0 && left.length < open.length, `${left.length} are left`);
    // It may be back before anybody asks.
    await until(
      async () =>
        (await edge.health()).body["serving"] === size - 1 ||
        (await edge.metric("mooring_edge_worker_restarts_total")) === 1,
    );
    assert.deepEqual((await edge.health()).status, 200);
    assert.equal(await get(), 200);
    await until(async () => (await edge.health()).body["status"] === "ok");
    assert.equal(edge.workers().length, size);
    assert.ok(others.every((pid) => edge.workers().includes(pid)));
    assert.equal(await edge.metric("mooring_edge_worker_restarts_total"), 1);
    assert.ok((await edge.metric("mooring_edge_handshakes_total")) > before);
    for (let index = 0; index < 8; index += 1) assert.equal(await get(), 200);
    for (const one of open) one.close();
  });

  it("serves on while a worker is killed again and again, and has it back soon each time", async (t) => {
    const kills = 7;
    const restarts = () => [...edge.output().matchAll(/"restartInMs":(\d+)/g)];
    const before = restarts().length;
    const visits: boolean[] = [];
    const note = async () => visits.push(await get().then((status) => status === 200, isLost));
    for (let kill = 0; kill < kills; kill += 1) {
      const workers = edge.workers();
      process.kill(workers.at(-1) ?? 0, "SIGKILL");
      await until(async () => {
        await note();
        const isBack = edge.workers().some((pid) => !workers.includes(pid));
        return isBack && (await edge.health()).body["status"] === "ok";
      });
    }
    const lost = visits.filter((isServed) => !isServed).length;
    t.diagnostic(`${lost} of ${visits.length} visits failed`);
    // One may be under way in the worker, and one in its queue before the kill is seen.
    assert.ok(lost <= 2 * kills, `${lost} of ${visits.length} visits failed`);
    assert.ok(visits.length > 3 * kills, "most visits came while a worker was away");
    const waits = restarts().map(([, ms]) => Number(ms));
    assert.equal(waits.length - before, kills, `${waits}`);
    assert.ok(Math.max(...waits) <= 2_000, `${waits}`);
  });

  it("does not share its ports with a process that it did not start", async () => {
    await assert.rejects(
      startEdgeProcess(env, world.validated),
      /port \d+ is taken by process \d+ /,
    );
    assert.equal(await get(), 200);
  });

  it("finishes requests in flight on SIGTERM, closes what does not end, and exits within ten seconds", async () => {
    const workers = edge.workers();
    const counted = await countTraffic();
    const delayed = world.holdOrigin();
    const pages = Array.from({ length: 6 }, () => get().catch(() => 0));
    await until(() => delayed.waiting() === pages.length);
    const askedAt = performance.now();
    const ended = edge.signal("SIGTERM");
    await until(() => isRefused(edge.httpsPort));
    delayed.release(pages.length - 1);
    const code = await ended;
    const elapsedMs = performance.now() - askedAt;
    const statuses = await Promise.all(pages);
    assert.deepEqual(statuses.toSorted(), [0, 200, 200, 200, 200, 200]);
    assert.equal(code, 0, edge.output());
    assert.ok(elapsedMs < proofSize(30_000, 10_000), `ended after ${elapsedMs} ms`);
    await until(() => workers.every((pid) => !isAlive(pid)));
    delayed.release();
    // The minute that had begun is counted: nothing is missing of workers that were not killed.
    const after = await countTraffic();
    assert.equal(after.ended - counted.ended, size);
    assert.ok(after.served >= counted.served + 5, `${after.served} after ${counted.served}`);
  });

  /** Requests that were answered, and workers that sent their last minute. */
  async function countTraffic(): Promise<{ readonly served: number; readonly ended: number }> {
    const { rows } = await world.life.session.query<{ served: number; ended: number }>(
      `select coalesce(sum(h.status_2xx), 0)::int as served,
         (select count(*) from traffic_processes where ended)::int as ended
       from traffic_hours h where h.subject_id <> h.application_id`,
    );
    const [row] = rows;
    assert.ok(row);
    return row;
  }

  it("leaves no worker running when its main process is killed", async () => {
    edge = await startEdgeProcess(env, world.validated);
    const workers = edge.workers();
    assert.equal(workers.length, size);
    await edge.signal("SIGKILL");
    await until(() => workers.every((pid) => !isAlive(pid)));
  });
});

/** Whether nothing listens on the port. */
async function isRefused(port: number): Promise<boolean> {
  const socket = connectTcp(port, "127.0.0.1");
  const error = await once(socket, "connect").then(
    () => null,
    (failed: unknown) => failed,
  );
  socket.destroy();
  return error instanceof Error && "code" in error && error.code === "ECONNREFUSED";
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}
