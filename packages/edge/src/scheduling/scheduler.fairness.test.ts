import assert from "node:assert/strict";
import { once } from "node:events";
import { type ClientHttp2Session, connect as connectH2 } from "node:http2";
import { describe, it, type TestContext } from "node:test";
import { connectTo, parseStatus, readAll, request } from "@mooring/testing/edge/client";
import { startOrigin } from "@mooring/testing/edge/origin";
import { startTestEdge, type TestEdge } from "@mooring/testing/edge/test-edge";
import { until } from "@mooring/testing/processes/until";

const connections = 12;
const streams = 100;
const visits = 5;

/** One client with 12 HTTP/2 connections, each with 100 requests at any time. */
async function startNoise(edge: TestEdge, hostname: string) {
  const statuses = new Map<number, number>();
  const retryAfter = new Set<unknown>();
  let isStopped = false;
  const repeat = (session: ClientHttp2Session): void => {
    if (isStopped || session.destroyed || session.closed) return;
    const stream = session.request({ ":authority": hostname, ":path": "/" });
    stream.on("error", () => undefined);
    stream.once("response", (head) => {
      const status = Number(head[":status"]);
      statuses.set(status, (statuses.get(status) ?? 0) + 1);
      if (status === 503) retryAfter.add(head["retry-after"]);
    });
    stream.once("close", () => repeat(session));
    stream.resume();
  };
  await edge.ready?.(hostname);
  const sessions: ClientHttp2Session[] = [];
  for (let index = 0; index < connections; index += 1) {
    const session = connectH2(`https://127.0.0.1:${edge.httpsPort}`, {
      servername: hostname,
      ca: edge.authority.certificatePem,
    });
    session.on("error", () => undefined);
    await once(session, "connect");
    sessions.push(session);
    for (let stream = 0; stream < streams; stream += 1) repeat(session);
  }
  const stop = (): void => {
    isStopped = true;
    for (const session of sessions) session.destroy();
  };
  return { statuses, retryAfter, stop };
}

/** Visits one after the other, each on a connection of its own; the statuses and the slowest. */
async function visit(edge: TestEdge, hostname: string, localAddress: string) {
  const statuses: number[] = [];
  let slowestMs = 0;
  for (let index = 0; index < visits; index += 1) {
    const socket = await connectTo(edge, hostname, { localAddress });
    const startedAt = performance.now();
    const answer = readAll(socket);
    socket.write(request(hostname));
    statuses.push(parseStatus(await answer));
    slowestMs = Math.max(slowestMs, performance.now() - startedAt);
  }
  return { statuses, slowestMs: Math.round(slowestMs) };
}

const allServed = Array<number>(visits).fill(200);

async function startWorld(context: TestContext, limits = {}) {
  const inFlight = { count: 0, most: 0 };
  const origin = await startOrigin((_request, response) => {
    inFlight.count += 1;
    inFlight.most = Math.max(inFlight.most, inFlight.count);
    setTimeout(() => response.end("ok"), 300);
    response.once("close", () => {
      inFlight.count -= 1;
    });
  });
  // What is measured is who waits, and not how long: the noise alone keeps a slow machine busy.
  const timeouts = { helloMs: 120_000, handshakeMs: 120_000, queueMs: 120_000 };
  const edge = await startTestEdge({ limits: { ...timeouts, ...limits } });
  context.after(async () => {
    await edge.close();
    await origin.close();
  });
  for (const hostname of ["noisy.example", "quiet.example"]) {
    edge.hosts.set(hostname, { originUrl: origin.url, applicationId: "shared" });
  }
  return { edge, inFlight };
}

describe("one client with 12 HTTP/2 connections", () => {
  it("keeps nobody else from the same origin: another host, another client", async (context) => {
    const { edge, inFlight } = await startWorld(context);
    const noise = await startNoise(edge, "noisy.example");
    await until(() => (noise.statuses.get(200) ?? 0) > 200, "answers to the noise");
    const host = await visit(edge, "quiet.example", "127.0.0.2");
    const client = await visit(edge, "noisy.example", "127.0.0.2");
    noise.stop();
    assert.deepEqual([host.statuses, client.statuses], [allServed, allServed]);
    // It waits instead of being refused, and the origin has no more than its connections, which
    // HAProxy counts for each name.
    assert.deepEqual([...noise.statuses.keys()], [200]);
    const most = edge.ready === undefined ? 512 : 2 * 512;
    assert.ok(inFlight.most <= most && inFlight.most > 300, String(inFlight.most));
    context.diagnostic(`slowest: host ${host.slowestMs} ms, client ${client.slowestMs} ms of 300`);
  });

  it("is refused itself when too many wait, with Retry-After, and nobody else is", async (context) => {
    const { edge } = await startWorld(context, { originOpen: 64, queueLength: 200 });
    const noise = await startNoise(edge, "noisy.example");
    await until(() => (noise.statuses.get(503) ?? 0) > 200, "refusals of the noise");
    const host = await visit(edge, "quiet.example", "127.0.0.2");
    noise.stop();
    assert.deepEqual(host.statuses, allServed);
    assert.deepEqual([...noise.retryAfter], ["1"]);
    const reasons = new Set(edge.refusals.map((line) => "reason" in line && line.reason));
    assert.ok(reasons.has("too many requests of the host wait"), [...reasons].join());
    assert.ok((noise.statuses.get(200) ?? 0) > 0);
  });
});
