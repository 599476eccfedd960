/**
 * Calls `run` with a signal that aborts with the caller's signal, after `budgetMs`, or when `run` has
 * settled, so that nothing it started continues.
 */
export async function withBudget<T>(
  budgetMs: number,
  signal: AbortSignal,
  run: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const budget = new AbortController();
  const timer = setTimeout(() => budget.abort(new Error("the time budget is spent")), budgetMs);
  try {
    return await run(AbortSignal.any([signal, budget.signal]));
  } finally {
    clearTimeout(timer);
    budget.abort(new Error("the work has ended"));
  }
}

/**
 * The work's result, or `fallback` as soon as the signal aborts, whether or not the work has reacted
 * to it. A rejection before that is passed on.
 */
export function orElse<T>(signal: AbortSignal, work: Promise<T>, fallback: T): Promise<T> {
  return new Promise((resolve, reject) => {
    const giveUp = () => resolve(fallback);
    if (signal.aborted) giveUp();
    signal.addEventListener("abort", giveUp, { once: true });
    work
      .then(resolve, (error: unknown) => (signal.aborted ? giveUp() : reject(error)))
      .finally(() => signal.removeEventListener("abort", giveUp));
  });
}
