/**
 * Runs `work` after all that was queued before it has settled; resolves or rejects as `work` does.
 */
export type SerialQueue = <T>(work: () => Promise<T>) => Promise<T>;

/**
 * One piece of work at a time, in the order of the calls. A failure belongs to its caller, who
 * handles it: the next piece starts all the same. Nothing is cancelled and the queue has no limit.
 * Work that waits for a later call to the same queue waits for ever.
 */
export function createSerialQueue(): SerialQueue {
  let last: Promise<unknown> = Promise.resolve();
  return (work) => {
    const mine = last.then(work);
    last = mine.catch(() => undefined); // the caller handles it
    return mine;
  };
}
