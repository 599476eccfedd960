/**
 * The result of `work`, or the signal's reason as a rejection if the signal aborts first, or has
 * aborted already. Only the wait ends: `work` continues, and what it comes to after that is
 * ignored, also when it fails. Leaves no listener on the signal once `work` has settled or the
 * signal has aborted.
 */
export function unlessAborted<T>(signal: AbortSignal, work: Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    race(signal, work, { onAbort: () => reject(signal.reason), resolve, reject });
  });
}

/**
 * As `unlessAborted`, but an abort resolves, with `fallback`. A failure before that is passed on.
 */
export function orElse<T>(signal: AbortSignal, work: Promise<T>, fallback: T): Promise<T> {
  return new Promise((resolve, reject) => {
    race(signal, work, { onAbort: () => resolve(fallback), resolve, reject });
  });
}

interface Outcome<T> {
  readonly onAbort: () => void;
  readonly resolve: (value: T) => void;
  readonly reject: (error: unknown) => void;
}

/** Calls what comes first; later calls have no effect on a promise that is settled. */
function race<T>(
  signal: AbortSignal,
  work: Promise<T>,
  { onAbort, resolve, reject }: Outcome<T>,
): void {
  if (signal.aborted) onAbort();
  else signal.addEventListener("abort", onAbort, { once: true });
  const stop = (): void => signal.removeEventListener("abort", onAbort);
  work.then(
    (value) => {
      stop();
      resolve(value);
    },
    (error: unknown) => {
      stop();
      reject(error);
    },
  );
}
