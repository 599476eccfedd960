import type pg from "pg";
import type { Queries } from "./queries.ts";

/** Why a CA takes no orders at present; both are error codes of a connection. */
export type HoldCode = "ca_rate_limited" | "ca_unavailable";

/** A row of the budget; times are milliseconds since 1970. */
export interface BudgetRow {
  /** The theoretical arrival time of the next order (GCRA). */
  readonly arrivesAt: number;
  readonly heldUntil: number | null;
  readonly heldFor: HoldCode | null;
  readonly outages: number;
  /** Its virtual start time in the queue between tenants. */
  readonly virtualStart: number;
}

interface Row {
  readonly name: string;
  readonly arrives_at: number;
  readonly held_until: number | null;
  readonly held_for: HoldCode | null;
  readonly outages: number;
  readonly turn: string;
}

const columns = `name, extract(epoch from arrives_at)::float8 * 1000 as arrives_at,
  extract(epoch from held_until)::float8 * 1000 as held_until, held_for, outages, turn`;

const toRow = (row: Row): BudgetRow => ({
  arrivesAt: row.arrives_at,
  heldUntil: row.held_until,
  heldFor: row.held_for,
  outages: row.outages,
  virtualStart: Number(row.turn),
});

const unused: BudgetRow = {
  arrivesAt: 0,
  heldUntil: null,
  heldFor: null,
  outages: 0,
  virtualStart: 0,
};

/** Locks a row, which is created if needed, until the end of the transaction. */
export async function lockBudget(
  client: pg.PoolClient,
  name: string,
  now: Date,
): Promise<BudgetRow> {
  const { rows } = await client.query<Row>({
    name: "lock_budget",
    text: `insert into issuance_budget as b (name, arrives_at) values ($1, $2)
      on conflict (name) do update set name = b.name returning ${columns}`,
    values: [name, now],
  });
  const [row] = rows;
  return row ? toRow(row) : unused;
}

export async function readBudget(
  queries: Queries,
  names: readonly string[],
): Promise<(name: string) => BudgetRow> {
  const { rows } = await queries.query<Row>({
    name: "read_budget",
    text: `select ${columns} from issuance_budget where name = any ($1)`,
    values: [names],
  });
  const byName = new Map(rows.map((row) => [row.name, toRow(row)]));
  return (name) => byName.get(name) ?? unused;
}

/**
 * Moves the arrival times by the given milliseconds: forward for what is taken, back for a refund.
 */
export async function moveArrivals(
  queries: Queries,
  moves: ReadonlyMap<string, number>,
  now: Date,
): Promise<void> {
  await queries.query({
    name: "move_arrivals",
    text: `insert into issuance_budget as b (name, arrives_at)
      select m.name, $3::timestamptz + make_interval(secs => m.seconds)
      from unnest($1::text[], $2::float8[]) as m (name, seconds) order by m.name
      on conflict (name) do update set arrives_at = case
        when excluded.arrives_at > $3 then greatest(b.arrives_at, $3) + (excluded.arrives_at - $3)
        else b.arrives_at + (excluded.arrives_at - $3) end`,
    values: [[...moves.keys()], [...moves.values()].map((ms) => ms / 1_000), now],
  });
}

/** Stores each virtual start that is later than the stored one. */
export async function advanceVirtualStarts(
  client: pg.PoolClient,
  to: ReadonlyMap<string, number>,
  now: Date,
): Promise<void> {
  await client.query({
    name: "advance_turn",
    text: `insert into issuance_budget as b (name, arrives_at, turn)
      select t.name, $3, t.turn from unnest($1::text[], $2::bigint[]) as t (name, turn) order by t.name
      on conflict (name) do update set turn = greatest(b.turn, excluded.turn)`,
    values: [[...to.keys()], [...to.values()], now],
  });
}

/** Holds everything that the row limits; an earlier hold is never shortened. */
export async function holdBudget(
  queries: Queries,
  name: string,
  hold: { readonly until: Date; readonly code: HoldCode; readonly isOutage: boolean },
  now: Date,
): Promise<void> {
  await queries.query(
    `insert into issuance_budget as b (name, arrives_at, held_until, held_for, outages)
     values ($1, $2, $3, $4, $5)
     on conflict (name) do update set held_until = greatest(b.held_until, excluded.held_until),
       held_for = excluded.held_for, outages = b.outages + excluded.outages`,
    [name, now, hold.until, hold.code, hold.isOutage ? 1 : 0],
  );
}

/** The CA answers again; false when it was not held. */
export async function endOutage(queries: Queries, name: string): Promise<boolean> {
  const { rowCount } = await queries.query(
    `update issuance_budget set held_until = null, held_for = null, outages = 0
     where name = $1 and outages > 0`,
    [name],
  );
  return (rowCount ?? 0) > 0;
}

/** Stores how many of something a time allows, for the views of the budget. */
export async function noteRates(
  client: pg.PoolClient,
  rates: ReadonlyMap<string, { readonly count: number; readonly perMs: number }>,
  now: Date,
): Promise<void> {
  const noted = [...rates.values()];
  await client.query({
    name: "note_rates",
    text: `insert into issuance_budget as b (name, arrives_at, rate_count, rate_seconds)
      select r.name, $4, r.count, r.seconds
      from unnest($1::text[], $2::int[], $3::int[]) as r (name, count, seconds) order by r.name
      on conflict (name) do update set rate_count = excluded.rate_count, rate_seconds = excluded.rate_seconds
      where (b.rate_count, b.rate_seconds) is distinct from (excluded.rate_count, excluded.rate_seconds)`,
    values: [
      [...rates.keys()],
      noted.map(({ count }) => count),
      noted.map(({ perMs }) => Math.round(perMs / 1_000)),
      now,
    ],
  });
}

/** Deletes rows that limit nothing any more. */
export async function sweepBudget(queries: Queries, before: Date): Promise<void> {
  await queries.query(
    `delete from issuance_budget
     where arrives_at < $1 and (held_until is null or held_until < $1) and outages = 0
       and name not like 'orders:%' and name not like 'renewals:%'`,
    [before],
  );
}
