import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { numberIn, runProgram } from "./run-program.ts";

export interface LoadResult {
  readonly perSecond: number;
  readonly p99Ms: number;
}

export interface Load {
  readonly url: string;
  readonly seconds: number;
  readonly connections: number;
  /** A Lua script for wrk; it defines `request` when requests differ. */
  readonly script?: string;
  readonly key?: string;
}

/** As many requests as possible, by wrk with one thread. Fails on socket errors. */
export async function loadHttp(load: Load): Promise<LoadResult> {
  const directory = await mkdtemp(path.join(tmpdir(), "mooring-bench-"));
  const script = path.join(directory, "load.lua");
  await writeFile(script, load.script ?? "");
  try {
    const output = await runProgram("/usr/bin/wrk", [
      "--threads=1",
      `--connections=${load.connections}`,
      `--duration=${load.seconds}s`,
      "--latency",
      // On a busy machine an answer may take longer than the two seconds that it waits by default.
      "--timeout=20s",
      `--script=${script}`,
      ...(load.key ? ["--header", `Authorization: Bearer ${load.key}`] : []),
      load.url,
    ]);
    if (/Socket errors/.test(output)) throw new Error(output);
    return {
      perSecond: numberIn(output, /Requests\/sec:\s+([\d.]+)/),
      p99Ms: latency(output),
    };
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
}

function latency(output: string): number {
  const unit = /99%\s+[\d.]+(us|ms|s)\s/.exec(output)?.[1] ?? "ms";
  const factor = { us: 0.001, ms: 1, s: 1_000 }[unit] ?? 1;
  return numberIn(output, /99%\s+([\d.]+)/) * factor;
}
