import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { after, before, describe, it } from "node:test";
import { type AcmeWorld, startAcmeWorld } from "@mooring/testing/acme/world";
import { isLetIn } from "@mooring/testing/clients/visit";
import { type NatsServer, startNatsServer } from "@mooring/testing/deploy/nats-server";
import { untilPromoted } from "@mooring/testing/edge/accelerator/whole-edges";
import { freePort } from "@mooring/testing/processes/free-port";
import {
  type EdgeProcess,
  startEdgeProcess,
  startIssuerProcess,
} from "@mooring/testing/processes/mooring-serve";
import { proofSize } from "@mooring/testing/processes/proof-size";
import { until } from "@mooring/testing/processes/until";

/** Two seconds are promised; a busy machine may take longer for everything. */
const limitMs = proofSize(30_000, 2_000);

/**
 * Pebble validates at the edge, which has no database: the issuer orders, and answers for the edge.
 */
describe("an edge without the database", () => {
  const directory = mkdtempSync(path.join(tmpdir(), "mooring-nats-edge-"));
  const rootFile = path.join(directory, "root.pem");
  let world: AcmeWorld;
  let server: NatsServer;
  let edge: EdgeProcess;
  let internalPort = 0;
  const running: { signal(name: "SIGKILL"): Promise<unknown> }[] = [];

  before(async () => {
    [world, server] = await Promise.all([startAcmeWorld({ edges: 0 }), startNatsServer()]);
    writeFileSync(rootFile, await world.pebble.root());
    internalPort = await freePort();
    const env = {
      ...world.edgeEnv(path.join(directory, "issuer")),
      NATS_URL: server.url,
      ISSUER_INTERNAL_PORT: String(internalPort),
    };
    running.push(await startIssuerProcess(env));
    edge = await startEdge();
  });
  after(async () => {
    await Promise.all(running.map((one) => one.signal("SIGKILL")));
    await server.close();
    await world.close();
    rmSync(directory, { recursive: true, force: true });
  });

  async function startEdge(): Promise<EdgeProcess> {
    const { DATABASE_URL: _none, ...rest } = world.edgeEnv(path.join(directory, "edge"));
    const feed = {
      EDGE_FEED: "nats",
      NATS_URL: server.edgeUrl,
      EDGE_WORKERS: "1",
      EDGE_DRAIN: "1s",
    };
    const started = await startEdgeProcess({ ...rest, ...feed }, world.validated);
    running.push(started);
    return started;
  }

  /** The status that curl gets; 0 where there is no connection. */
  async function curl(hostname: string, challenge: string | null = null): Promise<number> {
    await untilPromoted(edge.httpsPort, hostname);
    const [scheme, port] = challenge === null ? ["https", edge.httpsPort] : ["http", edge.httpPort];
    const to = `${hostname}:${port}:127.0.0.1`;
    const url = `${scheme}://${hostname}:${port}${challenge ?? "/"}`;
    const args = ["-sS", "-o", "/dev/null", "-w", "%{http_code}", "--max-time", "20"];
    return new Promise((resolve) => {
      execFile("curl", [...args, "--cacert", rootFile, "--resolve", to, url], (_error, stdout) =>
        resolve(Number(stdout)),
      );
    });
  }

  it("serves what the issuer obtains, refuses what is archived, and continues without NATS", async (t) => {
    const lasting = await world.goLive("lasting.acme.example");
    const gone = await world.goLive("gone.acme.example");
    const late = await world.goLive("late.acme.example");
    for (const { hostname } of [lasting, gone, late]) {
      await until(async () => (await curl(hostname)) === 200, `${hostname} is served`);
    }
    const edges = "select address from edges";
    const ours = async () => (await world.life.session.query(edges)).rowCount === 1;
    await until(ours, "the edge is known to the control plane");

    await world.archive(gone.id);
    const archivedAt = performance.now();
    const ca = await world.pebble.root();
    await until(async () => !(await isLetIn(edge.httpsPort, gone.hostname, { ca })), "the refusal");
    const tookMs = Math.round(performance.now() - archivedAt);
    t.diagnostic(`refused ${tookMs} ms after it was archived`);
    assert.ok(tookMs <= limitMs, `refused after ${tookMs} ms`);

    await server.kill();
    assert.equal(await curl(lasting.hostname), 200);
    await edge.signal("SIGTERM");
    edge = await startEdge();
    assert.equal(await curl(lasting.hostname), 200, "from the disk");
    assert.equal(await curl(gone.hostname), 0);

    await server.start();
    await world.archive(late.id);
    await until(async () => (await curl(late.hostname)) === 0, "what was archived later");
    // Answered by the issuer: whatever is ordered from here on can be validated.
    await world.life.session.query(
      `insert into acme_challenges (hostname, kind, token, key_authorization, expires_at)
       values ($1, 'http-01', 'token', 'answer', 'infinity')`,
      [lasting.hostname],
    );
    const challenge = "/.well-known/acme-challenge/token";
    await until(
      async () => (await curl(lasting.hostname, challenge)) === 200,
      "the issuer answers",
    );
  });

  it("orders for a handshake, through the issuer", async () => {
    const { id, hostname } = await world.publish("asked.acme.example");
    await world.life.reach(id, "issuing_cert");
    await until(async () => (await curl(hostname)) === 200, "its first visitor is served");
    const metrics = await fetch(`http://127.0.0.1:${internalPort}/metrics`);
    assert.match(
      await metrics.text(),
      /^mooring_edge_certificates_total\{outcome="issued"\} [1-9]/m,
    );
  });
});
