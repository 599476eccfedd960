import type pg from "pg";
import type { Clock } from "../clock.ts";
import type { WantedCertificate } from "../db/certificates.ts";

/**
 * Our own share of a public CA's limits, kept in the database so that all edges spend it together.
 * Renewals have a lane of their own: new names never hold up one that is served.
 */
export interface Budget {
  /** Takes from every budget that the order counts against, or says how long to wait and takes none. */
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

/** GCRA: each order moves the time at which the next would arrive; a burst may run ahead of it. */
async function takeAll(client: pg.PoolClient, rates: readonly Rate[], now: Date): Promise<number> {
  // One order of locking for everyone, so that two orders never wait for each other.
  const sorted = rates.toSorted((a, b) => (a.name < b.name ? -1 : 1));
  let waitMs = 0;
  for (const rate of sorted) {
    const stepMs = rate.perMs / rate.count;
    const { rows } = await client.query<{ arrives_at: Date }>(
      `insert into issuance_budget as b (name, arrives_at) values ($1, $2)
       on conflict (name) do update set arrives_at = greatest(b.arrives_at, $3) + make_interval(secs => $4)
       returning arrives_at`,
      [rate.name, new Date(now.getTime() + stepMs), now, stepMs / 1_000],
    );
    const arrivesAt = rows[0]?.arrives_at.getTime() ?? now.getTime();
    waitMs = Math.max(waitMs, arrivesAt - now.getTime() - rate.burst * stepMs);
  }
  return Math.ceil(waitMs);
}
