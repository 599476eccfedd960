import { type ChildProcess, spawn } from "node:child_process";
import { randomInt } from "node:crypto";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { request } from "node:https";
import { tmpdir } from "node:os";
import path from "node:path";
import { monitorEventLoopDelay } from "node:perf_hooks";
import { setTimeout as delay } from "node:timers/promises";
import { freePort } from "./free-port.ts";

/** One process of the product as an operator starts it: `mooring serve NAME`. */
export interface FleetMember {
  readonly kind: "api" | "worker" | "edge";
  /** The port of an API, the TLS port of an edge, 0 for a worker. */
  readonly port: number;
  /**
   * When it was last killed, in `performance.now()`: -1 for never, infinity while it is being
   * killed.
   */
  readonly killedAt: () => number;
  /** Kills it with SIGKILL and starts it again. */
  killAndRestart(): Promise<void>;
  stop(): Promise<void>;
}

const main = path.resolve(import.meta.dirname, "../../../../packages/cli/src/main.ts");

/** Two processes of each kind over one database, each with its own ports and directory. */
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
  let output = "";
  const ready = Promise.withResolvers<void>();
  for (const stream of [child.stdout, child.stderr]) {
    stream?.setEncoding("utf8").on("data", (text: string) => {
      output = (output + text).slice(-65_536);
      if (output.includes(`${kind} is ready`)) ready.resolve();
    });
  }
  child.once("exit", () => ready.reject(new Error(`serve ${kind} ended:\n${output}`)));
  await ready.promise;
  return child;
}

async function end(child: ChildProcess, signal: "SIGKILL" | "SIGTERM"): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = once(child, "exit");
  child.kill(signal);
  await ended;
}

/** The results of the visits while edges were killed. */
export interface Visits {
  served: number;
  /** In flight when their edge was killed, and so never answered. */
  cut: number;
  /**
   * Refused by an edge that was too busy, with an alert or 503, and retried at the other one. It
   * happens on a machine with more processes than cores.
   */
  shed: number;
  readonly failed: string[];
}

export function noVisits(): Visits {
  return { served: 0, cut: 0, shed: 0, failed: [] };
}

export interface Visit {
  readonly edges: readonly FleetMember[];
  /** The certificate authority that the client trusts. */
  readonly ca: string;
  readonly hostname: string;
  /** Which edge is tried first. */
  readonly firstEdge: number;
}

/**
 * An edge closes a handshake that does not continue: a client that stands still for longer than
 * `EDGE_HELLO_TIMEOUT` or `EDGE_HANDSHAKE_TIMEOUT` fails by itself, and its message says so.
 */
const standstill = monitorEventLoopDelay();
standstill.enable();

const attempts = 20;
const pauseMs = 100;
/**
 * An edge that is too busy answers with this alert. It is an answer, also if the edge is killed
 * next.
 */
const shedAlert = /alert internal error/;

/**
 * Visits like a load balancer: a refused connection or a busy edge is retried at the other edge.
 */
export async function visit(one: Visit, visits: Visits): Promise<void> {
  for (let attempt = 0; attempt < attempts; attempt += 1) {
    if (attempt > 1) await delay(pauseMs);
    const edge = one.edges[(one.firstEdge + attempt) % one.edges.length];
    if (edge === undefined) break;
    const [outcome, message] = await tryEdge(edge, one);
    if (outcome === "refused") continue;
    if (outcome === "failed") visits.failed.push(message.slice(0, 200));
    else visits[outcome] += 1;
    if (outcome !== "shed") return;
  }
  visits.failed.push("no edge accepts the connection");
}

type Outcome = "served" | "refused" | "shed" | "cut" | "failed";

async function tryEdge(edge: FleetMember, one: Visit): Promise<[Outcome, string]> {
  const startedAt = performance.now();
  try {
    const page = await get(edge.port, one);
    if (page === `200 hello ${one.hostname}`) return ["served", page];
    return [page.startsWith("503") ? "shed" : "failed", page];
  } catch (error) {
    const code = error instanceof Error && "code" in error ? error.code : null;
    if (code === "ECONNREFUSED") return ["refused", code];
    const message = String(error);
    if (shedAlert.test(message)) return ["shed", message];
    if (edge.killedAt() >= startedAt) return ["cut", message];
    const stoodMs = Math.round(standstill.max / 1e6);
    return ["failed", `${message}; the clients stood still for up to ${stoodMs} ms`];
  }
}

function get(port: number, { hostname, ca }: Visit): Promise<string> {
  return new Promise((resolve, reject) => {
    // From many addresses: one alone would reach the edge's limit per address.
    const localAddress = `127.100.${randomInt(250)}.${randomInt(1, 250)}`;
    const at = { host: "127.0.0.1", port, localAddress };
    const options = { ...at, servername: hostname, ca, agent: false };
    const sent = request({ ...options, headers: { host: hostname } }, (response) => {
      let text = "";
      response.setEncoding("utf8").on("data", (part: string) => {
        text += part;
      });
      response.on("error", reject);
      response.on("end", () => resolve(`${response.statusCode} ${text}`));
    });
    sent.on("error", reject);
    sent.end();
  });
}
