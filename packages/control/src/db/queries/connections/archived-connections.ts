import { sql } from "kysely";
import type { Tx } from "../../engine/transaction.ts";

/**
 * What says something of a connection only while it is not archived. Its rows go when it moves,
 * because their keys refer to the table that it leaves. Checks and fields of drop-in APIs go by
 * their own keys.
 */
const ended = [
  "foreign_certificates",
  "imported_certificates",
  "oauth_grants",
  "origin_health",
  "share_links",
  "token_connections",
  "troubles",
] as const;

/**
 * Moves connections that were archived before the time, at most `limit`, to the table of those that
 * have ended; returns how many. A connection that somebody has locked, or whose hostname somebody
 * has, is left for the next time: who waits for a hostname's lock finds the connection in one of
 * the tables afterwards. A claim or a certificate would mean that it still serves: it stays then.
 * Nothing while another transaction does the same.
 */
export async function moveArchived(tx: Tx, before: Date, limit: number): Promise<number> {
  if (!(await isAlone(tx))) return 0;
  const removals = ended.map(
    (table) => sql`${sql.id(`gone_${table}`)} as (
      delete from ${sql.table(table)} where connection_id = any (array(select id from chosen)))`,
  );
  const { numAffectedRows } = await sql`with chosen as materialized (
      select id from (
        select c.id, c.hostname from only connections c
        where c.state = 'archived' and c.archived_at < ${before}
          and c.due_at is null and c.leased_until is null and c.parked_at is null
          and not exists (select from claims k where k.connection_id = c.id)
          and not exists (select from certificates s where s.hostname = c.hostname and s.connection_id = c.id)
        order by c.archived_at limit ${limit} for update of c skip locked) as found
      where pg_try_advisory_xact_lock(hashtextextended('hostname:' || hostname, 0))),
    ${sql.join(removals)},
    moved as (
      delete from only connections c using chosen where c.id = chosen.id returning c.*)
    -- All columns, in the order that both tables have: also those that a newer release has added.
    insert into archived_connections select * from moved`.execute(tx);
  return Number(numAffectedRows ?? 0n);
}

async function isAlone(tx: Tx): Promise<boolean> {
  const { rows } = await sql<{ readonly mine: boolean }>`
    select pg_try_advisory_xact_lock(hashtextextended('move of archived connections', 0)) as mine`.execute(
    tx,
  );
  return rows[0]?.mine ?? false;
}
