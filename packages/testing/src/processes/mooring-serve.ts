import assert from "node:assert/strict";
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { readdirSync, readFileSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { wholeEdgeStarted, wholeEdgesReplaced } from "../edge/accelerator/whole-edges.ts";
import { freePort } from "./free-port.ts";
import { until } from "./until.ts";

/** `mooring serve edge` as a child process of the test. */
export interface EdgeProcess {
  readonly pid: number;
  readonly httpPort: number;
  readonly httpsPort: number;
  readonly internalPort: number;
  /** The ids of its running worker processes; an accelerator is none. */
  workers(): readonly number[];
  /** The resident memory of each serving process, an accelerator too, in bytes. */
  resident(): readonly number[];
  metric(name: string): Promise<number>;
  /** Of visitors, that are open. */
  connections(): Promise<number>;
  health(): Promise<{ readonly status: number; readonly body: Readonly<Record<string, unknown>> }>;
  output(): string;
  /** The exit code; null when a signal ended it. */
  readonly ended: Promise<number | null>;
  signal(name: "SIGKILL" | "SIGTERM"): Promise<number | null>;
  /** Has all workers replaced, an accelerator too; resolves when the old ones have ended. */
  replaceWorkers(): Promise<void>;
}

const main = path.resolve(import.meta.dirname, "../../../../packages/cli/src/main.ts");
const maxLogChars = 1_048_576;
/** On a busy machine an edge sheds visitors, which few tests are about. */
export const patientEdge = { EDGE_SHED_DELAY: "1m", EDGE_REFUSE_DELAY: "1m" } as const;

/** Resolves when the edge serves. */
export async function startEdgeProcess(
  env: Readonly<Record<string, string>>,
  ports?: readonly [httpPort: number, httpsPort: number],
): Promise<EdgeProcess> {
  const [httpPort, httpsPort] = ports ?? [await freePort(), await freePort()];
  const internalPort = await freePort();
  const child = spawn(process.execPath, [main, "serve", "edge"], {
    env: {
      PATH: process.env["PATH"],
      TMPDIR: process.env["TMPDIR"],
      EDGE_HTTP_PORT: String(httpPort),
      EDGE_HTTPS_PORT: String(httpsPort),
      EDGE_INTERNAL_PORT: String(internalPort),
      ...patientEdge,
      ...wholeEdgesReplaced()?.env,
      ...env,
    },
    stdio: ["ignore", "pipe", "pipe", "ipc"],
  });
  const output = collect(child);
  const ended = once(child, "exit").then(([code]): number | null => code);
  await Promise.race([
    once(child, "message"),
    ended.then((code) => {
      throw new Error(`the edge ended with ${code}:\n${output()}`);
    }),
  ]);
  wholeEdgeStarted(httpsPort, env["DATA_DIR"] ?? "");
  const pid = child.pid ?? 0;
  const text = (page: string): Promise<Response> =>
    fetch(`http://127.0.0.1:${internalPort}/${page}`, { headers: { connection: "close" } });
  const metric = async (name: string): Promise<number> => {
    const found = new RegExp(`^${name} (\\d+)$`, "m").exec(await (await text("metrics")).text());
    return Number(found?.[1] ?? Number.NaN);
  };
  return {
    pid,
    httpPort,
    httpsPort,
    internalPort,
    output,
    ended,
    workers: () => findWorkers(pid),
    resident() {
      const workers = findWorkers(pid);
      const accelerators = findChildren(pid).filter((one) => !workers.includes(one));
      return [...(workers.length > 0 ? workers : [pid]), ...accelerators].map(residentBytes);
    },
    metric,
    connections: () =>
      wholeEdgesReplaced()?.connections(env["DATA_DIR"] ?? "") ??
      metric("mooring_edge_connections"),
    async health() {
      const answer = await text("healthz");
      return { status: answer.status, body: (await answer.json()) as Record<string, unknown> };
    },
    async replaceWorkers() {
      const before = findChildren(pid);
      child.kill("SIGHUP");
      const areGone = (): boolean => findChildren(pid).every((one) => !before.includes(one));
      await until(() => findChildren(pid).length > 0 && areGone(), "the end of the old workers");
    },
    async signal(name) {
      if (child.exitCode === null && child.signalCode === null) child.kill(name);
      return await ended;
    },
  };
}

interface PlainProcess {
  readonly pid: number;
  signal(name: "SIGKILL" | "SIGTERM"): Promise<number | null>;
}

/** `mooring serve dns` as a child process of the test; resolves when it answers. */
export function startDnsProcess(env: Readonly<Record<string, string>>): Promise<PlainProcess> {
  return startPlainProcess("dns", env);
}

/** `mooring serve issuer` as a child process of the test. */
export function startIssuerProcess(env: Readonly<Record<string, string>>): Promise<PlainProcess> {
  return startPlainProcess("issuer", env);
}

/** `mooring serve worker` as a child process of the test. */
export function startWorkerProcess(env: Readonly<Record<string, string>>): Promise<PlainProcess> {
  return startPlainProcess("worker", env);
}

/** `mooring serve api` as a child process of the test; resolves when it answers. */
export async function startApiProcess(
  env: Readonly<Record<string, string>>,
): Promise<PlainProcess & { readonly base: string }> {
  const port = String(await freePort());
  const started = await startPlainProcess("api", { ...env, PORT: port });
  return { ...started, base: `http://127.0.0.1:${port}` };
}

async function startPlainProcess(
  name: string,
  env: Readonly<Record<string, string>>,
): Promise<PlainProcess> {
  const child = spawn(process.execPath, [main, "serve", name], {
    env: { PATH: process.env["PATH"], TMPDIR: process.env["TMPDIR"], ...env },
    stdio: ["ignore", "pipe", "pipe", "ipc"],
  });
  const output = collect(child);
  const ended = once(child, "exit").then(([code]): number | null => code);
  await Promise.race([
    once(child, "message"),
    ended.then((code) => {
      throw new Error(`${name} ended with ${code}:\n${output()}`);
    }),
  ]);
  return {
    pid: child.pid ?? 0,
    async signal(signal) {
      if (child.exitCode === null && child.signalCode === null) child.kill(signal);
      return await ended;
    },
  };
}

function collect(child: ChildProcess): () => string {
  let log = "";
  for (const stream of [child.stdout, child.stderr]) {
    stream?.setEncoding("utf8").on("data", (text: string) => {
      log = (log + text).slice(-maxLogChars);
    });
  }
  return () => log;
}

function findWorkers(pid: number): readonly number[] {
  return findChildren(pid).filter((child) => !isAccelerator(child));
}

function isAccelerator(pid: number): boolean {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, "latin1").includes("haproxy.cfg");
  } catch {
    return false; // it has exited
  }
}

