import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import { createTestDatabase, type TestDatabase } from "@mooring/testing/database/database";
import { until } from "@mooring/testing/processes/until";
import { sql } from "kysely";
import pg from "pg";
import { AppError } from "../../domain/errors.ts";
import { type Database, openDatabase, ping } from "./pool.ts";
import { announceAtCommit, type Tx } from "./transaction.ts";

describe("transactions", () => {
  let made: TestDatabase;
  let database: Database;
  before(async () => {
    made = await createTestDatabase();
    database = openDatabase({ url: made.url, role: "mooring_operator" });
  });
  after(async () => {
    await database.close();
    await made.drop();
  });

  const lock = (tx: Tx, key: number) => sql`select pg_advisory_xact_lock(${key})`.execute(tx);

  /** Takes two locks crosswise with a partner, so that the server undoes one of the two. */
  function crosswise(base: number) {
    let arrived = 0;
    let open: () => void = () => undefined;
    const both = new Promise<void>((resolve) => {
      open = resolve;
    });
    const take = async (first: number, second: number): Promise<number> => {
      let tries = 0;
      await database.transaction(async (tx) => {
        tries += 1;
        await lock(tx, base + first);
        arrived += 1;
        if (arrived >= 2) open();
        await both;
        await lock(tx, base + second);
      });
      return tries;
    };
    return Promise.all([take(1, 2), take(2, 1)]);
  }

  it("wait longer for a free connection where nobody waits for an answer", async () => {
    const [api, worker] = (["mooring_api", "mooring_worker"] as const).map((role) =>
      openDatabase({ url: made.url, role, max: 1 }),
    );
    assert.ok(api && worker);
    const release = Promise.withResolvers<void>();
    const busy = [api, worker].map((one) => one.transaction(() => release.promise));
    await until(() => api.pool.totalCount + worker.pool.totalCount === 2, "both in use");
    const late = ping(worker);
    await assert.rejects(ping(api), AppError);
    release.resolve();
    await Promise.all([...busy, late]);
    await Promise.all([api.close(), worker.close()]);
  });

  it("that deadlock are tried again until both are through", async () => {
    const tries = await crosswise(1_000);
    assert.deepEqual([...tries].sort(), [1, 2]);
  });

  for (const state of ["40001", "40P01"]) {
    it(`that fail with ${state} each time are given up as unavailable after three tries`, async () => {
      let tries = 0;
      const work = database.transaction(async (tx) => {
        tries += 1;
        await sql`do ${sql.raw(`$$ begin raise exception using errcode = '${state}'; end $$`)}`.execute(
          tx,
        );
      });
      const isAway = (error: unknown) => error instanceof AppError && error.code === "unavailable";
      await assert.rejects(work, isAway);
      assert.equal(tries, 3);
    });
  }

  it("that fail otherwise are tried once and tell their own error", async () => {
    let tries = 0;
    const work = database.transaction(async (tx) => {
      tries += 1;
      await sql`select 1 / 0`.execute(tx);
    });
    await assert.rejects(work, /division by zero/);
    assert.equal(tries, 1);
  });

  it("notifies after the commit, and never of what was rolled back", async () => {
    const session = new pg.Client({ connectionString: made.url });
    await session.connect();
    const received: string[] = [];
    session.on("notification", ({ payload }) => void received.push(payload ?? ""));
    await session.query("listen hints");
    const failing = database.transaction(async (tx) => {
      announceAtCommit(tx, "hints", "rolled back");
      await sql`select 1 / 0`.execute(tx);
    });
    await assert.rejects(failing);
    await database.transaction(async (tx) => {
      announceAtCommit(tx, "hints", "committed");
      await sql`select 1`.execute(tx);
    });
    await until(() => received.length > 0);
    assert.deepEqual(received, ["committed"]);
    await session.end();
  });
});
