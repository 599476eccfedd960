import type pg from "pg";

/** Every decision takes its time from here, never from `now()` in a statement or `Date` in code. */
export interface Clock {
  now(): Date;
}

export interface DatabaseClock extends Clock {
  stop(): void;
}

interface ClockOptions {
  readonly mayStartWithoutDatabase?: boolean;
  /** Gets an error at every measurement while the database's clock is set wrong. */
  readonly log?: { error(details: object, message: string): void };
}

const measureEveryMs = 60_000;
/**
 * The local clock and the monotonic one differ by more: the local one was set, or the machine
 * slept.
 */
const jumpMs = 1_000;

/**
 * A database that is this far from its own time before and from the local clock has been set wrong.
 * Following it would end certificates and claims, and remove what is retained for months.
 */
const implausibleMs = 86_400_000;

/** One moment in three clocks. */
interface Moment {
  readonly databaseMs: number;
  readonly monotonicMs: number;
  readonly localMs: number;
}

/**
 * The database's time, so that processes on machines with different clocks agree: measured at
 * start, every minute and when the local clock jumps, and continued by the monotonic clock, which
 * nobody sets. A measurement that fails, or that is a day from both other clocks, leaves the last
 * one in force. When the first one fails, the clock rejects, or starts with the local time if
 * `mayStartWithoutDatabase` is set.
 */
export async function startDatabaseClock(
  pool: Pick<pg.Pool, "query">,
  options: ClockOptions = {},
): Promise<DatabaseClock> {
  let last = localMoment();
  let isFirst = true;
  const measure = async (): Promise<void> => {
    const before = performance.now();
    const { rows } = await pool.query<{ ms: string }>(
      "select extract(epoch from clock_timestamp()) * 1000 as ms",
    );
    const roundTripMs = performance.now() - before;
    const { localMs, monotonicMs } = localMoment();
    const databaseMs = Number(rows[0]?.ms ?? localMs) + roundTripMs / 2;
    const aheadMs = databaseMs - last.databaseMs - (monotonicMs - last.monotonicMs);
    const nearestMs = Math.min(Math.abs(aheadMs), Math.abs(databaseMs - localMs));
    if (!isFirst && nearestMs > implausibleMs) {
      options.log?.error({ aheadMs }, "the database's clock was set wrong, and is not followed");
      return;
    }
    isFirst = false;
    last = { databaseMs, monotonicMs, localMs };
  };
  const ignore = (): void => undefined;
  await (options.mayStartWithoutDatabase ? measure().catch(ignore) : measure());
  const timer = setInterval(() => void measure().catch(ignore), measureEveryMs);
  timer.unref();
  return {
    now: () => {
      const elapsedMs = performance.now() - last.monotonicMs;
      const jumpedMs = Date.now() - last.localMs - elapsedMs;
      if (Math.abs(jumpedMs) > jumpMs) {
        last = { ...last, localMs: last.localMs + jumpedMs };
        void measure().catch(ignore);
      }
      return new Date(Math.round(last.databaseMs + elapsedMs));
    },
    stop: () => clearInterval(timer),
  };
}

function localMoment(): Moment {
  const localMs = Date.now();
  return { databaseMs: localMs, monotonicMs: performance.now(), localMs };
}
