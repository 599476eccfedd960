import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { connect } from "node:tls";
import type { Front } from "./edge-fronts.ts";
import { otherCore, type Pinned } from "./pinned.ts";
import { numberIn, runProgram } from "./run-program.ts";

export interface Target {
  readonly hostname: string;
  readonly address: string;
  readonly port: number;
  readonly isTls: boolean;
}

export interface Flat {
  readonly perSecond: number;
  /** How much of its core the measured program used: below 1 something else was the limit. */
  readonly busy: number;
}

/** As many as the answers allow, by wrk on the other core; each on a connection of its own, or kept. */
export async function loadFlat(
  target: Target,
  measured: Pinned,
  options: {
    readonly seconds: number;
    readonly connections: number;
    readonly isKeptAlive: boolean;
  },
): Promise<Flat> {
  return withFolder(async (folder) => {
    const script = path.join(folder, "load.lua");
    // The name is in no DNS: it is for the handshake and the Host field.
    await writeFile(
      script,
      `function wrk.resolve(host, service) wrk.addrs = wrk.lookup("${target.address}", service) end`,
    );
    const [cpu, startedAt] = [measured.cpuSeconds(), performance.now()];
    const said = await pinnedRun("/usr/bin/wrk", [
      ...["--threads=1", `--connections=${options.connections}`, `--duration=${options.seconds}s`],
      `--script=${script}`,
      ...(options.isKeptAlive ? [] : ["--header", "Connection: close"]),
      urlOf(target),
    ]);
    const wallSeconds = (performance.now() - startedAt) / 1_000;
    if (/Non-2xx|connect [1-9]|timeout [1-9]/.test(said)) throw new Error(said);
    return {
      perSecond: numberIn(said, /Requests\/sec:\s+([\d.]+)/),
      busy: (measured.cpuSeconds() - cpu) / wallSeconds,
    };
  });
}

/** The 99th percentile in ms at a steady rate, by h2load on the other core. */
export async function loadSteady(
  target: Target,
  options: {
    readonly seconds: number;
    readonly connections: number;
    readonly perSecond: number;
  },
): Promise<{ readonly p50Ms: number; readonly p99Ms: number; readonly perSecond: number }> {
  return withFolder(async (folder) => {
    const log = path.join(folder, "log");
    await pinnedRun("/usr/bin/h2load", [
      ...["--h1", `--clients=${options.connections}`, `--duration=${options.seconds}`],
      `--rps=${options.perSecond / options.connections}`,
      `--connect-to=${target.address}:${target.port}`,
      `--log-file=${log}`,
      ...["--warm-up-time=1", urlOf(target)],
    ]);
    const rows = (await readFile(log, "utf8")).trim().split("\n");
    const taken = rows.map((row) => {
      const [, status, microseconds] = row.split("\t");
      if (status !== "200") throw new Error(`an answer with status ${status}`);
      return Number(microseconds) / 1_000;
    });
    taken.sort((one, other) => one - other);
    const at = (share: number): number => taken[Math.floor(taken.length * share)] ?? Number.NaN;
    return { p50Ms: at(0.5), p99Ms: at(0.99), perSecond: taken.length / options.seconds };
  });
}

function urlOf({ isTls, hostname, port }: Target): string {
  return `${isTls ? "https" : "http"}://${hostname}:${port}/`;
}

function pinnedRun(file: string, args: readonly string[]): Promise<string> {
  return runProgram(file, args, ["/usr/bin/taskset", "--cpu-list", String(otherCore)]);
}

async function withFolder<T>(work: (folder: string) => Promise<T>): Promise<T> {
  const folder = await mkdtemp(path.join(tmpdir(), "mooring-bench-"));
  try {
    return await work(folder);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** One visit by name on a connection of its own; the time from its begin to the first byte, in ms. */
export function firstByteMs(front: Front, hostname: string): Promise<number> {
  const startedAt = performance.now();
  return new Promise((resolve, reject) => {
    const socket = connect({
      host: front.address,
      port: front.port,
      servername: hostname,
      // Whose certificate it is does not matter here, only that there is one for this name.
      rejectUnauthorized: false,
      ALPNProtocols: ["http/1.1"],
    });
    socket.setTimeout(30_000, () => socket.destroy(new Error(`${front.name}: no answer in time`)));
    socket.once("secureConnect", () => {
      if (!socket.getPeerX509Certificate()?.checkHost(hostname)) {
        socket.destroy(new Error(`${front.name}: another name's certificate for ${hostname}`));
        return;
      }
      socket.write(`GET / HTTP/1.1\r\nhost: ${hostname}\r\nconnection: close\r\n\r\n`);
    });
    socket.once("data", (chunk: Buffer) => {
      const took = performance.now() - startedAt;
      const isFine = chunk.toString("latin1", 0, 12) === "HTTP/1.1 200";
      if (!isFine) reject(new Error(`${front.name}: ${chunk.toString("latin1", 0, 60)}`));
      else resolve(took);
      socket.destroy();
    });
    socket.once("error", reject);
    socket.once("close", () => reject(new Error(`${front.name}: closed before an answer`)));
  });
}

/** Every name once, a few at a time. */
export async function visitAll(front: Front, names: readonly string[]): Promise<void> {
  const left = names.values();
  const visitor = async (): Promise<void> => {
    for (const name of left) await firstByteMs(front, name);
  };
  await Promise.all(Array.from({ length: 8 }, visitor));
}
