import type pg from "pg";

/** Every decision takes its time from here, never from `now()` in a statement or `Date` in code. */
export interface Clock {
  now(): Date;
}

export interface DatabaseClock extends Clock {
  stop(): void;
}

const measureEveryMs = 60_000;

/**
 * The database's time, so that processes on machines with different clocks agree: an offset to the
 * local clock, measured at start and every minute. A measurement that fails leaves the last offset
 * in force. When the first one fails, the clock rejects, or starts with the local time if
 * `mayStartWithoutDatabase` is set.
 */
export async function startDatabaseClock(
  pool: Pick<pg.Pool, "query">,
  options: { readonly mayStartWithoutDatabase?: boolean } = {},
): Promise<DatabaseClock> {
  let offsetMs = 0;
  const measure = async (): Promise<void> => {
    const before = Date.now();
    const { rows } = await pool.query<{ ms: string }>(
      "select extract(epoch from clock_timestamp()) * 1000 as ms",
    );
    const after = Date.now();
    offsetMs = Number(rows[0]?.ms ?? after) - (before + after) / 2;
  };
  const ignore = (): void => undefined;
  await (options.mayStartWithoutDatabase ? measure().catch(ignore) : measure());
  const timer = setInterval(() => void measure().catch(ignore), measureEveryMs);
  timer.unref();
  return {
    now: () => new Date(Math.round(Date.now() + offsetMs)),
    stop: () => clearInterval(timer),
  };
}
