import { setTimeout as delay } from "node:timers/promises";
import pg from "pg";

/** A mark on the database that its holder is there; it goes with the holder, however that one ends. */
export interface Hold {
  release(): Promise<void>;
}

const lockKey = 7_366_521_904_115;
/** A killed holder's session is gone as soon as the server has noticed, which takes a moment. */
const waitMs = 3_000;

/** Null when another process holds the database and goes on doing so. */
export async function holdDatabase(url: string): Promise<Hold | null> {
  const client = new pg.Client({ connectionString: url, application_name: "mooring_local" });
  // The server may be restarted below us; the mark is then gone, and nothing else is lost.
  client.on("error", () => undefined);
  await client.connect();
  const deadline = performance.now() + waitMs;
  for (;;) {
    const { rows } = await client.query<{ held: boolean }>(
      "select pg_try_advisory_lock($1) as held",
      [lockKey],
    );
    if (rows[0]?.held) return { release: () => client.end() };
    if (performance.now() > deadline) break;
    await delay(50);
  }
  await client.end();
  return null;
}
