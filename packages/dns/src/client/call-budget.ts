import type { Failed } from "../resolve/resolver.ts";

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
 * Runs with a signal that aborts with the caller's or when the time budget is spent; only the
 * latter returns a timeout. A caller may start thousands of queries at once: a controller, a timer
 * and a listener for each would cost as much as the queries, so they share one.
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
    inner.abort(new DOMException("the call's time budget is spent", "TimeoutError"));
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
