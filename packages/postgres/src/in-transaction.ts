import type pg from "pg";

/**
 * Runs `work` in one transaction on a client of its own: begin, `work`, commit. The client must not
 * be used after `work` has settled, nor released by it; there is no cancellation and no retry.
 *
 * A failure of any step rolls back and rejects with that failure, whatever the rollback comes to.
 * When the rollback fails too, the state of the session is unknown: the pool drops the client,
 * which ends the transaction at the server, and reports the second failure as its `error` event, as
 * it does for an idle connection that breaks. A commit without an answer may have taken effect.
 */
export async function inTransaction<T>(
  pool: pg.Pool,
  work: (client: pg.PoolClient) => Promise<T>,
): Promise<T> {
  const client = await pool.connect();
  // The statement in progress, or the next one, fails; without a listener the process would end.
  const ignore = (): void => undefined;
  client.on("error", ignore);
  const release = (error?: Error): void => {
    client.off("error", ignore);
    client.release(error);
  };
  try {
    await client.query("begin");
    const result = await work(client);
    await client.query("commit");
    release();
    return result;
  } catch (error) {
    const rollbackError = await rollBack(client);
    // The pool takes the client back first: its listener reports what the connection still emits.
    release(rollbackError);
    if (rollbackError && pool.listenerCount("error") > 0) pool.emit("error", rollbackError, client);
    throw error;
  }
}

async function rollBack(client: pg.PoolClient): Promise<Error | undefined> {
  try {
    await client.query("rollback");
    return undefined;
  } catch (error) {
    return new Error("a transaction could not be rolled back", { cause: error });
  }
}
