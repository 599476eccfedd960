import type pg from "pg";
import type { Queries } from "./queries.ts";

/** A frozen server must not hold up the decision whether it is read. */
const timeoutMs = 3_000;

/**
 * How far the primary's log has been written. All that was visible before the call is before it.
 */
export async function primaryPosition(queries: Queries): Promise<bigint> {
  const { rows } = await queries.query<{ position: string }>(
    timed("select pg_current_wal_insert_lsn()::text as position"),
  );
  return toPosition(rows[0]?.position ?? null);
}

export interface ReplicaPosition {
  readonly isStandby: boolean;
  /** Up to where it has applied the primary's log. */
  readonly position: bigint;
  /**
   * How long ago the last transaction that it has applied was committed; null when there was none.
   */
  readonly replayedMsAgo: number | null;
}

export async function replicaPosition(queries: Queries): Promise<ReplicaPosition> {
  const { rows } = await queries.query<{
    standby: boolean;
    position: string | null;
    replayed_ms_ago: number | null;
  }>(
    timed(`select pg_is_in_recovery() as standby, pg_last_wal_replay_lsn()::text as position,
      (extract(epoch from clock_timestamp() - pg_last_xact_replay_timestamp()) * 1000)::float8
        as replayed_ms_ago`),
  );
  const [row] = rows;
  return {
    isStandby: row?.standby ?? false,
    position: toPosition(row?.position ?? null),
    replayedMsAgo: row?.replayed_ms_ago ?? null,
  };
}

function timed(text: string): pg.QueryConfig & { readonly query_timeout: number } {
  return { text, query_timeout: timeoutMs };
}

/** A position is written as two hexadecimal numbers of 32 bits, `16/B374D848`. */
function toPosition(text: string | null): bigint {
  const [high = "0", low = "0"] = (text ?? "0/0").split("/");
  return (BigInt(`0x${high}`) << 32n) | BigInt(`0x${low}`);
}
