import type { Failed } from "../resolve/resolver.ts";

interface InFlight<T> {
  readonly result: Promise<T>;
  readonly abort: AbortController;
  waiters: number;
}

/**
 * Callers with the same key share one run while it is in flight; nothing is cached afterwards. An
 * aborted caller rejects at once with its own reason; the run is aborted when its last caller is.
 */
export function createCoalescer<T>(): (
  key: string,
  signal: AbortSignal,
  run: (signal: AbortSignal) => Promise<T>,
) => Promise<T> {
  const inFlight = new Map<string, InFlight<T>>();
  return (key, signal, run) => {
    if (signal.aborted) return Promise.reject(signal.reason);
    return joinRun(inFlight, key, inFlight.get(key) ?? startRun(inFlight, key, run), signal);
  };
}

function startRun<T>(
  inFlight: Map<string, InFlight<T>>,
  key: string,
  run: (signal: AbortSignal) => Promise<T>,
): InFlight<T> {
  const abort = new AbortController();
  const started: InFlight<T> = { result: run(abort.signal), abort, waiters: 0 };
  inFlight.set(key, started);
  return started;
}

function joinRun<T>(
  inFlight: Map<string, InFlight<T>>,
  key: string,
  joined: InFlight<T>,
  signal: AbortSignal,
): Promise<T> {
  joined.waiters += 1;
  return new Promise<T>((resolve, reject) => {
    const leave = () => {
      signal.removeEventListener("abort", onAbort);
      joined.waiters -= 1;
      if (inFlight.get(key) === joined && joined.waiters === 0) inFlight.delete(key);
    };
    const onAbort = () => {
      leave();
      if (joined.waiters === 0) joined.abort.abort(signal.reason);
      reject(signal.reason);
    };
    signal.addEventListener("abort", onAbort, { once: true });
    joined.result.then(
      (value) => {
        if (signal.aborted) return;
        leave();
        inFlight.delete(key);
        resolve(value);
      },
      (error: unknown) => {
        if (signal.aborted) return;
        leave();
        inFlight.delete(key);
        reject(error);
      },
    );
  });
}

/** Calls that start within this share of the budget have one deadline, that of the first. */
const sharedDeadlineShare = 1 / 200;

/** The deadline of calls that one caller started at almost the same time. */
interface Deadline {
  readonly budgetMs: number;
  readonly startedAtMs: number;
  readonly inner: AbortController;
  readonly dispose: () => void;
  calls: number;
  isExpired: boolean;
}

/** The newest deadline of each caller that has a call in flight. */
const deadlines = new WeakMap<AbortSignal, Deadline>();

/**
 * Runs with a signal that aborts with the caller's or when the time budget is spent; only the latter
 * returns a timeout. A caller may start thousands of queries at once: a controller, a timer and a
 * listener for each would cost as much as the queries, so they share one.
 */
export async function withinBudget<T>(
  budgetMs: number,
  signal: AbortSignal,
  run: (signal: AbortSignal) => Promise<T>,
): Promise<T | Failed> {
  signal.throwIfAborted();
  const deadline = joinDeadline(budgetMs, signal);
  try {
    return await run(deadline.inner.signal);
  } catch (error) {
    if (deadline.isExpired && error === deadline.inner.signal.reason) {
      return { outcome: "failed", reason: "timeout" };
    }
    throw error;
  } finally {
    deadline.calls -= 1;
    if (deadline.calls === 0) deadline.dispose();
  }
}

function joinDeadline(budgetMs: number, signal: AbortSignal): Deadline {
  const nowMs = performance.now();
  const known = deadlines.get(signal);
  const deadline =
    known !== undefined && isShared(known, budgetMs, nowMs)
      ? known
      : startDeadline(budgetMs, signal, nowMs);
  deadline.calls += 1;
  return deadline;
}

function isShared(deadline: Deadline, budgetMs: number, nowMs: number): boolean {
  const isRecent = nowMs - deadline.startedAtMs <= budgetMs * sharedDeadlineShare;
  return isRecent && deadline.budgetMs === budgetMs && !deadline.isExpired;
}

function startDeadline(budgetMs: number, signal: AbortSignal, startedAtMs: number): Deadline {
  const inner = new AbortController();
  const onAbort = () => inner.abort(signal.reason);
  const timer = setTimeout(() => {
    deadline.isExpired = true;
    inner.abort(new Error("the call's time budget is spent"));
  }, budgetMs);
  const dispose = () => {
    clearTimeout(timer);
    signal.removeEventListener("abort", onAbort);
    if (deadlines.get(signal) === deadline) deadlines.delete(signal);
  };
  const deadline: Deadline = { budgetMs, startedAtMs, inner, dispose, calls: 0, isExpired: false };
  signal.addEventListener("abort", onAbort, { once: true });
  deadlines.set(signal, deadline);
  return deadline;
}
