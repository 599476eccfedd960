import type { Log } from "../log.ts";

export interface Turns {
  /** No further one is begun; resolves when the one under way has ended. */
  stop(): Promise<void>;
}

/** Does something now and again and again, never twice at a time. What fails is done at the next. */
export function startTurns(everyMs: number, work: () => Promise<void>, log: Log): Turns {
  let running: Promise<void> | null = null;
  const turn = (): void => {
    running ??= work()
      .catch((error: unknown) => log.warn({ err: error }, "not done this time"))
      .finally(() => {
        running = null;
      });
  };
  const timer = setInterval(turn, everyMs);
  turn();
  return {
    async stop() {
      clearInterval(timer);
      await running;
    },
  };
}