/** The running children of a process, from /proc. */
function findChildren(pid: number): readonly number[] {
  return readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name) && findParent(name) === pid)
    .map(Number);
}

function residentBytes(pid: number): number {
  const status = readFileSync(`/proc/${pid}/status`, "utf8");
  return Number(/^VmRSS:\s+(\d+) kB$/m.exec(status)?.[1]) * 1_024;
}

function findParent(pid: string): number | null {
  try {
    // The name in parentheses may contain anything; the state and the parent follow it.
    const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
    const [state, parent] = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
    return state === "Z" ? null : Number(parent);
  } catch {
    return null; // it has exited
  }
}

/** `mooring serve all` over an existing database. */
export interface ServedProduct {
  readonly base: string;
  readonly httpsPort: number;
  /** The keys of the first tenant, when this start created it. */
  readonly keys: { readonly test: string; readonly live: string } | null;
  stop(): Promise<void>;
}

/** Uses a new data directory, so that only the database and the key come from an earlier start. */
export async function serveProduct(env: Readonly<Record<string, string>>): Promise<ServedProduct> {
  const dataDir = await mkdtemp(path.join(tmpdir(), "mooring-served-"));
  const [port, httpPort, httpsPort] = [await freePort(), await freePort(), await freePort()];
  const child = spawn(process.execPath, [main, "serve", "all", "--json"], {
    env: {
      PATH: process.env["PATH"],
      DATA_DIR: dataDir,
      PORT: String(port),
      BASE_URL: `http://127.0.0.1:${port}`,
      EDGE_HTTP_PORT: String(httpPort),
      EDGE_HTTPS_PORT: String(httpsPort),
      DNS_RESOLVERS: "127.0.0.1:9",
      LOG_LEVEL: "warn",
      WEBHOOK_ALLOW_PRIVATE: "true",
      ORIGIN_ALLOW_PRIVATE: "true",
      ...patientEdge,
      ...env,
    },
    stdio: ["ignore", "pipe", "pipe"],
  });
  const ended = once(child, "close");
  let log = "";
  child.stderr.setEncoding("utf8").on("data", (text: string) => {
    log += text;
  });
  // Its last words are complete when it has ended.
  const ready = await readyIn(child.stdout).catch(() => ended.then(() => null));
  assert.ok(ready, `serve all exited before it was ready:\n${log}`);
  return {
    base: `http://127.0.0.1:${port}`,
    httpsPort,
    keys: ready.keys,
    async stop() {
      child.kill("SIGTERM");
      await ended;
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}

type Ready = Pick<ServedProduct, "keys"> & { readonly state: string };

/** The JSON document on its stdout, once it is complete. */
async function readyIn(stdout: NodeJS.ReadableStream): Promise<Ready> {
  let output = "";
  stdout.setEncoding("utf8");
  for await (const text of stdout) {
    output += String(text);
    if (!output.trimEnd().endsWith("\n}")) continue;
    const document = JSON.parse(output) as Ready;
    // Later output is not read, and must not fill the pipe.
    stdout.resume();
    return document;
  }
  throw new Error(`stdout ended after ${output}`);
}
