import { sql } from "kysely";
import type { Tx } from "../../engine/transaction.ts";

/**
 * Held until the transaction ends. Every write that creates, moves or archives a connection takes
 * it first, so that claims, takeovers and resumes of one hostname happen one after the other.
 */
export async function lockHostname(tx: Tx, hostname: string): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`hostname:${hostname}`}, 0))`.execute(
    tx,
  );
}

/** Longer than a batch takes: another one with some of the same hostnames goes first. */
const hostnamesWait = "3s";

/**
 * Locks many hostnames, always in the same order, so that two who want some of the same do not
 * deadlock.
 */
export async function lockHostnames(tx: Tx, hostnames: readonly string[]): Promise<void> {
  const keys = [...new Set(hostnames)].sort().map((hostname) => `hostname:${hostname}`);
  const { rows } = await sql<{
    usual: string;
  }>`select current_setting('lock_timeout') as usual`.execute(tx);
  await setLockTimeout(tx, hostnamesWait);
  await sql`select pg_advisory_xact_lock(hashtextextended(key, 0))
    from (select key from unnest(${keys}::text[]) with ordinality as k (key, position) order by position) as k`.execute(
    tx,
  );
  await setLockTimeout(tx, rows[0]?.usual ?? "2s");
}

async function setLockTimeout(tx: Tx, limit: string): Promise<void> {
  await sql`select set_config('lock_timeout', ${limit}, true)`.execute(tx);
}
