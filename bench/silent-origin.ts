import { execFileSync } from "node:child_process";
import { createServer } from "node:http";
import { Agent, get } from "node:https";
import type { AddressInfo } from "node:net";
import path from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { freePort } from "../test/support/free-port.ts";
import { type ScriptedDns, SILENCE, startScriptedDns } from "../test/support/scripted-dns.ts";
import { loadSteady, type Target } from "./support/edge-load.ts";
import { measuredCore, otherCore, type Pinned, startPinned } from "./support/pinned.ts";
import { line, median, ms } from "./support/report.ts";

const underWay = 200;
const requestsPerSecond = 200;
const connections = 8;
const seconds = 6;
const rounds = 5;
/** More than are asked for in all rounds, so that none is in the cache. */
const silentNames = 10_000;
const main = path.join(import.meta.dirname, "silent-origin-main.ts");

/**
 * Latency of one tenant, whose origin is dialled by name for every request, with and without requests
 * of other tenants under way to names that no server answers for. The rounds are interleaved.
 */
export async function benchSilentOrigin(only: number | null): Promise<void> {
  execFileSync("/usr/bin/taskset", ["--cpu-list", "--pid", String(otherCore), String(process.pid)]);
  const dns = await startDns();
  // Every request needs a new connection, and so a name.
  const origin = createServer((_, response) => {
    response.setHeader("connection", "close").end("origin");
  });
  await new Promise<void>((resolve) => origin.listen(0, "127.0.0.1", resolve));
  const { port: originPort } = origin.address() as AddressInfo;
  const edge = startPinned(measuredCore, [
    ...[process.execPath, main, `127.0.0.1:${dns.port}`, String(originPort), String(silentNames)],
  ]);
  try {
    await measure(await portOf(edge), only ?? underWay);
  } finally {
    await edge.stop();
    await dns.stop();
    origin.closeAllConnections();
    origin.close();
  }
}

async function measure(port: number, count: number): Promise<void> {
  const target: Target = { hostname: "healthy.example", address: "127.0.0.1", port, isTls: true };
  const options = { seconds, connections, perSecond: requestsPerSecond };
  const alone: Latency[] = [];
  const beside: Latency[] = [];
  await loadSteady(target, options);
  const load = createSilentLoad(port);
  for (let round = 0; round < rounds; round += 1) {
    alone.push(await loadSteady(target, options));
    const silent = load(count);
    await silent.underWay;
    beside.push(await loadSteady(target, options));
    await silent.stop();
  }
  line(`${requestsPerSecond} requests/s of one tenant`, "p50", "p99");
  const [calm, busy] = [report("alone", alone), report(`beside ${count} silent`, beside)];
  line("beside ÷ alone", ...busy.map((value, at) => (value / (calm[at] ?? 0)).toFixed(2)));
}

interface Latency {
  readonly p50Ms: number;
  readonly p99Ms: number;
}

function report(title: string, all: readonly Latency[]): readonly number[] {
  const latencies = [median(all.map((one) => one.p50Ms)), median(all.map((one) => one.p99Ms))];
  line(title, ...latencies.map(ms));
  return latencies;
}

function startDns(): Promise<ScriptedDns> {
  return freePort().then((port) =>
    startScriptedDns({
      address: "127.0.0.1",
      port,
      behave: ({ name, type }) => {
        if (name.endsWith(".silent.example")) return SILENCE;
        return type === "A" ? { answers: [{ name, type, ttl: 5, data: "127.0.0.1" }] } : {};
      },
    }),
  );
}

async function portOf(edge: Pinned): Promise<number> {
  for (;;) {
    const port = /listening on (\d+)/.exec(edge.output())?.[1];
    if (port !== undefined) return Number(port);
    await delay(50);
  }
}

/** Keeps requests under way, each to a name that was not asked for before. */
function createSilentLoad(port: number) {
  let used = 0;
  return (count: number) => {
    const agent = new Agent({ keepAlive: false, rejectUnauthorized: false });
    const { promise: underWay, resolve } = Promise.withResolvers<void>();
    let isStopped = false;
    let begun = 0;
    const one = async (): Promise<void> => {
      while (!isStopped) {
        const hostname = `s${used++}.example`;
        const ended = visit({ agent, port, hostname });
        begun += 1;
        if (begun === count) resolve();
        await ended;
      }
    };
    const all = Array.from({ length: count }, one);
    return {
      underWay,
      async stop() {
        isStopped = true;
        agent.destroy();
        await Promise.all(all);
      },
    };
  };
}

function visit(at: {
  readonly agent: Agent;
  readonly port: number;
  readonly hostname: string;
}): Promise<void> {
  const { agent, port, hostname } = at;
  return new Promise((resolve) => {
    const options = { agent, port, host: "127.0.0.1", servername: hostname };
    get({ ...options, headers: { host: hostname } }, (response) => {
      response.resume().on("close", resolve);
    }).on("error", () => resolve());
  });
}
