import type { Failed } from "./resolver.ts";

/** Calls that begin within this part of the budget end together, the later ones so much earlier. */
const SHARED_PART = 1 / 200;

/** What the calls of one caller have in common that began within moments of each other. */
interface Deadline {
  readonly budgetMs: number;
  readonly openedAtMs: number;
  readonly inner: AbortController;
  readonly dispose: () => void;
  calls: number;
  isSpent: boolean;
}

/** The newest of each caller, while a call has it. */
const DEADLINES = new WeakMap<AbortSignal, Deadline>();

/**
 * Runs with a signal that ends with the caller's or with the budget; only the latter is an answer of
 * its own. Thousands of questions begin in the same moment: a controller, a timer and a listener for
 * each would cost as much as the rest of asking, so that they share one.
 */
export async function withinBudget<T>(
  budgetMs: number,
  signal: AbortSignal,
  run: (signal: AbortSignal) => Promise<T>,
): Promise<T | Failed> {
  signal.throwIfAborted();
  const deadline = join(budgetMs, signal);
  try {
    return await run(deadline.inner.signal);
  } catch (error) {
    if (deadline.isSpent && error === deadline.inner.signal.reason) {
      return { outcome: "failed", reason: "timeout" };
    }
    throw error;
  } finally {
    deadline.calls -= 1;
    if (deadline.calls === 0) deadline.dispose();
  }
}

function join(budgetMs: number, signal: AbortSignal): Deadline {
  const nowMs = performance.now();
  const known = DEADLINES.get(signal);
  const deadline =
    known !== undefined && isShared(known, budgetMs, nowMs) ? known : open(budgetMs, signal, nowMs);
  deadline.calls += 1;
  return deadline;
}

function isShared(deadline: Deadline, budgetMs: number, nowMs: number): boolean {
  const isRecent = nowMs - deadline.openedAtMs <= budgetMs * SHARED_PART;
  return isRecent && deadline.budgetMs === budgetMs && !deadline.isSpent;
}

function open(budgetMs: number, signal: AbortSignal, openedAtMs: number): Deadline {
  const inner = new AbortController();
  const onAbort = () => inner.abort(signal.reason);
  const timer = setTimeout(() => {
    deadline.isSpent = true;
    inner.abort(new Error("the call's time budget is spent"));
  }, budgetMs);
  const dispose = () => {
    clearTimeout(timer);
    signal.removeEventListener("abort", onAbort);
    if (DEADLINES.get(signal) === deadline) DEADLINES.delete(signal);
  };
  const deadline: Deadline = { budgetMs, openedAtMs, inner, dispose, calls: 0, isSpent: false };
  signal.addEventListener("abort", onAbort, { once: true });
  DEADLINES.set(signal, deadline);
  return deadline;
}
