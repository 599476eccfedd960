import { setTimeout as delay } from "node:timers/promises";
import { readConfig, startWorker } from "../packages/control/src/index.ts";
import { type BenchDatabase, openBenchDatabase } from "./support/bench-database.ts";
import { instantResolver } from "./support/instant-resolver.ts";
import { line, ms, perSecond } from "./support/report.ts";

const sizes = [1_000, 10_000, 100_000];
/** Timed checks at each size; the rest of the table only makes it larger. */
const timed = 5_000;
const warmUp = 200;

/** Checks of live domains a second by one worker, on tables of growing size. */
export async function benchRecheck(only: number | null): Promise<void> {
  const database = await openBenchDatabase();
  try {
    line("connections, all due", "checks", "ms a check");
    for (const size of only === null ? sizes : [only]) {
      await database.fill(size);
      const rate = await checksPerSecond(database, Math.min(size - warmUp, timed));
      line(size.toLocaleString("en"), perSecond(rate), ms(1_000 / rate));
    }
  } finally {
    await database.close();
  }
}

async function checksPerSecond(database: BenchDatabase, count: number): Promise<number> {
  const since = new Date();
  const worker = await startWorker(readConfig(database.env), { resolver: instantResolver });
  const checked = async (): Promise<number> => {
    const { rows } = await database.session.query<{ count: number }>(
      "select count(*)::int as count from connections where last_checked_at >= $1",
      [since],
    );
    return rows[0]?.count ?? 0;
  };
  try {
    const before = await reach(checked, warmUp);
    const startedAt = performance.now();
    const after = await reach(checked, before + count - warmUp);
    return ((after - before) * 1_000) / (performance.now() - startedAt);
  } finally {
    await worker.close();
  }
}

async function reach(checked: () => Promise<number>, count: number): Promise<number> {
  const deadline = performance.now() + 120_000;
  for (;;) {
    const now = await checked();
    if (now >= count) return now;
    if (performance.now() > deadline) throw new Error(`only ${now} of ${count} checks were made`);
    await delay(100);
  }
}
