export interface OrderOptions {
  readonly signal: AbortSignal;
  /**
   * When nothing was answered by then, the result is null; by default as long as the questions
   * take.
   */
  readonly limitMs?: number;
}

/** A server that is silent this long is not waited for alone. */
const nextAfterMs = 300;

/**
 * The first answer that is not null. The servers are asked in order, the next one when one has no
 * answer or is slow; the questions that are left are aborted. Null when none has an answer.
 */
export async function askInOrder<Server, Answer>(
  servers: readonly Server[],
  ask: (server: Server, signal: AbortSignal) => Promise<Answer | null>,
  { signal, limitMs }: OrderOptions,
): Promise<Answer | null> {
  const over = new AbortController();
  const inner = AbortSignal.any([signal, over.signal]);
  const timers = new Set<NodeJS.Timeout>();
  const { promise, resolve, reject } = Promise.withResolvers<Answer | null>();
  const waiting = [...servers];
  let open = servers.length;
  const askNext = (): void => {
    const server = waiting.shift();
    if (server === undefined) return;
    if (waiting.length > 0) timers.add(setTimeout(askNext, nextAfterMs));
    ask(server, inner).then((answer) => {
      open -= 1;
      if (answer !== null || open === 0) resolve(answer);
      else askNext();
    }, reject);
  };
  if (limitMs !== undefined) timers.add(setTimeout(resolve, limitMs, null));
  if (open === 0) resolve(null);
  else askNext();
  try {
    return await promise;
  } finally {
    for (const timer of timers) clearTimeout(timer);
    over.abort(new Error("another server has answered"));
  }
}
