import { sql } from "kysely";
import type { Tx } from "../../engine/transaction.ts";

export interface QuestionLimit {
  /** Between two questions to a server, in the long run. */
  readonly intervalMs: number;
  /** How many may come at once after a while without any. */
  readonly burst: number;
}

/**
 * When a question may be put to the server: now, or later, and then that time is reserved for it.
 * All workers take from the same limit.
 */
export async function reserveQuestion(
  tx: Tx,
  host: string,
  { intervalMs, burst }: QuestionLimit,
  now: Date,
): Promise<Date> {
  const interval = sql`make_interval(secs => ${intervalMs / 1_000}::double precision)`;
  const earliest = sql`${now}::timestamptz - ${burst - 1}::int * ${interval}`;
  const { rows } = await sql<{ at: Date }>`
    insert into rdap_servers as s (host, free_at) values (${host}, ${earliest} + ${interval})
    on conflict (host) do update
      set free_at = greatest(s.free_at, s.paused_until, ${earliest}) + ${interval}
    returning free_at - ${interval} as at`.execute(tx);
  const at = rows[0]?.at.getTime() ?? 0;
  return new Date(Math.max(at, now.getTime()));
}

/** Until when the server has asked to wait; null when it has not. */
export async function selectPause(tx: Tx, host: string, now: Date): Promise<Date | null> {
  const { rows } = await sql<{ until: Date }>`
    select paused_until as until from rdap_servers
    where host = ${host} and paused_until > ${now}::timestamptz`.execute(tx);
  return rows[0]?.until ?? null;
}

/** The server asks to wait; a pause is never shortened. */
export async function pauseServer(tx: Tx, host: string, until: Date): Promise<void> {
  await sql`insert into rdap_servers as s (host, free_at, paused_until)
    values (${host}, ${until}, ${until})
    on conflict (host) do update set paused_until = greatest(s.paused_until, excluded.paused_until)`.execute(
    tx,
  );
}
