import type { Clock } from "@mooring/postgres";
import { Gauge, type Registry } from "prom-client";
import type { Database } from "./db/engine/pool.ts";
import {
  type Backlog,
  selectBacklogs,
  selectTimesToLive,
  selectUnderWay,
  type TimeToLive,
  type UnderWay,
} from "./db/queries/metrics.ts";

interface Figures {
  readonly backlogs: readonly Backlog[];
  readonly underWay: readonly UnderWay[];
  readonly timesToLive: readonly TimeToLive[];
}

const nothing: Figures = { backlogs: [], underWay: [], timesToLive: [] };
/** The gauges of one scrape, and two scrapers that come together, share one look. */
const keptMs = 2_000;

/**
 * What the workers have to do and how connections fare, over all tenants. Workers serve no metrics;
 * every API process tells the same figures, out of the database.
 */
export function measureWork(registry: Registry, database: Database, clock: Clock): void {
  const look = shareLook(() =>
    database.system(async (tx) => {
      const now = clock.now();
      return {
        backlogs: await selectBacklogs(tx, now),
        underWay: await selectUnderWay(tx, now),
        timesToLive: await selectTimesToLive(tx, now),
      };
    }),
  );
  const gauge = <L extends string>(
    name: string,
    help: string,
    labelNames: readonly L[],
    fill: (figures: Figures, set: (labels: Record<L, string>, value: number) => void) => void,
  ) =>
    new Gauge({
      name,
      help,
      labelNames: [...labelNames],
      registers: [registry],
      async collect() {
        const figures = await look();
        this.reset();
        fill(figures, (labels, value) => this.set(labels, value));
      },
    });
  gauge("mooring_due_rows", "Work that is due and waits for a worker", ["work"], (found, set) => {
    for (const { work, rows } of found.backlogs) set({ work }, rows);
  });
  gauge("mooring_due_oldest_seconds", "How long the oldest has waited", ["work"], (found, set) => {
    for (const { work, oldestSeconds } of found.backlogs) set({ work }, oldestSeconds);
  });
  gauge("mooring_connections_under_way", "Not live yet, by state", ["state"], (found, set) => {
    for (const { state, rows } of found.underWay) set({ state }, rows);
  });
  gauge(
    "mooring_connections_under_way_oldest_seconds",
    "How long the oldest has been in its phase, by state",
    ["state"],
    (found, set) => {
      for (const { state, oldestSeconds } of found.underWay) set({ state }, oldestSeconds);
    },
  );
  gauge(
    "mooring_time_to_live_seconds",
    "From create to live, of the connections that went live within 24 hours, by DNS provider",
    ["provider", "quantile"],
    (found, set) => {
      for (const { provider, median, p90 } of found.timesToLive) {
        set({ provider, quantile: "0.5" }, median);
        set({ provider, quantile: "0.9" }, p90);
      }
    },
  );
  gauge(
    "mooring_went_live",
    "Connections that went live within 24 hours, by DNS provider",
    ["provider"],
    (found, set) => {
      for (const { provider, rows } of found.timesToLive) set({ provider }, rows);
    },
  );
}

function shareLook(look: () => Promise<Figures>): () => Promise<Figures> {
  let last: { readonly at: number; readonly figures: Promise<Figures> } | null = null;
  return () => {
    if (last === null || performance.now() - last.at > keptMs) {
      // A database that is away has its own alarm; the other metrics must still be had.
      last = { at: performance.now(), figures: look().catch(() => nothing) };
    }
    return last.figures;
  };
}
