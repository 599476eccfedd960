import assert from "node:assert/strict";
import { EventEmitter } from "node:events";
import { describe, it } from "node:test";
import type pg from "pg";
import { inTransaction } from "./in-transaction.ts";

/**
 * A pool of one client that fails the statements named in `failures`, with all that happened on
 * record.
 */
function scriptedPool(failures: Readonly<Record<string, Error>> = {}) {
  const statements: string[] = [];
  const released: (Error | undefined)[] = [];
  const reported: Error[] = [];
  const client = Object.assign(new EventEmitter(), {
    query: async (text: string) => {
      statements.push(text);
      const failure = failures[text];
      if (failure) throw failure;
    },
    release: (error?: Error) => void released.push(error),
  });
  const pool = Object.assign(new EventEmitter(), { connect: async () => client });
  pool.on("error", (error: Error) => void reported.push(error));
  return { pool: pool as unknown as pg.Pool, client, statements, released, reported };
}

const insert = async (client: pg.PoolClient): Promise<string> => {
  await client.query("insert");
  return "done";
};

describe("inTransaction", () => {
  it("begins, works, commits and gives the client back", async () => {
    const { pool, statements, released } = scriptedPool();
    assert.equal(await inTransaction(pool, insert), "done");
    assert.deepEqual(statements, ["begin", "insert", "commit"]);
    assert.deepEqual(released, [undefined]);
  });

  for (const step of ["begin", "insert", "commit"]) {
    it(`rolls back when ${step} fails, and keeps the client that was rolled back`, async () => {
      const failure = new Error(`${step} failed`);
      const { pool, statements, released, reported } = scriptedPool({ [step]: failure });
      await assert.rejects(inTransaction(pool, insert), (error) => error === failure);
      assert.equal(statements.at(-1), "rollback");
      assert.deepEqual(released, [undefined]);
      assert.deepEqual(reported, []);
    });
  }

  it("rejects with the first failure when the rollback fails too, and drops the client", async () => {
    const failure = new Error("insert failed");
    const lost = new Error("connection terminated");
    const { pool, released, reported } = scriptedPool({ insert: failure, rollback: lost });
    await assert.rejects(inTransaction(pool, insert), (error) => error === failure);
    assert.equal(released.length, 1);
    assert.equal(released[0]?.cause, lost);
    assert.deepEqual(reported, released);
  });

  it("does not need a listener of the pool's errors", async () => {
    const failure = new Error("insert failed");
    const { pool } = scriptedPool({
      insert: failure,
      rollback: new Error("connection terminated"),
    });
    pool.removeAllListeners("error");
    await assert.rejects(inTransaction(pool, insert), (error) => error === failure);
  });

  it("survives a connection that breaks while it is in use, and leaves no listener", async () => {
    const { pool, client } = scriptedPool();
    await inTransaction(pool, async () => void client.emit("error", new Error("terminated")));
    assert.equal(client.listenerCount("error"), 0);
  });
});
