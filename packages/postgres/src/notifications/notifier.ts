import type pg from "pg";

/**
 * Sends notifications that are hints: the part that needs them also polls, so that a lost one costs
 * a second.
 */
export interface Notifier {
  /** At once, or together with others that are sent shortly after. Never throws. */
  notify(channel: string, payload: string): void;
  /** Waits for what is being sent; what is not yet sent is dropped. */
  close(): Promise<void>;
}

/** NOTIFY holds a lock of the whole server at its commit and wakes every listener. */
const defaultPauseMs = 50;

/**
 * Notifies outside of the transactions that have something to tell: at most one statement per
 * `pauseMs` for a process, with each payload once. The first of a quiet time is sent at once.
 */
export function createNotifier(options: {
  readonly pool: Pick<pg.Pool, "query">;
  readonly onError: (error: unknown) => void;
  readonly pauseMs?: number;
}): Notifier {
  const { pool, onError, pauseMs = defaultPauseMs } = options;
  const pending = new Map<string, readonly [channel: string, payload: string]>();
  let sending: Promise<void> | null = null;
  let timer: NodeJS.Timeout | null = null;
  let isClosed = false;

  const send = async (): Promise<void> => {
    const batch = [...pending.values()];
    pending.clear();
    await pool.query({
      name: "notify",
      text: "select pg_notify(n.channel, n.payload) from unnest($1::text[], $2::text[]) as n (channel, payload)",
      values: [batch.map(([channel]) => channel), batch.map(([, payload]) => payload)],
    });
  };

  const sendSoon = (): void => {
    if (isClosed || timer !== null || pending.size === 0) return;
    timer = setTimeout(() => {
      timer = null;
      sendSoon();
    }, pauseMs);
    timer.unref();
    sending = (sending ?? Promise.resolve()).then(send).catch(onError);
  };

  return {
    notify(channel, payload) {
      if (isClosed) return;
      pending.set(`${channel} ${payload}`, [channel, payload]);
      sendSoon();
    },
    async close() {
      isClosed = true;
      if (timer) clearTimeout(timer);
      await sending;
    },
  };
}
