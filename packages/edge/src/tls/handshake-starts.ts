/** Starts the work at once, or some ticks of the event loop later. */
export type HandshakeStarts = (work: () => void) => void;

/** A request takes some: it is read, sent to its origin, and answered. */
const ticksApart = 4;

/**
 * One handshake in some ticks of the event loop: a signature takes most of a millisecond, and many
 * visitors who come at once would keep the requests of all others waiting for theirs.
 */
export function createHandshakeStarts(): HandshakeStarts {
  const waiting = new Set<() => void>();
  /** Until the next one may start; 0 when it may. */
  let ticksLeft = 0;

  function start(work: () => void): void {
    ticksLeft = ticksApart;
    setImmediate(tick);
    work();
  }

  function tick(): void {
    ticksLeft -= 1;
    if (ticksLeft > 0) {
      setImmediate(tick);
      return;
    }
    const [work] = waiting;
    if (work === undefined) return;
    waiting.delete(work);
    start(work);
  }

  return (work) => {
    if (ticksLeft > 0) waiting.add(work);
    else start(work);
  };
}
