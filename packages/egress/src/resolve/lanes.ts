/** Runs work with at most so many at once per owner; the rest waits in the owner's own queue. */
export interface Lanes {
  /** Resolves with the function that frees the slot; null when the owner's queue is full. */
  enter(owner: string): Promise<() => void> | null;
}

interface Lane {
  running: number;
  readonly waiting: (() => void)[];
}

export function createLanes(limits: {
  readonly running: (owner: string) => number;
  readonly waiting: number;
}): Lanes {
  const lanes = new Map<string, Lane>();

  function leave(owner: string, lane: Lane): void {
    lane.running -= 1;
    const next = lane.waiting.shift();
    if (next !== undefined) next();
    else if (lane.running === 0) lanes.delete(owner);
  }

  return {
    enter(owner) {
      const lane = lanes.get(owner) ?? { running: 0, waiting: [] };
      lanes.set(owner, lane);
      const start = (): (() => void) => {
        lane.running += 1;
        return () => leave(owner, lane);
      };
      if (lane.running < limits.running(owner)) return Promise.resolve(start());
      if (lane.waiting.length >= limits.waiting) return null;
      return new Promise((resolve) => {
        lane.waiting.push(() => resolve(start()));
      });
    },
  };
}
