/**
 * Joins lookups that arrive while a query is in flight into the next round trip. Each answer comes
 * from a query that was sent after the lookup began, so it is as fresh as a query of its own: this
 * is not a cache, and a key revoked before the lookup is never found.
 */
export interface Loader<K, V> {
  load(key: K): Promise<V | null>;
}

/**
 * A lookup that has waited this long when a round fails would not find a free connection either.
 */
const overdueAfterMs = 500;

interface Waiting<V> {
  readonly since: number;
  readonly resolve: (value: V | null) => void;
  readonly reject: (error: unknown) => void;
}

type Round<K, V> = Map<string, { readonly key: K; readonly waiting: Waiting<V>[] }>;

function waitingOf<K, V>(round: Round<K, V>): Waiting<V>[] {
  return [...round.values()].flatMap((entry) => entry.waiting);
}

/** Removes and returns the lookups that have waited since before the given time. */
function takeOverdue<K, V>(queue: Round<K, V>, before: number): Waiting<V>[] {
  const overdue: Waiting<V>[] = [];
  for (const [id, { key, waiting }] of queue) {
    const remaining = waiting.filter((one) => one.since > before);
    overdue.push(...waiting.filter((one) => one.since <= before));
    if (remaining.length === 0) queue.delete(id);
    else queue.set(id, { key, waiting: remaining });
  }
  return overdue;
}

function settle<K, V>(round: Round<K, V>, found: ReadonlyMap<string, V>): void {
  for (const [id, entry] of round) {
    for (const one of entry.waiting) one.resolve(found.get(id) ?? null);
  }
}

export function createLoader<K, V>(options: {
  /** May answer in any order; keys that are missing are not found. */
  readonly fetch: (keys: readonly K[]) => Promise<Iterable<readonly [string, V]>>;
  readonly identify: (key: K) => string;
  readonly maxKeys?: number;
  readonly maxInFlight?: number;
}): Loader<K, V> {
  const maxKeys = options.maxKeys ?? 256;
  const maxInFlight = options.maxInFlight ?? 2;
  let queue: Round<K, V> = new Map();
  let inFlight = 0;

  const takeRound = (): Round<K, V> => {
    const round = new Map([...queue].slice(0, maxKeys));
    queue = new Map([...queue].slice(maxKeys));
    return round;
  };

  const run = async (): Promise<void> => {
    inFlight += 1;
    const round = takeRound();
    const keys = [...round.values()].map((entry) => entry.key);
    try {
      settle(round, new Map(await options.fetch(keys)));
    } catch (error) {
      for (const one of waitingOf(round)) one.reject(error);
      // Otherwise each round would wait for its own timeout, and the last one for all of them.
      for (const one of takeOverdue(queue, performance.now() - overdueAfterMs)) one.reject(error);
    } finally {
      inFlight -= 1;
      if (queue.size > 0) schedule();
    }
  };

  // setImmediate lets every request of this tick of the event loop join the same round.
  let scheduled = false;
  const schedule = (): void => {
    if (scheduled || inFlight >= maxInFlight) return;
    scheduled = true;
    setImmediate(() => {
      scheduled = false;
      void run();
    });
  };

  return {
    load: (key) =>
      new Promise((resolve, reject) => {
        const id = options.identify(key);
        const entry = queue.get(id);
        const waiting = { since: performance.now(), resolve, reject };
        if (entry) entry.waiting.push(waiting);
        else queue.set(id, { key, waiting: [waiting] });
        schedule();
      }),
  };
}
