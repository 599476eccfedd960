import { type ChildProcess, type SendHandle, spawn } from "node:child_process";
import { getCompileCacheDir } from "node:module";
import path from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { type Environment, waitForBeginEnv } from "./config.ts";
import { beginMessage, hasType, readyMessage } from "./process-control.ts";
import { createRestartDelays, type DelayTable } from "./restart-delays.ts";

/** What happened to a child, for a line to the operator. */
export type ProcessEvent =
  | { readonly kind: "ready"; readonly name: string }
  | {
      readonly kind: "ended";
      readonly name: string;
      readonly pid: number;
      readonly how: string;
      readonly restartInMs: number;
    }
  | { readonly kind: "killed"; readonly name: string }
  /** A successor is ready; the process completes its work and ends. */
  | { readonly kind: "replaced"; readonly name: string; readonly pid: number }
  /** A replaced process has ended. */
  | { readonly kind: "left"; readonly name: string; readonly pid: number };

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
  /** File descriptors that it shares with this process; its own are 4 and up. */
  readonly descriptors?: readonly number[];
}

/** A child that has sent a message. */
export interface Sender {
  readonly name: string;
  readonly pid: number;
  readonly reply: (message: object, handle?: SendHandle) => void;
}

export interface SupervisorOptions {
  readonly processes: readonly ChildCommand[];
  readonly env: Environment;
  readonly onEvent: (event: ProcessEvent) => void;
  /** Gets every message of a child but the ready message. */
  readonly onMessage?: (from: Sender, message: unknown, handle: unknown) => void;
  /** Until it resolves the children only load their modules (`waitForBegin`). */
  readonly begin?: Promise<void>;
  /** Where the children's log lines go; stderr when stdout carries a JSON document. */
  readonly logsTo?: "stdout" | "stderr";
  /** Shorter in tests. */
  readonly restartDelays?: DelayTable;
  readonly stopWithinMs?: number;
}

export interface Supervisor {
  /** Every process has reported that it is ready. */
  readonly ready: Promise<void>;
  /** Rejects with `ProcessFailed` when one cannot start; otherwise resolves after `stop`. */
  readonly ended: Promise<void>;
  /** The running children's process ids. */
  pids(): readonly number[];
  /**
   * Starts a successor of each process, one after the other, and ends the old one when the
   * successor is ready. Rejects with `ProcessFailed` when a successor does not start; the old ones
   * run on.
   */
  replace(): Promise<void>;
  /** Sends SIGTERM to all, and SIGKILL to those that still run after `stopWithinMs`. */
  stop(): Promise<void>;
}

const defaultStopWithinMs = 10_000;

/**
 * Starts the processes and restarts those that end, until `stop`. Each has a channel to this
 * process and ends when it closes, so that no child outlives this process, however this one ends.
 */
export function runProcesses(options: SupervisorOptions): Supervisor {
  const stopping = new AbortController();
  const children = new Map<ChildProcess, string>();
  const slots = options.processes.map((one): Slot => {
    const { promise, resolve } = Promise.withResolvers<void>();
    return { one, ready: promise, onReady: resolve, successor: Promise.withResolvers() };
  });
  const supervision = { options, children, signal: stopping.signal };
  const ended = Promise.all(slots.map((slot) => supervise(slot, supervision))).then(
    () => undefined,
  );
  // Callers await `ended` as well; this prevents an unhandled rejection before they do.
  ended.catch(() => undefined);
  return {
    ready: Promise.all(slots.map(({ ready }) => ready)).then(() => undefined),
    ended,
    pids: () => [...children.keys()].flatMap((child) => child.pid ?? []),
    async replace() {
      for (const slot of slots) await startSuccessor(slot, supervision);
    },
    async stop() {
      stopping.abort();
      await Promise.all([...children].map(([child, name]) => stopChild(name, child, options)));
      await ended.catch(() => undefined);
    },
  };
}

/** The slot of one process, which successive children fill. */
interface Slot {
  readonly one: ChildCommand;
  readonly ready: Promise<void>;
  readonly onReady: () => void;
  /** Resolves with a ready child that takes the place; replaced when it has. */
  successor: PromiseWithResolvers<Started>;
}

interface Supervision {
  readonly options: SupervisorOptions;
  /** All running children and their names, also those that have been replaced. */
  readonly children: Map<ChildProcess, string>;
  readonly signal: AbortSignal;
}

interface Started {
  readonly child: ChildProcess;
  readonly ended: Promise<End>;
  readonly ready: Promise<void>;
}

async function supervise(slot: Slot, supervision: Supervision): Promise<void> {
  const { options, signal } = supervision;
  const { one } = slot;
  let wasReady = false;
  const delays = createRestartDelays(options.restartDelays);
  let successor: Started | null = null;
  while (!signal.aborted) {
    const current: Started = successor ?? start(one, supervision);
    void current.ready.then(() => {
      wasReady = true;
      delays.ready();
      slot.onReady();
    });
    successor = null;
    const next = await Promise.race([current.ended, slot.successor.promise]);
    if ("child" in next) {
      slot.successor = Promise.withResolvers();
      retire(one.name, current, supervision);
      successor = next;
      continue;
    }
    if (signal.aborted) return;
    if (!wasReady) throw new ProcessFailed(one.name, next.how, next.code);
    const restartInMs = delays.ended();
    const pid = current.child.pid ?? 0;
    options.onEvent({ kind: "ended", name: one.name, pid, how: next.how, restartInMs });
    await pause(restartInMs, signal);
  }
}

/** Offers a ready child to the slot. */
async function startSuccessor(slot: Slot, supervision: Supervision): Promise<void> {
  if (supervision.signal.aborted) return;
  const started = start(slot.one, supervision);
  const end = await Promise.race([started.ready, started.ended]);
  if (supervision.signal.aborted) return;
  if (end !== undefined) throw new ProcessFailed(slot.one.name, end.how, end.code);
  slot.successor.resolve(started);
}

/** Ends a child whose work another has taken over; nobody waits for it. */
function retire(name: string, { child, ended }: Started, { options }: Supervision): void {
  const pid = child.pid ?? 0;
  options.onEvent({ kind: "replaced", name, pid });
  void stopChild(name, child, options);
  void ended.then(() => options.onEvent({ kind: "left", name, pid }));
}

function start(one: ChildCommand, { options, children }: Supervision): Started {
  const { name } = one;
  const child = spawnChild(one, options);
  const { promise: ready, resolve } = Promise.withResolvers<void>();
  children.set(child, name);
  sendBegin(child, options.begin);
  const sender: Sender = {
    name,
    pid: child.pid ?? 0,
    reply: (message, handle) => {
      // A child that has ended needs no reply.
      if (child.connected) child.send(message, handle, () => undefined);
    },
  };
  child.on("message", (message, handle) => {
    if (!hasType(message, readyMessage.type)) {
      options.onMessage?.(sender, message, handle);
      return;
    }
    resolve();
    options.onEvent({ kind: "ready", name });
  });
  const ended = waitForEnd(child).then((end) => {
    children.delete(child);
    return end;
  });
  return { child, ended, ready };
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
    stdio: ["ignore", logs, process.stderr, "ipc", ...(one.descriptors ?? [])],
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

function waitForEnd(child: ChildProcess): Promise<End> {
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
  const exited = waitForEnd(child);
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
