import type pg from "pg";
import type { Clock } from "../config/settings.ts";

const everyMs = 60_000;

/** The database's time as an offset to ours, measured each minute; kept while the database is away. */
export async function startClock(pool: pg.Pool): Promise<Clock & { stop(): void }> {
  let offsetMs = 0;
  const measure = async (): Promise<void> => {
    const before = Date.now();
    const { rows } = await pool.query<{ ms: string }>(
      "select extract(epoch from clock_timestamp()) * 1000 as ms",
    );
    offsetMs = Number(rows[0]?.ms) - (before + Date.now()) / 2;
  };
  // An edge starts also while the database is away, on what it has kept.
  await measure().catch(() => undefined);
  const timer = setInterval(() => void measure().catch(() => undefined), everyMs);
  timer.unref();
  return {
    now: () => new Date(Math.round(Date.now() + offsetMs)),
    stop: () => clearInterval(timer),
  };
}
