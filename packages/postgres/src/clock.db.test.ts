import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import { createEmptyDatabase, type TestDatabase } from "@mooring/testing/database/database";
import { until } from "@mooring/testing/processes/until";
import pg from "pg";
import { type Clock, startDatabaseClock } from "./clock.ts";

const hourMs = 3_600_000;
/** Bounds the error of one measurement: half of its round trip on a busy machine. */
const toleranceMs = 5_000;

describe("startDatabaseClock", () => {
  let database: TestDatabase;
  let pool: pg.Pool;
  before(async () => {
    database = await createEmptyDatabase();
    // A function of the same name, found before PostgreSQL's own, moves the database's clock.
    pool = new pg.Pool({
      connectionString: database.url,
      options: "-c search_path=public,pg_catalog",
    });
    pool.on("error", () => undefined); // the database is dropped before the sessions have ended
  });
  after(async () => {
    await pool.end();
    await database.drop();
  });

  async function setDatabaseClock(aheadMs: number): Promise<void> {
    await pool.query(
      `create or replace function public.clock_timestamp() returns timestamptz language sql
       as $$ select pg_catalog.clock_timestamp() + interval '${aheadMs} milliseconds' $$`,
    );
  }

  function isAhead(clock: Clock, byMs: number): boolean {
    return Math.abs(clock.now().getTime() - Date.now() - byMs) < toleranceMs;
  }

  it("gives the database's time, measured at the start and every minute", async (context) => {
    context.mock.timers.enable({ apis: ["setInterval"] });
    await setDatabaseClock(hourMs);
    const clock = await startDatabaseClock(pool);
    assert.ok(isAhead(clock, hourMs));
    await setDatabaseClock(2 * hourMs);
    context.mock.timers.tick(59_999);
    assert.ok(isAhead(clock, hourMs));
    context.mock.timers.tick(1);
    await until(() => isAhead(clock, 2 * hourMs));
    clock.stop();
  });

  it("does not follow a database whose clock is set by years, until it is set right", async (context) => {
    context.mock.timers.enable({ apis: ["setInterval"] });
    const yearsMs = 10 * 365 * 24 * hourMs;
    await setDatabaseClock(hourMs);
    const refused: number[] = [];
    const error = ({ aheadMs }: { readonly aheadMs?: number }) => refused.push(aheadMs ?? 0);
    const clock = await startDatabaseClock(pool, { log: { error } });
    for (const [index, aheadMs] of [yearsMs, -yearsMs].entries()) {
      await setDatabaseClock(aheadMs);
      context.mock.timers.tick(60_000);
      await until(() => refused.length === index + 1, "the measurement");
      assert.ok(Math.abs((refused[index] ?? 0) - (aheadMs - hourMs)) < toleranceMs);
      assert.ok(isAhead(clock, hourMs));
    }
    await setDatabaseClock(2 * hourMs);
    context.mock.timers.tick(60_000);
    await until(() => isAhead(clock, 2 * hourMs), "the time of the database");
    clock.stop();
  });

  it("follows a database that agrees with the local clock, however long the process slept", async (context) => {
    context.mock.timers.enable({ apis: ["setInterval"] });
    await setDatabaseClock(0);
    const clock = await startDatabaseClock(pool);
    const sleptMs = 40 * 24 * hourMs;
    const realNow = Date.now;
    await setDatabaseClock(sleptMs);
    context.mock.method(Date, "now", () => realNow() + sleptMs);
    clock.now();
    await until(() => isAhead(clock, 0), "the time of both");
    clock.stop();
  });

  it("continues with the last offset when a measurement fails", async (context) => {
    context.mock.timers.enable({ apis: ["setInterval"] });
    await setDatabaseClock(hourMs);
    const measured = Promise.withResolvers<void>();
    let isDown = false;
    const query = (...args: Parameters<pg.Pool["query"]>): unknown => {
      if (!isDown) return pool.query(...args);
      measured.resolve();
      return Promise.reject(new Error("database is down"));
    };
    const clock = await startDatabaseClock({ query } as Pick<pg.Pool, "query">);
    isDown = true;
    context.mock.timers.tick(60_000);
    await measured.promise;
    assert.ok(isAhead(clock, hourMs));
    clock.stop();
  });

  it("does not follow a local clock that is set, and measures again at once", async (context) => {
    context.mock.timers.enable({ apis: ["setInterval"] });
    await setDatabaseClock(0);
    let measurements = 0;
    const query = (...args: Parameters<pg.Pool["query"]>): unknown => {
      measurements += 1;
      return pool.query(...args);
    };
    const clock = await startDatabaseClock({ query } as Pick<pg.Pool, "query">);
    const realNow = Date.now;
    for (const jumpMs of [24 * hourMs, -24 * hourMs]) {
      const before = measurements;
      context.mock.method(Date, "now", () => realNow() + jumpMs);
      assert.ok(Math.abs(clock.now().getTime() - realNow()) < toleranceMs);
      await until(() => measurements === before + 1);
      assert.ok(Math.abs(clock.now().getTime() - realNow()) < toleranceMs);
      assert.equal(measurements, before + 1);
    }
    clock.stop();
  });

  it("does not start without the database, unless it may", async () => {
    const unreachable = new pg.Pool({ connectionString: "postgres://user@127.0.0.1:1/none" });
    await assert.rejects(startDatabaseClock(unreachable), /ECONNREFUSED/);
    const clock = await startDatabaseClock(unreachable, { mayStartWithoutDatabase: true });
    assert.ok(isAhead(clock, 0));
    clock.stop();
    await unreachable.end();
  });
});
