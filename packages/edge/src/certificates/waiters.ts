/** Handshakes that wait for news of a name: told by a notification, else after a short while. */
export interface Waiters {
  /** Resolves at the next news, when the poll is due, or when the signal aborts. */
  next(hostname: string, signal: AbortSignal): Promise<void>;
  tell(hostname: string): void;
}

const pollMs = 250;

export function createWaiters(): Waiters {
  const waiting = new Map<string, Set<() => void>>();
  return {
    next: (hostname, signal) =>
      new Promise((resolve) => {
        const set = waiting.get(hostname) ?? new Set();
        waiting.set(hostname, set);
        const done = (): void => {
          clearTimeout(timer);
          signal.removeEventListener("abort", done);
          set.delete(done);
          if (set.size === 0) waiting.delete(hostname);
          resolve();
        };
        const timer = setTimeout(done, pollMs);
        signal.addEventListener("abort", done, { once: true });
        set.add(done);
      }),
    tell(hostname) {
      for (const done of [...(waiting.get(hostname) ?? [])]) done();
    },
  };
}
