import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { freePort } from "./free-port.ts";

/** One process of the product as an operator starts it: `mooring serve NAME`. */
export interface FleetMember {
  readonly kind: "api" | "worker" | "edge";
  /** Of the API, or the TLS port of an edge; 0 for a worker. */
  readonly port: number;
  /** When it last ended by a kill, on the monotonic clock: -1 while it never did, now if it is dying. */
  readonly killedAt: () => number;
  /** Kills it with SIGKILL, and starts it again in its place. */
  killAndRestart(): Promise<void>;
  stop(): Promise<void>;
}

const main = path.resolve(import.meta.dirname, "../../packages/cli/src/main.ts");

/** Two of each kind, on ports and in directories of their own, over one database. */
export async function startWholeFleet(
  env: Readonly<Record<string, string>>,
): Promise<{ readonly members: readonly FleetMember[]; close(): Promise<void> }> {
  const directories: string[] = [];
  const ports = { api: [await freePort(), await freePort()] };
  const common = { ASK_URL: `http://127.0.0.1:${ports.api[0]}/internal/ask`, ...env };
  const members: FleetMember[] = [];
  for (const kind of ["api", "api", "worker", "worker", "edge", "edge"] as const) {
    const directory = await mkdtemp(path.join(tmpdir(), "mooring-fleet-"));
    directories.push(directory);
    const port =
      kind === "worker" ? 0 : (kind === "api" && ports.api.shift()) || (await freePort());
    const own = {
      DATA_DIR: directory,
      ...(kind === "api" ? { PORT: String(port) } : {}),
      ...(kind === "edge"
        ? { EDGE_HTTPS_PORT: String(port), EDGE_HTTP_PORT: String(await freePort()) }
        : {}),
    };
    members.push(await startMember(kind, port, { ...common, ...own }));
  }
  return {
    members,
    async close() {
      await Promise.all(members.map((member) => member.stop()));
      await Promise.all(directories.map((one) => rm(one, { recursive: true, force: true })));
    },
  };
}

async function startMember(
  kind: FleetMember["kind"],
  port: number,
  env: Readonly<Record<string, string>>,
): Promise<FleetMember> {
  let killedAt = -1;
  let child = await launch(kind, env);
  return {
    kind,
    port,
    killedAt: () => killedAt,
    async killAndRestart() {
      killedAt = Number.POSITIVE_INFINITY;
      await end(child, "SIGKILL");
      killedAt = performance.now();
      child = await launch(kind, env);
    },
    stop: () => end(child, "SIGTERM"),
  };
}

async function launch(
  kind: FleetMember["kind"],
  env: Readonly<Record<string, string>>,
): Promise<ChildProcess> {
  const child = spawn(process.execPath, [main, "serve", kind], {
    env: { PATH: process.env["PATH"], TMPDIR: process.env["TMPDIR"], LOG_LEVEL: "warn", ...env },
    stdio: ["ignore", "pipe", "pipe"],
  });
  let said = "";
  const ready = Promise.withResolvers<void>();
  for (const stream of [child.stdout, child.stderr]) {
    stream?.setEncoding("utf8").on("data", (text: string) => {
      said = (said + text).slice(-65_536);
      if (said.includes(`${kind} is ready`)) ready.resolve();
    });
  }
  child.once("exit", () => ready.reject(new Error(`serve ${kind} ended:\n${said}`)));
  await ready.promise;
  return child;
}

async function end(child: ChildProcess, signal: "SIGKILL" | "SIGTERM"): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = once(child, "exit");
  child.kill(signal);
  await ended;
}
