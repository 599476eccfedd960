import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { readdirSync, readFileSync } from "node:fs";

/** A program pinned to one core. */
export interface Pinned {
  readonly pid: number;
  /** The resident memory of it and its children, in MiB. */
  memoryMib(): number;
  /** Seconds of processor time that it and its children have used so far. */
  cpuSeconds(): number;
  /** The end of its output. */
  readonly output: () => string;
  stop(): Promise<void>;
}

/** The measured program has the first core; the load and the origin have the second. */
export const measuredCore = 0;
export const otherCore = 1;

/** Ticks of /proc/PID/stat in a second; the same on every Linux that Node runs on. */
const ticksPerSecond = 100;
const maxLogChars = 16_384;

export function startPinned(
  core: number,
  command: readonly string[],
  env: Readonly<Record<string, string>> = {},
): Pinned {
  const child = spawn("/usr/bin/taskset", ["--cpu-list", String(core), ...command], {
    env: { PATH: process.env["PATH"] ?? "", ...env },
    stdio: ["ignore", "pipe", "pipe"],
  });
  let log = "";
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding("utf8").on("data", (text: string) => {
      log = (log + text).slice(-maxLogChars);
    });
  }
  const pid = pidOf(child);
  const exited = once(child, "exit");
  const family = (): readonly number[] => [pid, ...findChildren(pid)];
  return {
    pid,
    memoryMib: () => sum(family().map(readMemoryMib)),
    cpuSeconds: () => sum(family().map(readCpuSeconds)),
    output: () => log,
    async stop() {
      child.kill("SIGTERM");
      await exited;
    },
  };
}

function pidOf(child: ChildProcess): number {
  if (child.pid === undefined) throw new Error("taskset did not start");
  return child.pid;
}

function findChildren(pid: number): number[] {
  return readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
    .filter((other) => Number(readStat(other)[1]) === pid);
}

/** The fields of /proc/PID/stat from the state on; none for a process that has ended. */
function readStat(pid: number): readonly string[] {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, "utf8");
    return text.slice(text.lastIndexOf(")") + 2).split(" ");
  } catch {
    return [];
  }
}

/** Seconds of processor time that a process has used so far. */
export function readCpuSeconds(pid: number): number {
  const stat = readStat(pid);
  return (Number(stat[11] ?? 0) + Number(stat[12] ?? 0)) / ticksPerSecond;
}

/** The resident memory of a process. */
export function readMemoryMib(pid: number): number {
  const status = readFileSync(`/proc/${pid}/status`, "utf8");
  return Number(/^VmRSS:\s+(\d+) kB$/m.exec(status)?.[1] ?? 0) / 1_024;
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}
