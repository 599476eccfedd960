/**
 * Callers that arrive while the work is in flight share its result. It runs under the first caller's
 * signal; when that signal aborts, one of the waiting callers starts it again.
 */
export function singleFlight<T>(
  work: (signal: AbortSignal) => Promise<T>,
): (signal: AbortSignal) => Promise<T> {
  let running: { readonly outcome: Promise<T>; readonly leader: AbortSignal } | null = null;

  const join = (signal: AbortSignal) => {
    if (running !== null) return running;
    const mine = { outcome: work(signal), leader: signal };
    running = mine;
    const clear = () => {
      if (running === mine) running = null;
    };
    mine.outcome.then(clear, clear);
    return mine;
  };

  return async (signal) => {
    for (;;) {
      signal.throwIfAborted();
      const { outcome, leader } = join(signal);
      try {
        return await unlessAborted(outcome, signal);
      } catch (error) {
        if (signal.aborted || !leader.aborted) throw error;
      }
    }
  };
}

function unlessAborted<T>(outcome: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const stop = () => reject(signal.reason);
    signal.addEventListener("abort", stop, { once: true });
    outcome.then(resolve, reject).finally(() => signal.removeEventListener("abort", stop));
  });
}
