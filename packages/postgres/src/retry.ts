/** Runs that fail because of the row: so many, then the row is parked. */
export const maxFailures = 5;

const firstMs = 15_000;
const growth = 4;
const jitter = 0.2;

/**
 * How long a row waits after its run failed for the `failures`th time in a row because of the row
 * itself: 15 s, 1 min, 4 min, 16 min, each ±20 %, so that rows that failed together are not retried
 * together. Also with 0, when the fault was elsewhere.
 */
export function retryMs(failures: number, random: () => number = Math.random): number {
  const ms = firstMs * growth ** Math.max(0, Math.min(failures, maxFailures) - 1);
  return Math.round(ms * (1 - jitter + 2 * jitter * random()));
}

/** What the last runs of a loop came to. */
export interface RunRecord {
  note(id: string, hasFailed: boolean): void;
  /**
   * Many different rows fail: the fault is in this process or its surroundings, and parking would
   * take the work of every tenant out of service.
   */
  isWidespread(): boolean;
}

const remembered = 64;
const manyRows = 8;

export function createRunRecord(): RunRecord {
  const runs: { readonly id: string; readonly hasFailed: boolean }[] = [];
  return {
    note(id, hasFailed) {
      runs.push({ id, hasFailed });
      if (runs.length > remembered) runs.shift();
    },
    isWidespread() {
      const failed = runs.filter((run) => run.hasFailed);
      const rows = new Set(failed.map(({ id }) => id)).size;
      return rows >= manyRows && failed.length * 2 > runs.length;
    },
  };
}
