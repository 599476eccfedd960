import { type ChildProcess, spawn } from "node:child_process";
import { getCompileCacheDir } from "node:module";
import path from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { type Environment, heldBack } from "./config.ts";

/** What became of a child, for a line to the operator. */
export type ProcessEvent =
  | { readonly kind: "ready"; readonly name: string }
  | {
      readonly kind: "ended";
      readonly name: string;
      readonly how: string;
      readonly restartInMs: number;
    }
  | { readonly kind: "killed"; readonly name: string };

/** A process ended before it was ever ready: trying again would only repeat what it said. */
export class ProcessFailed extends Error {
  override readonly name = "ProcessFailed";
  readonly exitCode: number;
  constructor(name: string, how: string, exitCode: number) {
    super(`${name} did not start (${how}); what it said is above`);
    this.exitCode = exitCode;
  }
}

export interface ChildCommand {
  readonly name: string;
  /** A script and its arguments, run by the Node that runs this. */
  readonly args: readonly string[];
  /** On top of what all of them get. */
  readonly env?: Environment;
}

export interface SupervisorOptions {
  readonly processes: readonly ChildCommand[];
  readonly env: Environment;
  readonly onEvent: (event: ProcessEvent) => void;
  /** What a child sends besides its being ready. */
  readonly onMessage?: (name: string, message: unknown) => void;
  /** Until it resolves the children only load, which they are told by their environment. */
  readonly begin?: Promise<void>;
  /** Where the children's log lines go; stdout unless that is kept for a document. */
  readonly logsTo?: "stdout" | "stderr";
  /** For tests that do not wait for the real ones. */
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
  /** SIGTERM to all, SIGKILL to those that are still there when their time is over. */
  stop(): Promise<void>;
}

/** Half a second at first, then ever longer: a crash is usually over at once, or lasts. */
const defaultDelaysMs = [500, 1_000, 2_000, 5_000, 10_000, 30_000];
/** A process that has lived this long begins again with the first delay. */
const settledAfterMs = 60_000;
const defaultStopWithinMs = 10_000;

/**
 * Starts the processes and keeps them running until `stop`. Each has a channel to us and ends when
 * it closes, so that nothing outlives this process, however that one ends.
 */
export function runProcesses(options: SupervisorOptions): Supervisor {
  const stopping = new AbortController();
  const children = new Map<string, ChildProcess>();
  const readiness = options.processes.map((one) => ({ one, ...Promise.withResolvers<void>() }));
  const ended = Promise.all(
    readiness.map(({ one, resolve }) =>
      keepRunning(one, { options, children, signal: stopping.signal, onReady: resolve }),
    ),
  ).then(() => undefined);
  // A failure is told by `ended`; whoever waits for `ready` waits for both.
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

interface Keeping {
  readonly options: SupervisorOptions;
  readonly children: Map<string, ChildProcess>;
  readonly signal: AbortSignal;
  readonly onReady: () => void;
}

async function keepRunning(one: ChildCommand, keeping: Keeping): Promise<void> {
  const { options, children, signal } = keeping;
  const delaysMs = options.restartDelaysMs ?? defaultDelaysMs;
  let wasReady = false;
  let crashes = 0;
  while (!signal.aborted) {
    const startedAt = performance.now();
    const child = spawnChild(one, options);
    children.set(one.name, child);
    tellToBegin(child, options.begin);
    child.on("message", (message) => {
      if (!isReadyMessage(message)) {
        options.onMessage?.(one.name, message);
        return;
      }
      wasReady = true;
      keeping.onReady();
      options.onEvent({ kind: "ready", name: one.name });
    });
    const end = await endOf(child);
    children.delete(one.name);
    if (signal.aborted) return;
    if (!wasReady) throw new ProcessFailed(one.name, end.how, end.code);
    crashes = performance.now() - startedAt > settledAfterMs ? 0 : crashes;
    const restartInMs = delaysMs[Math.min(crashes, delaysMs.length - 1)] ?? 0;
    crashes += 1;
    options.onEvent({ kind: "ended", name: one.name, how: end.how, restartInMs });
    await pause(restartInMs, signal);
  }
}

function tellToBegin(child: ChildProcess, begin: Promise<void> | undefined): void {
  const done = (): undefined => undefined;
  // A child that has gone meanwhile is started, and told, again; what prevents the beginning is told
  // by whoever prepares it.
  begin?.then(() => child.connected && child.send(beginMessage, done), done);
}

function spawnChild(one: ChildCommand, options: SupervisorOptions): ChildProcess {
  const logs = options.logsTo === "stderr" ? process.stderr : process.stdout;
  return spawn(process.execPath, [...one.args], {
    env: {
      ...codeCache(),
      ...options.env,
      ...one.env,
      ...(options.begin === undefined ? {} : heldBack),
    },
    stdio: ["ignore", logs, process.stderr, "ipc"],
  });
}

/**
 * This process's cache of code, for the child from its first file on. A script that enables the cache
 * itself has been read without: that takes the compiler of types, and its 25 MB stay.
 */
function codeCache(): Environment {
  const directory = getCompileCacheDir();
  // Node appends a part for its version, and would do so again.
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
  const gone = endOf(child);
  child.kill("SIGTERM");
  const withinMs = options.stopWithinMs ?? defaultStopWithinMs;
  const timer = setTimeout(() => {
    options.onEvent({ kind: "killed", name });
    child.kill("SIGKILL");
  }, withinMs);
  await gone;
  clearTimeout(timer);
}

async function pause(ms: number, signal: AbortSignal): Promise<void> {
  try {
    await delay(ms, undefined, { signal });
  } catch (error) {
    if (!signal.aborted) throw error;
  }
}

/** What a child sends to its supervisor once it serves. */
export const readyMessage = { type: "ready" } as const;

/** What a supervisor sends to a child that it has told to wait. */
export const beginMessage = { type: "begin" } as const;

function isReadyMessage(message: unknown): boolean {
  return hasType(message, readyMessage.type);
}

/** Resolves when the parent says so; in a process that was not told to wait, at once. */
export function mayBegin(isHeldBack: boolean): Promise<void> {
  return new Promise((resolve) => {
    if (!isHeldBack || !process.send) return resolve();
    const hear = (message: unknown): void => {
      if (!hasType(message, beginMessage.type)) return;
      process.off("message", hear);
      resolve();
    };
    process.on("message", hear);
  });
}

function hasType(message: unknown, type: string): boolean {
  return (
    typeof message === "object" && message !== null && "type" in message && message.type === type
  );
}
