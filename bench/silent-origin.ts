import { execFileSync } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { Agent, get } from "node:https";
import { tmpdir } from "node:os";
import path from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { type ScriptedDns, SILENCE, startScriptedDns } from "@mooring/testing/dns/scripted-dns";
import { freePort } from "@mooring/testing/processes/free-port";
import { startBenchOrigin } from "./support/edge-fronts.ts";
import { loadSteady, type Target } from "./support/edge-load.ts";
import { measuredCore, otherCore, type Pinned, startPinned } from "./support/pinned.ts";
import { line, median, ms } from "./support/report.ts";

const underWay = 200;
const requestsPerSecond = 200;
const connections = 8;
/** With a second to warm up, within the time in which a silent name is awaited. */
const seconds = 3;
const rounds = 9;
/** Longer than a failure stays in the cache. */
const forgottenMs = 5_500;
const silentZone = ".silent.example";
const main = path.join(import.meta.dirname, "silent-origin-main.ts");

/**
 * Latency of one tenant, whose origin is dialled by name for every request, with and without
 * requests of other tenants under way to names that no server answers for. The rounds are
 * interleaved.
 */
export async function benchSilentOrigin(only: number | null): Promise<void> {
  execFileSync("/usr/bin/taskset", ["--cpu-list", "--pid", String(otherCore), String(process.pid)]);
  const count = only ?? underWay;
  const dns = await startDns();
  const directory = await mkdtemp(path.join(tmpdir(), "mooring-bench-"));
  const originPort = await freePort();
  // Every request needs a new connection, and so a name. The origin is a process of its own: the
  // name server is in this one.
  const origin = await startBenchOrigin({
    directory,
    port: originPort,
    body: "origin",
    isClosing: true,
  });
  const edge = startPinned(measuredCore, [
    process.execPath,
    main,
    `127.0.0.1:${dns.port}`,
    String(originPort),
    String(count),
  ]);
  try {
    await measure(await waitForPort(edge), count, dns);
  } finally {
    await edge.stop();
    await dns.stop();
    await origin.stop();
    await rm(directory, { recursive: true });
  }
}

async function measure(port: number, count: number, dns: ScriptedDns): Promise<void> {
  const target: Target = { hostname: "healthy.example", address: "127.0.0.1", port, isTls: true };
  const options = { seconds, connections, perSecond: requestsPerSecond };
  const alone: Latency[] = [];
  const beside: Latency[] = [];
  await loadSteady(target, options);
  const sendSilent = createSilentLoad(port, count);
  await sendSilent();
  for (let round = 0; round < rounds; round += 1) {
    await delay(forgottenMs);
    alone.push(await loadSteady(target, options));
    dns.seen.splice(0);
    const answered = sendSilent();
    while (silentNamesIn(dns) < count) await delay(5);
    beside.push(await loadSteady(target, options));
    await answered;
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
        if (name.endsWith(silentZone)) return SILENCE;
        return type === "A" ? { answers: [{ name, type, ttl: 5, data: "127.0.0.1" }] } : {};
      },
    }),
  );
}

async function waitForPort(edge: Pinned): Promise<number> {
  for (;;) {
    const port = /listening on (\d+)/.exec(edge.output())?.[1];
    if (port !== undefined) return Number(port);
    await delay(50);
  }
}

function silentNamesIn({ seen }: ScriptedDns): number {
  return new Set(seen.map(({ name }) => name).filter((name) => name.endsWith(silentZone))).size;
}

/**
 * Sends one request to each silent name, on connections that stay open; resolves when all are
 * answered.
 */
function createSilentLoad(port: number, count: number): () => Promise<void> {
  const agents = Array.from(
    { length: count },
    () => new Agent({ keepAlive: true, maxSockets: 1, rejectUnauthorized: false }),
  );
  return async () => {
    await Promise.all(
      agents.map((agent, index) => visit({ agent, port, hostname: `s${index}.example` })),
    );
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
      response.resume().on("end", resolve);
    }).on("error", () => resolve());
  });
}
