/** How many rows a loop works on at the same time. */
export interface SlotLimits {
  /** Rows that started less than a second ago. */
  readonly concurrency: number;
  /**
   * Rows in all; `concurrency` when absent. A row that runs for longer than a second mostly waits
   * for a remote server and costs little here, so it gives its slot to another row: many slow rows
   * must not hold up the others.
   */
  readonly maxConcurrency?: number;
}

export interface Slots {
  /** How many more rows may start now. */
  free(): number;
  take(): Slot;
}

/** What one running row occupies. */
export interface Slot {
  /** The row has run for longer than a second: it no longer counts against `concurrency`. */
  isSlow(): boolean;
  release(): void;
}

const slowAfterMs = 1_000;

/** `onFreed` is called when a row turned out to be slow and so freed its slot. */
export function createSlots(
  { concurrency, maxConcurrency = 0 }: SlotLimits,
  onFreed: () => void,
): Slots {
  let [recent, slow] = [0, 0];
  const most = Math.max(concurrency, maxConcurrency);
  return {
    free: () => Math.min(concurrency - recent, most - recent - slow),
    take() {
      let isSlow = false;
      recent += 1;
      const timer = setTimeout(() => {
        isSlow = true;
        recent -= 1;
        slow += 1;
        onFreed();
      }, slowAfterMs);
      return {
        isSlow: () => isSlow,
        release() {
          clearTimeout(timer);
          if (isSlow) slow -= 1;
          else recent -= 1;
        },
      };
    },
  };
}
