import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from "prom-client";
import type { Clock } from "../../../postgres/src/clock.ts";
import type { Database } from "../db/engine/pool.ts";
import { addDatabaseGauges } from "./database.ts";

/** The metrics of an API process. Labels are fixed lists: never a tenant, hostname or id. */
export interface ApiMetrics {
  readonly registry: Registry;
  readonly requests: Histogram<"method" | "route" | "status">;
  readonly rateLimited: Counter<"bucket">;
}

/** Whether names below the edge's resolve to it; null where that is not asked. */
interface Targets {
  found(): "published" | "absent" | "elsewhere" | "unknown" | null;
}

export function createApiMetrics(
  database: Database,
  clock: Clock,
  targets: Targets = { found: () => null },
): ApiMetrics {
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
  new Gauge({
    name: "mooring_edge_targets_published",
    help: "1 while names below EDGE_CNAME resolve to the edge, 0 while new connections get the shared name; no value with EDGE_TARGETS=shared",
    registers: [registry],
    collect() {
      this.reset();
      const found = targets.found();
      if (found === null) this.remove();
      else this.set(found === "published" ? 1 : 0);
    },
  });
  addDatabaseGauges(registry, database, clock);
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
