import type pg from "pg";

type Callback = (error: unknown, ...rest: unknown[]) => unknown;

/**
 * A statement that was never answered means a dead path, on which everything after it would wait as
 * long again: its connection is cut, and the idle ones, which took the same path, are given up with
 * it. So a cut path costs one timeout, however many connections there were.
 */
export function cutSilentConnections(pool: pg.Pool): void {
  const idle = new Set<pg.PoolClient>();
  pool.on("acquire", (client) => idle.delete(client));
  pool.on("release", (_error, client) => idle.add(client));
  pool.on("remove", (client) => idle.delete(client));
  const giveUpIdle = (): void => {
    for (const client of [...idle]) {
      // What the pool listens for on an idle connection, to drop it.
      client.emit("error", new Error("another connection to the database went silent"));
    }
  };
  pool.on("connect", (client) => {
    watchQueries(client, () => {
      endNow(client);
      giveUpIdle();
    });
  });
}

/** Calls back when the driver has given up waiting for an answer; changes nothing else. */
function watchQueries(client: pg.PoolClient, onSilence: () => void): void {
  const query = client.query;
  const check = (error: unknown): void => {
    if (error instanceof Error && error.message === "Query read timeout") onSilence();
  };
  const watched = (...given: unknown[]): unknown => {
    const last = given.at(-1);
    const args = isCallback(last) ? [...given.slice(0, -1), checked(last, check)] : given;
    const result: unknown = Reflect.apply(query, client, args);
    if (result instanceof Promise) result.catch(check);
    return result;
  };
  Object.assign(client, { query: watched });
}

function checked(callback: Callback, check: (error: unknown) => void): Callback {
  return (error, ...rest) => {
    check(error);
    return callback(error, ...rest);
  };
}

function isCallback(value: unknown): value is Callback {
  return typeof value === "function";
}

/** With a statement under way, `end` destroys the socket instead of taking leave. */
function endNow(client: pg.PoolClient): void {
  if ("end" in client && typeof client.end === "function") {
    Promise.resolve(Reflect.apply(client.end, client, [])).catch(() => undefined); // it is cut
  }
}
