/**
 * Lets a few callers go on in each turn of the event loop, in the order in which they came: work that
 * becomes possible for many at the same moment then holds up nothing else for long.
 */
export function createTurns(perTurn: number): () => Promise<void> {
  const waiting: (() => void)[] = [];

  function next(): void {
    for (const goOn of waiting.splice(0, perTurn)) goOn();
    if (waiting.length > 0) setImmediate(next);
  }

  return () =>
    new Promise((resolve) => {
      waiting.push(resolve);
      if (waiting.length === 1) setImmediate(next);
    });
}
