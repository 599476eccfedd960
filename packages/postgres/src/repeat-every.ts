export interface Repeating {
  /** Starts no further run; resolves when the run in progress has ended. */
  stop(): Promise<void>;
}

/**
 * Runs `work` every `everyMs`, one at a time; a failed run is reported and waits for the next tick.
 * The first run is at once with `startNow`, else after one interval.
 */
export function repeatEvery(
  everyMs: number,
  work: () => Promise<unknown>,
  options: { readonly startNow?: boolean; readonly onError: (error: unknown) => void },
): Repeating {
  let running: Promise<void> | null = null;
  const tick = (): void => {
    running ??= work()
      .then(() => undefined, options.onError)
      .finally(() => {
        running = null;
      });
  };
  const timer = setInterval(tick, everyMs);
  timer.unref();
  if (options.startNow) tick();
  return {
    async stop() {
      clearInterval(timer);
      await running;
    },
  };
}
