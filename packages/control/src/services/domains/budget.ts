/**
 * Runs with a signal that ends with the caller's or after `budgetMs`, and in any case when `run` is
 * through, so that nothing it started goes on.
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
    budget.abort(new Error("the look is over"));
  }
}

/**
 * The work's result, or `fallback` from the moment the signal ends, whether or not the work has
 * noticed. A failure of its own is passed on.
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
