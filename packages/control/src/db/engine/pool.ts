import { createNotifier, dropUnresponsive, openSessions } from "@mooring/postgres";
import { Kysely, PostgresDialect } from "kysely";
import pg from "pg";
import type { Tables } from "../tables.ts";
import {
  createTransactions,
  type DatabaseRole,
  type Transactions,
  translateDatabaseError,
} from "./transaction.ts";

/** The NOLOGIN roles the migrations make; a pool acts as one of them and as nothing more. */
export type { DatabaseRole } from "./transaction.ts";

/** A process's connections to the database, and the ways to open a transaction on them. */
export interface Database extends Transactions {
  /** For `db/engine` and for counting its connections: statements go through the methods below. */
  readonly pool: pg.Pool;
  /**
   * Runs a named statement whose plan the server caches per connection, as a transaction by itself.
   * For hot paths and what needs no transaction: the query builder has no prepared statements.
   */
  prepared<R extends pg.QueryResultRow>(
    statement: { readonly name: string; readonly text: string },
    values: readonly unknown[],
  ): Promise<readonly R[]>;
  close(): Promise<void>;
}

const statementTimeoutMs = { mooring_api: 3_500, mooring_worker: 30_000, mooring_operator: 60_000 };
/**
 * How much longer the driver waits for the answer to a statement. A request gets a connection
 * within a second and then its answer, or 503, within five seconds in all, also when the server is
 * frozen.
 */
const answerMarginMs = { mooring_api: 400, mooring_worker: 3_000, mooring_operator: 3_000 };
/**
 * The longest wait for a free connection. A request is shed within a second; nobody waits for a
 * worker's answer, and work that is given up is only done again later.
 */
const connectionMs = { mooring_api: 1_000, mooring_worker: 5_000, mooring_operator: 5_000 };

/** Counters fit a double exactly until 2^53; the driver's default for int8 is a string. */
const types: pg.CustomTypesConfig = {
  getTypeParser: (oid, format) =>
    Number(oid) === pg.types.builtins.INT8
      ? Number
      : pg.types.getTypeParser(oid, format === "binary" ? "text" : format),
};

export function openDatabase(options: {
  readonly url: string;
  readonly role: DatabaseRole;
  /** `host:port` of a pooler in transaction mode in front of the server; null for none. */
  readonly pooler?: string | null;
  readonly max?: number;
  readonly onError?: (error: Error) => void;
}): Database {
  const pool = openSessions(options.url, sessionSettings(options.role), {
    pooler: options.pooler ?? null,
    max: options.max ?? 16,
    application_name: options.role,
    connectionTimeoutMillis: connectionMs[options.role],
    // The server's own timeout does not fire when the server is frozen or the path is cut.
    query_timeout: statementTimeoutMs[options.role] + answerMarginMs[options.role],
    idleTimeoutMillis: 30_000,
    keepAlive: true,
    keepAliveInitialDelayMillis: 30_000,
    types,
  });
  // An idle connection that breaks is replaced at its next use; without a listener the process
  // ends.
  pool.on("error", (error) => options.onError?.(error));
  // The same for one in use that the server closes between two statements: the next statement
  // fails.
  pool.on("connect", (client) => client.on("error", () => undefined));
  dropUnresponsive(pool);
  const builder = new Kysely<Tables>({ dialect: new PostgresDialect({ pool }) });
  const onError = (error: unknown): void => {
    if (error instanceof Error) options.onError?.(error);
  };
  const notifier = createNotifier({ pool, onError });
  const close = async (): Promise<void> => {
    await notifier.close();
    await builder.destroy();
    // The query builder ends only a pool that it has used.
    if (!pool.ending) await pool.end();
  };
  const prepared: Database["prepared"] = async (statement, values) => {
    try {
      const { rows } = await pool.query({ ...statement, values: [...values] });
      return rows;
    } catch (error) {
      throw translateDatabaseError(error);
    }
  };
  return {
    pool,
    close,
    prepared,
    ...createTransactions(builder, options.role, notifier.notify),
  };
}

/** Resolves once the server has answered a statement. */
export async function ping(database: Database): Promise<void> {
  await database.prepared({ name: "ping", text: "select 1" }, []);
}

function sessionSettings(role: DatabaseRole) {
  return {
    role,
    statement_timeout: statementTimeoutMs[role],
    lock_timeout: 2_000,
    idle_in_transaction_session_timeout: 10_000,
    timezone: "UTC",
  };
}
