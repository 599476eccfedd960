import { type ChildProcess, spawn } from "node:child_process";
import { getCompileCacheDir } from "node:module";
import path from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { type Environment, waitForBeginEnv } from "./config.ts";
import { beginMessage, hasType, readyMessage } from "./process-control.ts";

/** What happened to a child, for a line to the operator. */
export type ProcessEvent =
  | { readonly kind: "ready"; readonly name: string }
  | {
      readonly kind: "ended";
      readonly name: string;
      readonly how: string;
      readonly restartInMs: number;
    }
  | { readonly kind: "killed"; readonly name: string };

/** A process ended before it was ever ready: another attempt would print the same error. */
export class ProcessFailed extends Error {
  override readonly name = "ProcessFailed";
  readonly exitCode: number;
  constructor(name: string, how: string, exitCode: number) {
    super(`${name} did not start (${how}); see its output above`);
    this.exitCode = exitCode;
  }
}

export interface ChildCommand {
  readonly name: string;
  /** A script and its arguments, run by the Node that runs this. */
  readonly args: readonly string[];
  /** Added to the environment that all of them get. */
  readonly env?: Environment;
}

export interface SupervisorOptions {
  readonly processes: readonly ChildCommand[];
  readonly env: Environment;
  readonly onEvent: (event: ProcessEvent) => void;
  /** Gets every message of a child but the ready message. */
  readonly onMessage?: (name: string, message: unknown) => void;
  /** Until it resolves the children only load their modules (`waitForBegin`). */
  readonly begin?: Promise<void>;
  /** Where the children's log lines go; stderr when stdout carries a JSON document. */
  readonly logsTo?: "stdout" | "stderr";
  /** Shorter in tests. */
  readonly restartDelaysMs?: readonly number[];
  readonly stopWithinMs?: number;
}

export interface Supervisor {
  /** Every process has reported that it is ready. */
  readonly ready: Promise<void>;
  /** Rejects with `ProcessFailed` when one cannot start; otherwise resolves after `stop`. */
  readonly ended: Promise<void>;
  /** The running children's process ids. */
  pids(): readonly number[];
  /** Sends SIGTERM to all, and SIGKILL to those that still run after `stopWithinMs`. */
  stop(): Promise<void>;
}

/** A single crash is retried at once; one that repeats is retried less and less often. */
const defaultDelaysMs = [500, 1_000, 2_000, 5_000, 10_000, 30_000];

/** How long to wait before the next start, after this many crashes in a row before the last one. */
export function restartDelayMs(
  crashes: number,
  delaysMs: readonly number[] = defaultDelaysMs,
): number {
  return delaysMs[Math.min(crashes, delaysMs.length - 1)] ?? 0;
}

/** A process that ran this long restarts with the first delay again. */
export const settledAfterMs = 60_000;
const defaultStopWithinMs = 10_000;

/**
 * Starts the processes and restarts those that end, until `stop`. Each has a channel to this process
 * and ends when it closes, so that no child outlives this process, however this one ends.
 */
export function runProcesses(options: SupervisorOptions): Supervisor {
  const stopping = new AbortController();
  const children = new Map<string, ChildProcess>();
  const readiness = options.processes.map((one) => ({ one, ...Promise.withResolvers<void>() }));
  const ended = Promise.all(
    readiness.map(({ one, resolve }) =>
      supervise(one, { options, children, signal: stopping.signal, onReady: resolve }),
    ),
  ).then(() => undefined);
  // Callers await `ended` as well; this prevents an unhandled rejection before they do.
  ended.catch(() => undefined);
  return {
    ready: Promise.all(readiness.map(({ promise }) => promise)).then(() => undefined),
    ended,
    pids: () => [...children.values()].flatMap((child) => child.pid ?? []),
    async stop() {
      stopping.abort();
      await Promise.all([...children].map(([name, child]) => stopChild(name, child, options)));
      await ended.catch(() => undefined);
    },
  };
}

interface Supervision {
  readonly options: SupervisorOptions;
  readonly children: Map<string, ChildProcess>;
  readonly signal: AbortSignal;
  readonly onReady: () => void;
}

async function supervise(one: ChildCommand, supervision: Supervision): Promise<void> {
  const { options, children, signal, onReady } = supervision;
  let wasReady = false;
  let crashes = 0;
  while (!signal.aborted) {
    const startedAt = performance.now();
    const child = spawnChild(one, options);
    children.set(one.name, child);
    sendBegin(child, options.begin);
    child.on("message", (message) => {
      if (!hasType(message, readyMessage.type)) {
        options.onMessage?.(one.name, message);
        return;
      }
      wasReady = true;
      onReady();
      options.onEvent({ kind: "ready", name: one.name });
    });
    const end = await endOf(child);
    children.delete(one.name);
    if (signal.aborted) return;
    if (!wasReady) throw new ProcessFailed(one.name, end.how, end.code);
    crashes = performance.now() - startedAt > settledAfterMs ? 0 : crashes;
    const restartInMs = restartDelayMs(crashes, options.restartDelaysMs);
    crashes += 1;
    options.onEvent({ kind: "ended", name: one.name, how: end.how, restartInMs });
    await pause(restartInMs, signal);
  }
}

function sendBegin(child: ChildProcess, begin: Promise<void> | undefined): void {
  const ignore = (): undefined => undefined;
  // A child that ended meanwhile is restarted and gets its own message. A rejected `begin` is
  // reported by the caller who made it.
  begin?.then(() => child.connected && child.send(beginMessage, ignore), ignore);
}

function spawnChild(one: ChildCommand, options: SupervisorOptions): ChildProcess {
  const logs = options.logsTo === "stderr" ? process.stderr : process.stdout;
  return spawn(process.execPath, [...one.args], {
    env: {
      ...codeCache(),
      ...options.env,
      ...one.env,
      ...(options.begin === undefined ? {} : waitForBeginEnv),
    },
    stdio: ["ignore", logs, process.stderr, "ipc"],
  });
}

/**
 * Gives the child this process's compile cache from its first file on. A script that enables the
 * cache itself is compiled without it, which loads the type stripper and its 25 MB.
 */
function codeCache(): Environment {
  const directory = getCompileCacheDir();
  // Node appends a directory for its version, and would append it again.
  return directory === undefined ? {} : { NODE_COMPILE_CACHE: path.dirname(directory) };
}

interface End {
  readonly how: string;
  readonly code: number;
}

function endOf(child: ChildProcess): Promise<End> {
  return new Promise((resolve) => {
    child.once("error", (error) => resolve({ how: error.message, code: 1 }));
    child.once("exit", (code, signal) =>
      resolve({ how: signal ? `signal ${signal}` : `exit code ${code}`, code: code ?? 1 }),
    );
  });
}

async function stopChild(
  name: string,
  child: ChildProcess,
  options: SupervisorOptions,
): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const exited = endOf(child);
  child.kill("SIGTERM");
  const withinMs = options.stopWithinMs ?? defaultStopWithinMs;
  const timer = setTimeout(() => {
    options.onEvent({ kind: "killed", name });
    child.kill("SIGKILL");
  }, withinMs);
  await exited;
  clearTimeout(timer);
}

async function pause(ms: number, signal: AbortSignal): Promise<void> {
  try {
    await delay(ms, undefined, { signal });
  } catch (error) {
    if (!signal.aborted) throw error;
  }
}
