/**
 * Lets a few callers continue in each tick of the event loop, in the order in which they came: work
 * that becomes possible for many at the same moment then holds up nothing else for long.
 */
export function createPacer(perTick: number): () => Promise<void> {
  const waiting: (() => void)[] = [];

  function next(): void {
    for (const resume of waiting.splice(0, perTick)) resume();
    if (waiting.length > 0) setImmediate(next);
  }

  return () =>
    new Promise((resolve) => {
      waiting.push(resolve);
      if (waiting.length === 1) setImmediate(next);
    });
}
