import { setTimeout as delay } from "node:timers/promises";
import { readConfig, startWorker } from "../packages/control/src/index.ts";
import { type BenchDatabase, openBenchDatabase } from "./support/bench-database.ts";
import { instantResolver } from "./support/instant-resolver.ts";
import { line, ms, perSecond } from "./support/report.ts";

const sizes = [1_000, 10_000, 100_000];
/** Timed checks at each size; the rest of the table only makes it larger. */
const timed = 5_000;
const warmUp = 200;

/**
 * Checks of live domains a second by one worker, on tables of growing size, and what each writes to
 * the log of the server (WAL): after a checkpoint, when the first change of a page writes the page,
 * and without such pages.
 */
export async function benchRecheck(only: number | null): Promise<void> {
  const database = await openBenchDatabase();
  try {
    line("connections, all due", "checks", "ms a check", "WAL a check", "without pages");
    for (const size of only === null ? sizes : [only]) {
      const count = Math.min(size - warmUp, timed);
      await database.fill(size);
      const usual = await checks(database, count);
      await database.fill(size);
      await setPageWrites(database, "off");
      const { walBytes } = await checks(database, count);
      await setPageWrites(database, "on");
      const rate = usual.perSecond;
      const wal = [usual.walBytes, walBytes].map((bytes) => `${(bytes / 1_000).toFixed(1)} kB`);
      line(size.toLocaleString("en"), perSecond(rate), ms(1_000 / rate), ...wal);
    }
  } finally {
    await database.close();
  }
}

async function setPageWrites({ session }: BenchDatabase, to: "on" | "off"): Promise<void> {
  await session.query(`alter system set full_page_writes = ${to}`);
  await session.query("select pg_reload_conf()");
  await session.query("checkpoint");
}

interface Checks {
  readonly perSecond: number;
  /** Of one check. */
  readonly walBytes: number;
}

async function checks(database: BenchDatabase, count: number): Promise<Checks> {
  const since = new Date();
  const walStart = await walPosition(database);
  const worker = await startWorker(readConfig(database.env), { resolver: instantResolver });
  const checked = async (): Promise<number> => {
    const { rows } = await database.session.query<{ count: number }>(
      "select count(*)::int as count from connection_checks where last_checked_at >= $1",
      [since],
    );
    return rows[0]?.count ?? 0;
  };
  let rate = Number.NaN;
  try {
    const before = await reach(checked, warmUp);
    const startedAt = performance.now();
    const after = await reach(checked, before + count - warmUp);
    rate = ((after - before) * 1_000) / (performance.now() - startedAt);
  } finally {
    await worker.close();
  }
  const written = (await walPosition(database)) - walStart;
  return { perSecond: rate, walBytes: written / (await checked()) };
}

/** Bytes of WAL since the server was made. */
async function walPosition({ session }: BenchDatabase): Promise<number> {
  const { rows } = await session.query<{ bytes: string }>(
    "select pg_wal_lsn_diff(pg_current_wal_insert_lsn(), '0/0')::text as bytes",
  );
  return Number(rows[0]?.bytes);
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
