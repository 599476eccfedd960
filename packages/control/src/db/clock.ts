import type { Clock } from "../domain/clock.ts";
import type { Database } from "./engine/pool.ts";

/**
 * The database's time, so that processes on machines with different clocks agree: an offset to the
 * local clock, measured at start and every minute. A measurement that fails keeps the last offset.
 */
export interface DatabaseClock extends Clock {
  measure(): Promise<void>;
  close(): void;
}

const everyMs = 60_000;

export async function startDatabaseClock(database: Database): Promise<DatabaseClock> {
  let offsetMs = 0;
  const measure = async (): Promise<void> => {
    const before = Date.now();
    const { rows } = await database.pool.query<{ ms: string }>(
      "select extract(epoch from clock_timestamp()) * 1000 as ms",
    );
    const after = Date.now();
    offsetMs = Number(rows[0]?.ms ?? after) - (before + after) / 2;
  };
  await measure();
  const timer = setInterval(() => {
    measure().catch(() => undefined); // the database is away; its time is as good as it was
  }, everyMs);
  timer.unref();
  return {
    now: () => new Date(Math.round(Date.now() + offsetMs)),
    measure,
    close: () => clearInterval(timer),
  };
}
