import { createRateTable, type RateLimit } from "./rate-table.ts";

/** The rate limits of one machine, as one of its processes asks for them. */
export interface RateLimiter {
  /**
   * Takes one request of the key, which is another one for another limit; 0, or the milliseconds
   * until there is one.
   */
  take(key: string, limit: RateLimit): number | Promise<number>;
}

/** For an edge of one process. */
export function createLocalLimiter(nowMs: () => number = () => performance.now()): RateLimiter {
  const table = createRateTable();
  return { take: (key, limit) => table.take(key, limit, nowMs()) };
}

/** The channel of a worker to the process that started it; `process` fits. */
interface RateChannel {
  /** False when the other process has ended. */
  readonly connected?: boolean;
  send?: ((message: object) => boolean) | undefined;
  on(event: "message", listener: (message: unknown) => void): unknown;
}

type Take = readonly [key: string, requests: number, perSeconds: number];

interface RateMessage {
  readonly type: "edge_rates";
  readonly id: number;
}
interface Question extends RateMessage {
  readonly takes: readonly Take[];
}
interface Answer extends RateMessage {
  readonly waits: readonly number[];
}

/** The process that starts the workers counts for all of them. */
export interface RateAllotter {
  /** True when the message was about rates. */
  receive(from: { readonly reply: (message: object) => void }, message: unknown): boolean;
}

export function createRateAllotter(nowMs: () => number = () => performance.now()): RateAllotter {
  const table = createRateTable();
  return {
    receive({ reply }, message) {
      if (!isQuestion(message)) return false;
      const { type, id, takes } = message;
      const now = nowMs();
      const waits = takes.map(([key, requests, perSeconds]) =>
        table.take(key, { requests, perSeconds }, now),
      );
      reply({ type, id, waits } satisfies Answer);
      return true;
    },
  };
}

/** The other process answers in less than a millisecond unless it is stuck. */
const answerMs = 500;
/** Requests that wait for an answer; more are counted here. */
const maxWaiting = 10_000;
/** Keys whose refusal is remembered. */
const maxRefused = 10_000;

interface Waiting {
  readonly takes: readonly Pending[];
  readonly timer: NodeJS.Timeout;
}
interface Pending {
  readonly key: string;
  readonly limit: RateLimit;
  readonly resolve: (wait: number) => void;
}

/**
 * The worker's side: what the requests of one pass of the event loop take is asked for by one
 * message. A key that was refused is refused here until its next request is due, so that a flood of
 * refused requests costs no message. Without an answer each of the `workers` counts its own share.
 */
export function createSharedLimiter(
  channel: RateChannel,
  workers: number,
  nowMs: () => number = () => performance.now(),
): RateLimiter {
  const own = createRateTable();
  const refusedUntil = new Map<string, number>();
  const waiting = new Map<number, Waiting>();
  let batch: Pending[] = [];
  let inFlight = 0;
  let nextId = 0;

  function takeOwn(key: string, { requests, perSeconds }: RateLimit): number {
    return own.take(key, { requests: Math.max(1, requests / workers), perSeconds }, nowMs());
  }

  function settle(id: number, waits: readonly number[] | null): void {
    const asked = waiting.get(id);
    if (asked === undefined) return;
    waiting.delete(id);
    clearTimeout(asked.timer);
    inFlight -= asked.takes.length;
    asked.takes.forEach(({ key, limit, resolve }, index) => {
      const wait = waits?.[index] ?? takeOwn(key, limit);
      if (wait > 0) rememberRefusal(key, nowMs() + wait);
      resolve(wait);
    });
  }

  function rememberRefusal(key: string, untilMs: number): void {
    if (refusedUntil.size >= maxRefused) refusedUntil.clear();
    refusedUntil.set(key, untilMs);
  }

  function flush(): void {
    const takes = batch;
    batch = [];
    const id = nextId;
    nextId += 1;
    waiting.set(id, { takes, timer: setTimeout(() => settle(id, null), answerMs) });
    const question: Question = {
      type: "edge_rates",
      id,
      takes: takes.map(({ key, limit }) => [key, limit.requests, limit.perSeconds]),
    };
    if (channel.connected === false) settle(id, null);
    else channel.send?.(question);
  }

  channel.on("message", (message) => {
    if (isAnswer(message)) settle(message.id, message.waits);
  });

  return {
    take(key, limit) {
      const left = (refusedUntil.get(key) ?? 0) - nowMs();
      if (left > 0) return Math.ceil(left);
      refusedUntil.delete(key);
      if (channel.connected === false || inFlight >= maxWaiting) return takeOwn(key, limit);
      inFlight += 1;
      return new Promise((resolve) => {
        if (batch.length === 0) setImmediate(flush);
        batch.push({ key, limit, resolve });
      });
    },
  };
}

function isRates(message: unknown): message is RateMessage {
  return (
    typeof message === "object" &&
    message !== null &&
    "type" in message &&
    message.type === "edge_rates"
  );
}

/** Only our own processes have the channel, and they send what is written here. */
function isQuestion(message: unknown): message is Question {
  return isRates(message) && "takes" in message;
}

function isAnswer(message: unknown): message is Answer {
  return isRates(message) && "waits" in message;
}
