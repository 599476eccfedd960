import { setTimeout as delay } from "node:timers/promises";
import type { Notifier } from "@mooring/postgres";
import { type Kysely, sql, type Transaction } from "kysely";
import { AppError } from "../../domain/errors.ts";
import type { TenantScope } from "../../domain/tenancy.ts";
import type { Tables } from "../tables.ts";
import { sqlState } from "./sql-state.ts";

export type Tx = Transaction<Tables>;

/** Whom a process is for row level security. */
export type DatabaseRole = "mooring_api" | "mooring_worker" | "mooring_operator";

/** The three ways to open a transaction; what differs is whom row level security sees. */
export interface Transactions {
  /** Confined to one tenant and environment by row level security. */
  tenant<T>(scope: TenantScope, work: (tx: Tx) => Promise<T>): Promise<T>;
  /**
   * Acts as the worker role, whichever process it runs in. For verbs that cross tenants by nature
   * (a claim is global); what they touch was resolved under the tenant before.
   */
  system<T>(work: (tx: Tx) => Promise<T>): Promise<T>;
  /** Acts as the process's own role, which has policies of its own. For workers and operators. */
  transaction<T>(work: (tx: Tx) => Promise<T>): Promise<T>;
}

/**
 * For a process whose own role is `role`. Deadlocks, serialisation failures and rows deleted by
 * others meanwhile are retried (three attempts in all), so `work` must have no effect outside the
 * transaction. `notify` is called after the commit with what was announced in it.
 */
export function createTransactions(
  db: Kysely<Tables>,
  role: DatabaseRole,
  notify: Notifier["notify"],
): Transactions {
  const transaction = async <T>(work: (tx: Tx) => Promise<T>): Promise<T> => {
    const { result, announced } = await runTransaction(db, work);
    for (const [channel, payload] of announced) notify(channel, payload);
    return result;
  };
  return {
    transaction,
    system:
      role === "mooring_worker"
        ? transaction
        : (work) =>
            transaction(async (tx) => {
              await sql`set local role mooring_worker`.execute(tx);
              return work(tx);
            }),
    tenant: (scope, work) =>
      transaction(async (tx) => {
        await sql`select set_config('app.tenant', ${scope.tenantId}, true),
                         set_config('app.environment', ${scope.environment}, true)`.execute(tx);
        return work(tx);
      }),
  };
}

type Announcements = (readonly [channel: string, payload: string])[];

/** What transactions that are open announce at their commit. */
const announcements = new WeakMap<Tx, Announcements>();

/**
 * Notifies after the commit, and not in the transaction: a commit with a NOTIFY waits for every
 * other one. A process that ends in between does not notify, so this is for those who also poll.
 */
export function announceAtCommit(tx: Tx, channel: string, payload: string): void {
  announcements.get(tx)?.push([channel, payload]);
}

async function runTransaction<T>(
  db: Kysely<Tables>,
  work: (tx: Tx) => Promise<T>,
): Promise<{ readonly result: T; readonly announced: Announcements }> {
  for (let attempt = 1; ; attempt += 1) {
    const announced: Announcements = [];
    try {
      const result = await db.transaction().execute((tx) => {
        announcements.set(tx, announced);
        return work(tx);
      });
      return { result, announced };
    } catch (error) {
      if (attempt >= 3 || !isRetryable(error)) throw translateDatabaseError(error);
      await delay(10 * attempt + Math.random() * 20);
    }
  }
}

/** Where `rollBackTo` returns to. Nested savepoints need names of their own. */
export async function setSavepoint(tx: Tx, name: string): Promise<void> {
  await sql`savepoint ${sql.id(name)}`.execute(tx);
}

/** Undoes everything since the savepoint; the transaction continues. */
export async function rollBackTo(tx: Tx, name: string): Promise<void> {
  await sql`rollback to savepoint ${sql.id(name)}`.execute(tx);
}

/**
 * Serialisation failure, deadlock: the server undid all of it and asks for another try. Foreign
 * key: a row that was there when it was read has been deleted since then; another try finds that
 * out where it reads.
 */
const retryableStates: readonly string[] = ["40001", "40P01", "23503"];

function isRetryable(error: unknown): boolean {
  return retryableStates.includes(sqlState(error) ?? "");
}

/**
 * Class 08 connection, 53 resources, 57P server going away, 25P03 idle cut, 55P03/57014 timeouts.
 */
const awayStates = /^(08|53|57P|25P03|55P03|57014|40001|40P01)/;
const awayErrnos = /^(ECONN|ETIMEDOUT|EPIPE|ENOTFOUND|EHOSTUNREACH|EAI_AGAIN)/;
const awayMessages =
  /timeout exceeded when trying to connect|Connection terminated|Query read timeout|the database system is|Client has encountered a connection error|Client was closed/;

/** A database that is away or overloaded is `unavailable` (503); any other error stays as it is. */
export function translateDatabaseError(error: unknown): unknown {
  if (!(error instanceof Error) || error instanceof AppError) return error;
  const code = sqlState(error) ?? "";
  if (awayStates.test(code) || awayErrnos.test(code) || awayMessages.test(error.message)) {
    return new AppError("unavailable", "the database is not available, try again shortly", {
      cause: error,
      retryAfterSeconds: 2,
    });
  }
  return error;
}
