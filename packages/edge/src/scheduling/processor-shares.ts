/**
 * Shares the event loop among applications while they read responses of origins. In each tick an
 * application may use its share; then its connections wait, and some continue in each of the next
 * ticks, the one that has waited longest first. Alone, an application loses nothing: the next tick
 * follows at once. Beside others it delays them by its share, however many connections it has and
 * however much each read costs.
 */
export interface ProcessorShares {
  /**
   * Counts the time of one read. False when the application has used its share: the caller reads
   * nothing until `resume` is called.
   */
  spend(applicationId: string, ms: number, resume: () => void): boolean;
}

/** Of one tick, for all applications together; a visitor's request takes a handful of ticks. */
const tickMs = 4;
/** Below this the change from one connection to the next costs more than the work. */
const leastMs = 0.25;

interface Use {
  ms: number;
  reads: number;
  /** What a read of the last tick with one has cost. */
  eachMs: number;
  waiting: (() => void)[];
}

/** `nextTick` calls back in the next tick, after what is ready in this one. */
export function createProcessorShares(
  nextTick: (run: () => void) => void = setImmediate,
): ProcessorShares {
  const uses = new Map<string, Use>();
  let isScheduled = false;

  function share(): number {
    return Math.max(leastMs, tickMs / Math.max(1, uses.size));
  }

  function schedule(): void {
    if (isScheduled) return;
    isScheduled = true;
    nextTick(() => {
      isScheduled = false;
      beginTick();
    });
  }

  function beginTick(): void {
    const ready: (() => void)[] = [];
    for (const [applicationId, use] of uses) {
      if (use.waiting.length === 0) uses.delete(applicationId);
      else {
        if (use.reads > 0) use.eachMs = use.ms / use.reads;
        ready.push(...use.waiting.splice(0, Math.max(1, Math.floor(share() / use.eachMs))));
      }
      use.ms = 0;
      use.reads = 0;
    }
    if (uses.size > 0) schedule();
    for (const resume of ready) resume();
  }

  return {
    spend(applicationId, ms, resume) {
      const use = uses.get(applicationId) ?? { ms: 0, reads: 0, eachMs: ms, waiting: [] };
      uses.set(applicationId, use);
      use.ms += ms;
      use.reads += 1;
      schedule();
      if (use.ms < share()) return true;
      use.waiting.push(resume);
      return false;
    },
  };
}
