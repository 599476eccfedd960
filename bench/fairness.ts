import { once } from "node:events";
import { createServer } from "node:http";
import { setTimeout as delay } from "node:timers/promises";
import { connect } from "node:tls";
import { freePort } from "@mooring/testing/processes/free-port";
import type { Front } from "./support/edge-fronts.ts";
import { type EdgeWorld, startEdgeWorld } from "./support/edge-world.ts";
import { otherCore, startPinned } from "./support/pinned.ts";
import { line, median, ms } from "./support/report.ts";

const visits = 100;
const pauseMs = 20;
const originMs = 200;
const clients = 12;
const streams = 100;
/** Not the address that the load comes from. */
const quietAddress = "127.0.0.2";

/**
 * Visits to one host, alone and beside a client that sends to another host of the same origin what
 * twelve HTTP/2 connections can carry. Both hosts are of one tenant.
 */
export async function benchFairness(only: number | null): Promise<void> {
  const origin = await startSlowOrigin();
  const world = await startEdgeWorld(2, 0, origin.port);
  try {
    line(`${only ?? visits} visits, a slow origin`, "median", "p99", "failed");
    // Only ours and Caddy: nginx has no HTTP/2 here.
    for (const front of world.fronts.slice(0, 2)) await measure(world, front, only ?? visits);
  } finally {
    await world.close();
    origin.close();
  }
}

async function measure({ names }: EdgeWorld, front: Front, count: number): Promise<void> {
  const [noisy = "", quiet = ""] = names;
  await visit(front, quiet, 5);
  report(`${front.name}, alone`, await visit(front, quiet, count));
  const load = startLoad(front, noisy);
  await delay(2_000);
  report(`${front.name}, beside ${clients} × ${streams} streams`, await visit(front, quiet, count));
  await load.stop();
}

/** On the core of the load; stopped by the bench when the visits have ended. */
function startLoad(front: Front, hostname: string) {
  return startPinned(otherCore, [
    "/usr/bin/h2load",
    `--clients=${clients}`,
    `--max-concurrent-streams=${streams}`,
    "--duration=600",
    `--connect-to=${front.address}:${front.port}`,
    `https://${hostname}:${front.port}/`,
  ]);
}

interface Visits {
  readonly timesMs: readonly number[];
  readonly failed: number;
}

async function visit(front: Front, hostname: string, count: number): Promise<Visits> {
  const timesMs: number[] = [];
  let failed = 0;
  for (let index = 0; index < count; index += 1) {
    const startedAt = performance.now();
    const isServed = await visitOnce(front, hostname).catch(() => false);
    timesMs.push(performance.now() - startedAt);
    if (!isServed) failed += 1;
    await delay(pauseMs);
  }
  return { timesMs, failed };
}

async function visitOnce(front: Front, hostname: string): Promise<boolean> {
  const options = {
    host: front.address,
    port: front.port,
    localAddress: quietAddress,
    servername: hostname,
    rejectUnauthorized: false,
    ALPNProtocols: ["http/1.1"],
  };
  const socket = connect(options);
  socket.setTimeout(30_000, () => socket.destroy(new Error("no answer in time")));
  socket.write(`GET / HTTP/1.1\r\nhost: ${hostname}\r\nconnection: close\r\n\r\n`);
  const [chunk] = await once(socket, "data");
  socket.destroy();
  return String(chunk).startsWith("HTTP/1.1 200");
}

function report(title: string, { timesMs, failed }: Visits): void {
  const sorted = timesMs.toSorted((one, other) => one - other);
  const p99 = sorted[Math.floor(sorted.length * 0.99)] ?? Number.NaN;
  line(title, ms(median(sorted)), ms(p99), String(failed));
}

async function startSlowOrigin(): Promise<{ readonly port: number; close(): void }> {
  const server = createServer((_request, response) => {
    setTimeout(() => response.end("0123456789abcdef".repeat(64)), originMs);
  });
  const port = await freePort();
  await new Promise<void>((resolve) =>
    server.listen({ port, host: "127.0.0.1", backlog: 4_096 }, resolve),
  );
  return {
    port,
    close() {
      server.closeAllConnections();
      server.close();
    },
  };
}
