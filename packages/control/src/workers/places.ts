/** Room for rows that are being worked on. */
export interface Places {
  /** How many more may begin now. */
  free(): number;
  /** Takes a place; the answer gives it back. */
  take(): () => void;
}

export interface Room {
  /** Rows at once, of those that have just begun. */
  readonly concurrency: number;
  /**
   * Rows at once in all. What takes longer than a moment mostly waits for somebody far away and costs
   * little here; it makes room for others, so that many slow ones do not hold up the rest.
   */
  readonly mostAtOnce?: number;
}

const momentMs = 1_000;

/** `onRoom` is called when a row turned out to be a slow one and so made room. */
export function createPlaces({ concurrency, mostAtOnce = 0 }: Room, onRoom: () => void): Places {
  let [fresh, slow] = [0, 0];
  const most = Math.max(concurrency, mostAtOnce);
  return {
    free: () => Math.min(concurrency - fresh, most - fresh - slow),
    take() {
      let isSlow = false;
      fresh += 1;
      const moment = setTimeout(() => {
        isSlow = true;
        fresh -= 1;
        slow += 1;
        onRoom();
      }, momentMs);
      return () => {
        clearTimeout(moment);
        if (isSlow) slow -= 1;
        else fresh -= 1;
      };
    },
  };
}
