import { mkdtemp, readFile, rm, truncate, writeFile } from "node:fs/promises";
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
  /** All of them. */
  readonly requests: number;
  /** The share of its core that the measured program used; below 1 something else was the limit. */
  readonly busy: number;
}

/**
 * As many requests as possible, by wrk on the other core, with keep-alive or one per connection.
 */
export async function loadFlat(
  target: Target,
  measured: Pinned,
  options: {
    readonly seconds: number;
    readonly connections: number;
    readonly isKeepAlive: boolean;
  },
): Promise<Flat> {
  return withFolder(async (folder) => {
    const script = path.join(folder, "load.lua");
    // The name is not in DNS; it is used for the handshake and the Host header.
    await writeFile(
      script,
      `function wrk.resolve(host, service) wrk.addrs = wrk.lookup("${target.address}", service) end`,
    );
    const [cpu, startedAt] = [measured.cpuSeconds(), performance.now()];
    const output = await pinnedRun("/usr/bin/wrk", [
      "--threads=1",
      `--connections=${options.connections}`,
      `--duration=${options.seconds}s`,
      `--script=${script}`,
      ...withHost(target),
      ...(options.isKeepAlive ? [] : ["--header", "Connection: close"]),
      toUrl(target),
    ]);
    const wallSeconds = (performance.now() - startedAt) / 1_000;
    if (/Non-2xx|connect [1-9]|timeout [1-9]/.test(output)) throw new Error(output);
    return {
      perSecond: numberIn(output, /Requests\/sec:\s+([\d.]+)/),
      requests: numberIn(output, /(\d+) requests in/),
      busy: (measured.cpuSeconds() - cpu) / wallSeconds,
    };
  });
}

export interface Steady {
  readonly p50Ms: number;
  readonly p99Ms: number;
  readonly perSecond: number;
  readonly requests: number;
}

/** The percentiles in ms at a steady rate, by h2load on the other core. */
export async function loadSteady(
  target: Target,
  options: {
    readonly seconds: number;
    readonly connections: number;
    readonly perSecond: number;
  },
): Promise<Steady> {
  return withFolder(async (folder) => {
    const log = path.join(folder, "log");
    await pinnedRun("/usr/bin/h2load", [
      "--h1",
      `--clients=${options.connections}`,
      `--duration=${options.seconds}`,
      `--rps=${options.perSecond / options.connections}`,
      `--connect-to=${target.address}:${target.port}`,
      `--log-file=${log}`,
      "--warm-up-time=1",
      // Without the port, as HAProxy wants it; h2load would send a second `Host` beside its own.
      `${target.isTls ? "https" : "http"}://${target.hostname}/`,
    ]);
    const rows = (await readFile(log, "utf8")).trim().split("\n");
    const timesMs = rows.map((row) => {
      const [, status, microseconds] = row.split("\t");
      if (status !== "200") throw new Error(`an answer with status ${status}`);
      return Number(microseconds) / 1_000;
    });
    timesMs.sort((one, other) => one - other);
    const at = (share: number): number => timesMs[Math.floor(timesMs.length * share)] ?? Number.NaN;
    const requests = timesMs.length;
    return { p50Ms: at(0.5), p99Ms: at(0.99), perSecond: requests / options.seconds, requests };
  });
}

/** One body of that many bytes up or down, by curl on the other core. */
export async function transfer(
  target: Target,
  measured: Pinned,
  options: {
    readonly bytes: number;
    readonly protocol: "http1.1" | "http2";
    readonly direction: "up" | "down";
  },
): Promise<Flat> {
  return withFolder(async (folder) => {
    const file = path.join(folder, "zeros");
    await writeFile(file, "");
    await truncate(file, options.bytes);
    const url = new URL(toUrl(target));
    // The origin reads the whole body before it answers.
    url.pathname = options.direction === "down" ? "/large/zeros" : "/stored/zeros";
    const range = ["--range", `0-${options.bytes - 1}`];
    const [cpu, startedAt] = [measured.cpuSeconds(), performance.now()];
    const output = await pinnedRun("/usr/bin/curl", [
      "--silent",
      "--show-error",
      "--fail",
      "--max-time",
      "300",
      "--insecure",
      `--${options.protocol}`,
      "--resolve",
      `${target.hostname}:${target.port}:${target.address}`,
      ...withHost(target),
      "--header",
      "Expect:",
      "--output",
      "/dev/null",
      "--write-out",
      "%{http_version} %{size_upload} %{size_download}",
      ...(options.direction === "up" ? ["--upload-file", file] : range),
      url.href,
    ]);
    const seconds = (performance.now() - startedAt) / 1_000;
    const [version, up, down] = output.split(" ");
    const moved = Number(options.direction === "up" ? up : down);
    if (moved !== options.bytes || !options.protocol.endsWith(version ?? "-")) {
      throw new Error(`a transfer of ${options.bytes} bytes by ${options.protocol}: ${output}`);
    }
    return {
      perSecond: moved / seconds,
      requests: 1,
      busy: (measured.cpuSeconds() - cpu) / seconds,
    };
  });
}

function toUrl({ isTls, hostname, port }: Target): string {
  return `${isTls ? "https" : "http"}://${hostname}:${port}/`;
}

/** As at port 443: of another port the accelerator serves nothing by itself. */
function withHost({ hostname }: Target): readonly string[] {
  return ["--header", `Host: ${hostname}`];
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

/**
 * One request for the name on a new connection: the time from connecting to the first byte, in ms.
 */
export function firstByteMs(front: Front, hostname: string): Promise<number> {
  const startedAt = performance.now();
  return new Promise((resolve, reject) => {
    const socket = connect({
      host: front.address,
      port: front.port,
      servername: hostname,
      // The issuer does not matter, only that the certificate is for this name.
      rejectUnauthorized: false,
      ALPNProtocols: ["http/1.1"],
    });
    socket.setTimeout(30_000, () => socket.destroy(new Error(`${front.name}: no answer in time`)));
    socket.once("secureConnect", () => {
      if (!socket.getPeerX509Certificate()?.checkHost(hostname)) {
        socket.destroy(new Error(`${front.name}: the certificate is not for ${hostname}`));
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

/** Requests every name once, eight at a time. */
export async function visitAll(front: Front, names: readonly string[]): Promise<void> {
  const left = names.values();
  const client = async (): Promise<void> => {
    for (const name of left) await firstByteMs(front, name);
  };
  await Promise.all(Array.from({ length: 8 }, client));
}
