import type pg from "pg";
import { announce, type DueCertificate } from "./certificates.ts";
import type { HoldCode } from "./issuance-budget.ts";
import type { Queries } from "./queries.ts";

/** Where a name waits: the row of the budget, and its virtual start time there. */
export interface QueuePosition {
  readonly queue: string;
  readonly virtualStart: number;
}

/** What the budget must know of a name; `hasOrder` when an order at this CA can be resumed. */
export interface Waiting {
  readonly position: QueuePosition | null;
  readonly hasOrder: boolean;
}

export async function loadWaiting(
  client: pg.PoolClient,
  { hostname, epoch }: Pick<DueCertificate, "hostname" | "epoch">,
  directory: string,
): Promise<Waiting> {
  const { rows } = await client.query<{
    waits_for: string | null;
    turn: string | null;
    has_order: boolean;
  }>({
    name: "load_waiting",
    text: `select waits_for, turn, exists (select from acme_orders o
        where o.hostname = c.hostname and o.directory = $2 and o.epoch = $3) as has_order
      from certificates c where hostname = $1`,
    values: [hostname, directory, epoch],
  });
  const [row] = rows;
  if (!row) return { position: null, hasOrder: false };
  const { waits_for: queue, turn } = row;
  const position = queue === null || turn === null ? null : { queue, virtualStart: Number(turn) };
  return { position, hasOrder: row.has_order };
}

/** A row that nothing has processed for so long after its time is not waited for. */
const abandonedMs = 600_000;

/** Counting further would cost more than a position that is estimated again later. */
export const farAhead = 2_000;

/** How many other names come before each of these positions, up to `farAhead`. */
export async function countAhead(
  client: pg.PoolClient,
  hostname: string,
  positions: readonly QueuePosition[],
  now: Date,
): Promise<(queue: string) => number> {
  const { rows } = await client.query<{ queue: string; ahead: string }>({
    name: "count_ahead",
    text: `select p.queue, (select count(*) from (
          select from certificates c
          where c.waits_for = p.queue and (c.turn, c.hostname) < (p.turn, $3) and c.hostname <> $3
            and c.due_at > $4 limit ${farAhead}) as near) as ahead
      from unnest($1::text[], $2::bigint[]) as p (queue, turn)`,
    values: [
      positions.map(({ queue }) => queue),
      positions.map(({ virtualStart }) => virtualStart),
      hostname,
      new Date(now.getTime() - abandonedMs),
    ],
  });
  const ahead = new Map(rows.map((row) => [row.queue, Number(row.ahead)]));
  return (queue) => ahead.get(queue) ?? 0;
}

/** The name waits no more: it may order, or something else hinders it. */
export async function leaveQueue(queries: Queries, hostname: string): Promise<void> {
  await queries.query(
    `update certificates set waits_for = null, turn = null
     where hostname = $1 and waits_for is not null`,
    [hostname],
  );
}

/**
 * Releases the lease until the queue has come to the name. Not a failure: nothing is counted, and
 * the connection is checked again only when the reason is new.
 */
export async function holdCertificate(
  queries: Queries,
  due: DueCertificate,
  hold: {
    readonly code: HoldCode;
    readonly message: string;
    readonly dueAt: Date;
    readonly position: QueuePosition | null;
    /** What the CA says of this name; null leaves what it said before. */
    readonly caError: { readonly type: string; readonly detail: string | null } | null;
  },
  now: Date,
): Promise<void> {
  const { rows } = await queries.query<{ is_news: boolean }>({
    name: "hold_certificate",
    text: `update certificates c set
        status = case when c.chain is null then 'pending' when c.not_after <= $8 then 'expired'
          when c.renewal_info->'withdrawn' = 'true' then 'revoked' else 'issued' end,
        error_code = $3, last_error = $4, due_at = $5, waits_for = $6, turn = $7, waits = 0,
        ca_error = coalesce($9, c.ca_error), leased_until = null, version = c.version + 1
      from certificates before
      where c.hostname = $1 and c.version = $2 and before.hostname = c.hostname
      returning before.error_code is distinct from $3 as is_news`,
    values: [
      due.hostname,
      due.version,
      hold.code,
      hold.message.slice(0, 1_000),
      hold.dueAt,
      hold.position?.queue ?? null,
      hold.position?.virtualStart ?? null,
      now,
      hold.caError && JSON.stringify(hold.caError),
    ],
  });
  if (rows[0]?.is_news) await announce(queries, due, now);
}

/** The CA that CAA allows is tried first from now on. */
export async function preferIssuer(
  queries: Queries,
  { hostname, epoch }: Pick<DueCertificate, "hostname" | "epoch">,
  issuer: string,
): Promise<void> {
  await queries.query(
    "update certificates set preferred_issuer = $3 where hostname = $1 and epoch = $2",
    [hostname, epoch, issuer],
  );
}

/** Makes the first of a queue due now, when more can be served than their estimated times allow. */
export async function advanceQueue(
  client: pg.PoolClient,
  queue: string,
  count: number,
  now: Date,
): Promise<void> {
  const { rowCount } = await client.query(
    `update certificates set due_at = $3
     where due_at > $3 and leased_until is null and hostname in (
       select hostname from certificates where waits_for = $1 order by turn, hostname limit $2)`,
    [queue, count, now],
  );
  if ((rowCount ?? 0) > 0) await client.query("select pg_notify('mooring_due', 'certificates')");
}

/** For people and metrics; more than this many are not counted. */
const maxCounted = 100_000;

export async function countWaiting(queries: Queries, queue: string): Promise<number> {
  const { rows } = await queries.query<{ count: string }>(
    `select count(*) from (
       select from certificates where waits_for = $1 limit ${maxCounted}) as waiting`,
    [queue],
  );
  return Number(rows[0]?.count ?? 0);
}

/**
 * As of the last ANALYZE, which the server runs by itself: costs the same however many there are.
 */
export async function estimateCertificates(queries: Queries): Promise<number> {
  const { rows } = await queries.query<{ count: number }>(
    "select greatest(0, reltuples)::float8 as count from pg_class where oid = 'certificates'::regclass",
  );
  return rows[0]?.count ?? 0;
}
