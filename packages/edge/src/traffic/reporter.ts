import { hostname } from "node:os";
import { setTimeout as delay } from "node:timers/promises";
import { type Clock, repeatEvery } from "@mooring/postgres";
import type { Log } from "../config/settings.ts";
import type { TrafficFeed } from "../feed/feed.ts";
import { encodeMinute, type TrafficSource } from "./batch.ts";
import { clearMinute, MinuteCounter, type TrafficCounts } from "./counts.ts";
import { Outbox } from "./outbox.ts";

/** Sends what this process counts, one batch a minute. */
export interface TrafficReporter {
  readonly counts: TrafficCounts;
  /** Batches that wait, and that were dropped because too many did. */
  readonly waiting: () => number;
  readonly dropped: () => number;
  /** Sends what waits and the minute that has begun; gives up after a few tries. */
  stop(): Promise<void>;
}

const usualTickMs = 1_000;
/** Minutes of a process that stood still: it served nobody, and says so. */
const maxSkipped = 60;

/** A connection may break just then; who stops the process waits for it. */
const lastAttempts = 3;
const lastPauseMs = 100;

/**
 * A minute ends by the feed's clock and is sent at once; without the feed it waits in memory and is
 * sent again, for the receiver merges each batch once. A killed process loses the minute that it
 * counts, and those that wait.
 */
export function startTrafficReporter(parts: {
  readonly feed: TrafficFeed;
  readonly clock: Clock;
  readonly log: Log;
  readonly process: string;
  readonly edge?: string;
  readonly tickMs?: number;
}): TrafficReporter {
  const { feed, clock, log } = parts;
  const counter = new MinuteCounter();
  const outbox = new Outbox();
  const source: TrafficSource = {
    process: parts.process,
    edge: parts.edge ?? hostname(),
    startedAt: clock.now(),
  };
  const readMinute = (): number => Math.floor(clock.now().getTime() / 60_000);
  let minute = readMinute();

  const end = async (isLast: boolean): Promise<void> => {
    const ended = counter.next();
    outbox.add(await encodeMinute(ended, source, { at: minute, isLast }));
    clearMinute(ended);
  };
  const tick = async (): Promise<void> => {
    // A clock that was set back does not end a minute twice.
    const now = readMinute();
    while (minute < now) {
      await end(false);
      minute = Math.max(minute + 1, now - maxSkipped);
    }
    await outbox.send(feed.report);
  };
  const onError = (error: unknown): void =>
    log.debug({ err: error, waiting: outbox.size }, "traffic not reported");
  const loop = repeatEvery(parts.tickMs ?? usualTickMs, tick, { onError });
  return {
    counts: counter,
    waiting: () => outbox.size,
    dropped: () => outbox.dropped,
    async stop() {
      await loop.stop();
      await end(true);
      for (let attempt = 1; attempt <= lastAttempts && outbox.size > 0; attempt += 1) {
        if (attempt > 1) await delay(lastPauseMs);
        await outbox.send(feed.report).catch(onError);
      }
      if (outbox.size > 0) log.warn({ waiting: outbox.size }, "traffic counts lost");
    },
  };
}
