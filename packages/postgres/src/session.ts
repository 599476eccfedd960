import pg from "pg";
import { createPool } from "./primary.ts";
import { parseServers } from "./servers.ts";

/** Settings of the server under which every statement of a pool runs, such as `role`. */
export type SessionSettings = Readonly<Record<string, string | number>>;

/**
 * A pool under whose settings every statement runs. Directly, they are those of the session. A
 * pooler in transaction mode (PgBouncer) gives each transaction another session of the server and
 * passes on no settings, so that there they are set in each transaction, and end with it.
 */
export function openSessions(
  url: string,
  settings: SessionSettings,
  config: pg.PoolConfig & { readonly pooler: string | null },
): pg.Pool {
  const { pooler, ...rest } = config;
  if (pooler === null) {
    const options = Object.entries(settings).map(([name, value]) => `-c ${name}=${value}`);
    return createPool(url, { ...rest, options: options.join(" ") });
  }
  return createPool(throughPooler(url, pooler), { ...rest, Client: pooledClient(settings) });
}

/** The same user, password, database and TLS settings, at another address. */
function throughPooler(url: string, pooler: string): string {
  const through = new URL(parseServers(url)[0]);
  const { hostname, port } = new URL(`tcp://${pooler}`);
  through.hostname = hostname;
  through.port = port;
  return through.toString();
}

type Callback = (error: unknown, result?: unknown) => void;
type Statement = pg.QueryConfig<unknown[]>;

const begins = /^\s*(begin|start transaction)\b/i;
/** Not `rollback to savepoint`. */
const ends = /^\s*(commit|end|rollback(?!\s+to\b))\b/i;

/**
 * A client of a pooler. A statement outside of a transaction gets one of its own. Named statements
 * lose their name: the session that has prepared it may be lent to somebody else.
 */
function pooledClient(settings: SessionSettings): new (config?: pg.ClientConfig) => pg.Client {
  const setLocal = Object.entries(settings)
    .map(([name, value]) => `set local ${name} = ${pg.escapeLiteral(String(value))}`)
    .join("; ");

  return class extends pg.Client {
    #isInTransaction = false;

    constructor(config?: pg.ClientConfig) {
      super(config);
      // The driver's own signatures are overloads, which a class field can replace and a method
      // cannot.
      Object.assign(this, { query: this.#query.bind(this) });
    }

    #query(...input: readonly unknown[]): Promise<unknown> | undefined {
      const callback = input.find((one): one is Callback => typeof one === "function");
      const result = this.#run(toStatement(input));
      if (callback === undefined) return result;
      result.then(
        (value) => callback(null, value),
        (error: unknown) => callback(error),
      );
      return undefined;
    }

    async #run(statement: Statement): Promise<unknown> {
      if (begins.test(statement.text)) return this.#begin(statement.text);
      if (this.#isInTransaction) {
        if (ends.test(statement.text)) this.#isInTransaction = false;
        return super.query(statement);
      }
      await this.#begin("begin");
      try {
        const result = await super.query(statement);
        this.#isInTransaction = false;
        await super.query("commit");
        return result;
      } catch (error) {
        this.#isInTransaction = false;
        await super.query("rollback").catch(() => undefined); // the connection is broken too
        throw error;
      }
    }

    /** In one message, so that it costs no further round trip. */
    async #begin(text: string): Promise<unknown> {
      const results: unknown = await super.query(`${text}; ${setLocal}`);
      this.#isInTransaction = true;
      return Array.isArray(results) ? results[0] : results;
    }
  };
}

/**
 * The forms of `query`: a text, a text with values, or an object; each with a callback or without.
 */
function toStatement([first, second]: readonly unknown[]): Statement {
  if (typeof first === "string") {
    return Array.isArray(second) ? { text: first, values: second } : { text: first };
  }
  const { name: _, ...statement } = first as Statement;
  return statement;
}
