import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import { createEmptyDatabase, type TestDatabase } from "@mooring/testing/database/database";
import { until } from "@mooring/testing/processes/until";
import pg from "pg";
import { dropUnresponsive } from "./drop-unresponsive.ts";
import { inTransaction } from "./in-transaction.ts";

describe("with a database", () => {
  let database: TestDatabase;
  before(async () => {
    database = await createEmptyDatabase();
  });
  after(() => database.drop());

  /** A pool whose driver waits `answerMs` for an answer, with the errors it reports. */
  function openPool(max: number, answerMs: number) {
    const pool = new pg.Pool({
      connectionString: database.url,
      max,
      query_timeout: answerMs,
    });
    const reported: Error[] = [];
    pool.on("error", (error) => void reported.push(error));
    return { pool, reported };
  }

  const readPid = async (queries: pg.Pool | pg.PoolClient): Promise<number> => {
    const { rows } = await queries.query<{ pid: number }>("select pg_backend_pid() as pid");
    return rows[0]?.pid ?? 0;
  };

  describe("inTransaction", () => {
    it("commits all of the work or nothing, on a connection that is used again", async () => {
      const { pool, reported } = openPool(1, 10_000);
      await pool.query("create table things (id int primary key)");
      const pid = await readPid(pool);
      await inTransaction(pool, (client) => client.query("insert into things values (1)"));
      const failing = inTransaction(pool, async (client) => {
        await client.query("insert into things values (2)");
        await client.query("insert into things values (1)");
      });
      await assert.rejects(failing, /duplicate key/);
      const { rows } = await pool.query("select id from things");
      assert.deepEqual(rows, [{ id: 1 }]);
      assert.equal(await readPid(pool), pid);
      assert.deepEqual(reported, []);
      await pool.end();
    });

    it("tells that its session was terminated, and works on a new one", async () => {
      const { pool, reported } = openPool(1, 10_000);
      const pid = await readPid(pool);
      const terminated = inTransaction(pool, (client) =>
        client.query("select pg_terminate_backend(pg_backend_pid())"),
      );
      await assert.rejects(terminated, /terminating connection due to administrator command/);
      assert.equal(reported[0]?.message, "a transaction could not be rolled back");
      assert.notEqual(await inTransaction(pool, readPid), pid);
      await pool.end();
    });
  });

  describe("dropUnresponsive", () => {
    it("closes the connection of a statement without an answer, and the idle ones", async () => {
      const { pool } = openPool(3, 500);
      dropUnresponsive(pool);
      const clients = await Promise.all([pool.connect(), pool.connect(), pool.connect()]);
      const pids = await Promise.all(clients.map(readPid));
      for (const client of clients) client.release();
      const frozen = inTransaction(pool, (client) => client.query("select pg_sleep(20)"));
      await assert.rejects(frozen, /Query read timeout/);
      await until(() => pool.totalCount === 0);
      assert.ok(!pids.includes(await readPid(pool)));
      await pool.end();
    });
  });
});
