import type { Failed } from "./resolver.ts";

/**
 * Runs with a signal that ends with the caller's or with the budget; only the latter is an answer of
 * its own. One listener on the caller's signal, taken off again: a signal joined by AbortSignal.any
 * costs several times as much and is left for the garbage collector to take off.
 */
export async function withinBudget<T>(
  budgetMs: number,
  signal: AbortSignal,
  run: (signal: AbortSignal) => Promise<T>,
): Promise<T | Failed> {
  signal.throwIfAborted();
  const inner = new AbortController();
  let isSpent = false;
  const onAbort = () => inner.abort(signal.reason);
  const timer = setTimeout(() => {
    isSpent = true;
    inner.abort(new Error("the call's time budget is spent"));
  }, budgetMs);
  signal.addEventListener("abort", onAbort, { once: true });
  try {
    return await run(inner.signal);
  } catch (error) {
    if (isSpent && error === inner.signal.reason) return { outcome: "failed", reason: "timeout" };
    throw error;
  } finally {
    clearTimeout(timer);
    signal.removeEventListener("abort", onAbort);
  }
}
