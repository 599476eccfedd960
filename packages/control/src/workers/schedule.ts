import type { Logger } from "../process/log.ts";

/** What runs by the clock. Every process runs it; each job is safe to run twice. */
export interface ScheduledJob {
  readonly name: string;
  readonly everyMs: number;
  readonly run: () => Promise<unknown>;
}

export function startSchedule(jobs: readonly ScheduledJob[], log: Logger): { stop(): void } {
  const timers = jobs.map((job) => {
    const timer = setInterval(() => {
      job
        .run()
        .catch((error: unknown) => log.warn({ err: error, job: job.name }, "scheduled job failed"));
    }, job.everyMs);
    timer.unref();
    return timer;
  });
  return {
    stop() {
      for (const timer of timers) clearInterval(timer);
    },
  };
}
