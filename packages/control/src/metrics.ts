import type { Clock } from "@mooring/postgres";
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from "prom-client";
import type { Database } from "./db/engine/pool.ts";
import { countRecentWrites, type WriteHealth } from "./db/queries/dns-writes.ts";
import { measureWork } from "./work-metrics.ts";

/** Prometheus metrics of one process. Labels are fixed lists: never a tenant, hostname or id. */
export interface Metrics {
  readonly registry: Registry;
  readonly requests: Histogram<"method" | "route" | "status">;
  readonly rateLimited: Counter<"bucket">;
}

export function createMetrics(database: Database, clock: Clock): Metrics {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry, prefix: "mooring_" });
  const pool = database.pool;
  new Gauge({
    name: "mooring_database_connections",
    help: "Connections of the pool by state",
    labelNames: ["state"],
    registers: [registry],
    collect() {
      this.set({ state: "total" }, pool.totalCount);
      this.set({ state: "idle" }, pool.idleCount);
      this.set({ state: "waiting" }, pool.waitingCount);
    },
  });
  measureProviders(registry, database, clock);
  measureWork(registry, database, clock);
  return {
    registry,
    requests: new Histogram({
      name: "mooring_http_request_seconds",
      help: "Time to answer, by route",
      labelNames: ["method", "route", "status"],
      buckets: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
      registers: [registry],
    }),
    rateLimited: new Counter({
      name: "mooring_rate_limited_total",
      help: "Requests answered 429, by bucket",
      labelNames: ["bucket"],
      registers: [registry],
    }),
  };
}

/** Workers write most records and serve no metrics, so the numbers come from what they noted. */
function measureProviders(registry: Registry, database: Database, clock: Clock): void {
  const recent = (): Promise<WriteHealth[]> =>
    database
      .system((tx) => countRecentWrites(tx, clock.now()))
      // A database that is away has its own alarm; the other metrics must still be had.
      .catch(() => []);
  new Gauge({
    name: "mooring_provider_writes",
    help: "Writes to DNS providers within the last 24 hours, by how they ended",
    labelNames: ["provider", "outcome"],
    registers: [registry],
    async collect() {
      const counted = await recent();
      this.reset();
      for (const { provider, writes, failures } of counted) {
        this.set({ provider, outcome: "applied" }, writes - failures);
        this.set({ provider, outcome: "failed" }, failures);
      }
    },
  });
  new Gauge({
    name: "mooring_provider_last_error_timestamp_seconds",
    help: "When a write to the DNS provider last failed, within the last 24 hours",
    labelNames: ["provider"],
    registers: [registry],
    async collect() {
      const counted = await recent();
      this.reset();
      for (const { provider, lastErrorAt } of counted) {
        if (lastErrorAt) this.set({ provider }, lastErrorAt.getTime() / 1_000);
      }
    },
  });
}
