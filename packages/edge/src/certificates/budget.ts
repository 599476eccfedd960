import type { Clock } from "@mooring/postgres";
import type pg from "pg";
import type { WantedCertificate } from "../db/certificates.ts";

/**
 * Our own limits below those of a public CA, stored in the database and shared by all edges. Renewals
 * have a separate limit: new names never delay the renewal of a served one.
 */
export interface Budget {
  /** Takes one order from every limit and returns 0, or takes nothing and returns the wait in ms. */
  take(wanted: WantedCertificate): Promise<number>;
}

interface Rate {
  readonly name: string;
  readonly count: number;
  readonly perMs: number;
  readonly burst: number;
}

const hour = 3_600_000;
const day = 24 * hour;

function ratesFor(wanted: WantedCertificate): readonly Rate[] {
  if (wanted.chain !== null) return [{ name: "renewals", count: 20, perMs: 60_000, burst: 20 }];
  return [
    { name: "orders", count: 240, perMs: 3 * hour, burst: 60 },
    { name: `tenant:${wanted.tenantId}`, count: 60, perMs: 3 * hour, burst: 20 },
    { name: `domain:${wanted.registrableDomain}`, count: 40, perMs: 7 * day, burst: 40 },
    { name: `name:${wanted.hostname}`, count: 3, perMs: 7 * day, burst: 3 },
  ];
}

export function createBudget(pool: pg.Pool, clock: Clock): Budget {
  return {
    async take(wanted) {
      const client = await pool.connect();
      try {
        await client.query("begin");
        const waitMs = await takeAll(client, ratesFor(wanted), clock.now());
        await client.query(waitMs > 0 ? "rollback" : "commit");
        return waitMs;
      } catch (error) {
        await client.query("rollback");
        throw error;
      } finally {
        client.release();
      }
    },
  };
}

/** GCRA: each order moves the theoretical arrival time of the next; a burst may run ahead of it. */
async function takeAll(client: pg.PoolClient, rates: readonly Rate[], now: Date): Promise<number> {
  const stepOf = new Map(rates.map((rate) => [rate.name, rate.perMs / rate.count]));
  // Rows are locked in order of name, so that two orders cannot deadlock.
  const { rows } = await client.query<{ name: string; arrives_at: Date }>(
    `insert into issuance_budget as b (name, arrives_at)
     select r.name, $3::timestamptz + make_interval(secs => r.seconds)
     from unnest($1::text[], $2::float8[]) as r (name, seconds) order by r.name
     on conflict (name) do update
       set arrives_at = greatest(b.arrives_at, $3) + (excluded.arrives_at - $3)
     returning name, arrives_at`,
    [[...stepOf.keys()], [...stepOf.values()].map((ms) => ms / 1_000), now],
  );
  const arrivals = new Map(rows.map((row) => [row.name, row.arrives_at.getTime()]));
  const waits = rates.map(({ name, perMs, count, burst }) => {
    const arrivesAt = arrivals.get(name) ?? now.getTime();
    return arrivesAt - now.getTime() - (burst * perMs) / count;
  });
  return Math.ceil(Math.max(0, ...waits));
}
