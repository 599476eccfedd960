/**
 * Calls `run` with a signal that aborts with the caller's signal, after `budgetMs`, or when `run`
 * has settled, so that nothing it started continues.
 */
export async function withBudget<T>(
  budgetMs: number,
  signal: AbortSignal,
  run: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const budget = new AbortController();
  const spent = () => budget.abort(new DOMException("the time budget is spent", "TimeoutError"));
  const timer = setTimeout(spent, budgetMs);
  try {
    return await run(AbortSignal.any([signal, budget.signal]));
  } finally {
    clearTimeout(timer);
    budget.abort(new Error("the work has ended"));
  }
}
