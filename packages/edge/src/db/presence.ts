import type { Queries } from "./queries.ts";

/** A running edge process. */
export interface PresentEdge {
  readonly id: string;
  readonly address: string;
  readonly version: string;
  /** How many names it serves. */
  readonly certificates: number;
  readonly startedAt: Date;
}

/** Rows of processes that ended without a word. */
const forgottenAfterMs = 7 * 86_400_000;

export async function storePresence(queries: Queries, edge: PresentEdge, now: Date): Promise<void> {
  await queries.query(
    `insert into edges (id, address, version, certificates, started_at, last_seen_at)
     values ($1, $2, $3, $4, $5, $6)
     on conflict (id) do update set certificates = excluded.certificates, last_seen_at = excluded.last_seen_at`,
    [edge.id, edge.address, edge.version, edge.certificates, edge.startedAt, now],
  );
  const before = new Date(now.getTime() - forgottenAfterMs);
  await queries.query("delete from edges where last_seen_at < $1", [before]);
}

export async function dropPresence(queries: Queries, id: string): Promise<void> {
  await queries.query("delete from edges where id = $1", [id]);
}
