import type pg from "pg";

type Callback = (error: unknown, ...rest: unknown[]) => unknown;

/**
 * Closes connections whose server no longer answers. A statement that times out without an answer
 * means a dead network path, on which every later statement would wait as long again: its
 * connection is closed, and so are the idle ones, which use the same path. A cut path costs one
 * timeout, however many connections there were.
 */
export function dropUnresponsive(pool: pg.Pool): void {
  const idle = new Set<pg.PoolClient>();
  pool.on("acquire", (client) => idle.delete(client));
  pool.on("release", (_error, client) => idle.add(client));
  pool.on("remove", (client) => idle.delete(client));
  const dropIdle = (): void => {
    for (const client of [...idle]) {
      // The pool removes an idle connection that emits an error.
      client.emit("error", new Error("another connection to the database stopped answering"));
    }
  };
  pool.on("connect", (client) => {
    watchQueries(client, () => {
      endNow(client);
      dropIdle();
    });
  });
}

/** Calls `onTimeout` when the driver stops waiting for an answer; changes nothing else. */
function watchQueries(client: pg.PoolClient, onTimeout: () => void): void {
  const query = client.query;
  const check = (error: unknown): void => {
    if (error instanceof Error && error.message === "Query read timeout") onTimeout();
  };
  const watched = (...input: unknown[]): unknown => {
    const last = input.at(-1);
    const args = isCallback(last) ? [...input.slice(0, -1), checked(last, check)] : input;
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

/** With a statement in progress, `end` destroys the socket without the closing message. */
function endNow(client: pg.PoolClient): void {
  if ("end" in client && typeof client.end === "function") {
    Promise.resolve(Reflect.apply(client.end, client, [])).catch(() => undefined); // closed either way
  }
}
