import { Gauge, type Registry } from "prom-client";
import type { Clock } from "../../../postgres/src/clock.ts";
import type { Database } from "../db/engine/pool.ts";
import { countAllQuotaWaits } from "../db/queries/billing/quota-waits.ts";
import { countRecentWrites, type WriteHealth } from "../db/queries/dns-writes/dns-writes.ts";
import { countDangling } from "../db/queries/left-behind/left-behind.ts";
import {
  type Backlog,
  type InProgress,
  selectBacklogs,
  selectInProgress,
  selectTimesToLive,
  type TimeToLive,
} from "../db/queries/operator/metrics.ts";
import { countParked } from "../db/queries/operator/parked-rows.ts";
import { countTenants } from "../db/queries/operator/tenants.ts";
import { type LogHealth, selectLogHealth } from "../db/queries/transparency/logs.ts";

interface Totals {
  readonly backlogs: readonly Backlog[];
  readonly pending: readonly InProgress[];
  readonly timesToLive: readonly TimeToLive[];
  readonly writes: readonly WriteHealth[];
  readonly parked: Awaited<ReturnType<typeof countParked>>;
  /** By state. */
  readonly tenants: Readonly<Record<string, number>>;
  readonly logs: readonly LogHealth[];
  readonly dangling: number;
  readonly waiting: number;
}

const noTotals: Totals = {
  backlogs: [],
  pending: [],
  timesToLive: [],
  writes: [],
  parked: [],
  tenants: {},
  logs: [],
  dangling: 0,
  waiting: 0,
};

/** All gauges of one scrape, and scrapers that come together, share one read of the database. */
const cacheMs = 2_000;

/**
 * Gauges over all tenants, read from the database: due work, connections on the way to live, writes
 * to DNS providers. Every API process reports the same values. A worker process reports only what
 * it does itself, and only when WORKER_INTERNAL_PORT is set.
 */
export function addDatabaseGauges(registry: Registry, database: Database, clock: Clock): void {
  const totals = cached(() =>
    database.system(async (tx) => {
      const now = clock.now();
      return {
        backlogs: await selectBacklogs(tx, now),
        pending: await selectInProgress(tx, now),
        timesToLive: await selectTimesToLive(tx, now),
        writes: await countRecentWrites(tx, now),
        parked: await countParked(tx),
        tenants: await countTenants(tx),
        logs: await selectLogHealth(tx, now),
        dangling: await countDangling(tx),
        waiting: await countAllQuotaWaits(tx),
      };
    }),
  );
  const gauge = <L extends string>(
    name: string,
    help: string,
    labelNames: readonly L[],
    fill: (totals: Totals, set: (labels: Record<L, string>, value: number) => void) => void,
  ) =>
    new Gauge({
      name,
      help,
      labelNames: [...labelNames],
      registers: [registry],
      async collect() {
        const found = await totals();
        this.reset();
        fill(found, (labels, value) => this.set(labels, value));
      },
    });
  addWorkGauges(gauge);
  addProviderGauges(gauge);
  addLogGauges(gauge);
}

type AddGauge = <L extends string>(
  name: string,
  help: string,
  labelNames: readonly L[],
  fill: (totals: Totals, set: (labels: Record<L, string>, value: number) => void) => void,
) => void;

function addWorkGauges(gauge: AddGauge): void {
  gauge("mooring_due_rows", "Work that is due and waits for a worker", ["work"], (found, set) => {
    for (const { work, rows } of found.backlogs) set({ work }, rows);
  });
  gauge("mooring_due_oldest_seconds", "How long the oldest has waited", ["work"], (found, set) => {
    for (const { work, oldestSeconds } of found.backlogs) set({ work }, oldestSeconds);
  });
  gauge(
    "mooring_parked_rows",
    "Work that failed for good and is not tried until somebody wakes it",
    ["work"],
    (found, set) => {
      for (const { work, rows } of found.parked) set({ work }, rows);
    },
  );
  gauge("mooring_tenants", "Tenants, by state", ["state"], (found, set) => {
    for (const [state, rows] of Object.entries(found.tenants)) set({ state }, rows);
  });
  gauge(
    "mooring_names_dangling",
    "Names that are archived and were last seen to resolve to the service still",
    [],
    (found, set) => set({}, found.dangling),
  );
  gauge(
    "mooring_names_over_quota",
    "Proven names that wait because their tenant's plan is full",
    [],
    (found, set) => set({}, found.waiting),
  );
  gauge("mooring_connections_pending", "Not live yet, by state", ["state"], (found, set) => {
    for (const { state, rows } of found.pending) set({ state }, rows);
  });
  gauge(
    "mooring_connections_pending_oldest_seconds",
    "How long the oldest has been in its phase, by state",
    ["state"],
    (found, set) => {
      for (const { state, oldestSeconds } of found.pending) set({ state }, oldestSeconds);
    },
  );
}

function addProviderGauges(gauge: AddGauge): void {
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
  gauge(
    "mooring_provider_writes",
    "Writes to DNS providers within the last 24 hours, by how they ended",
    ["provider", "outcome"],
    (found, set) => {
      for (const { provider, writes, failures } of found.writes) {
        set({ provider, outcome: "applied" }, writes - failures);
        set({ provider, outcome: "failed" }, failures);
      }
    },
  );
  gauge(
    "mooring_provider_last_error_timestamp_seconds",
    "When a write to the DNS provider last failed, within the last 24 hours",
    ["provider"],
    (found, set) => {
      for (const { provider, lastErrorAt } of found.writes) {
        if (lastErrorAt) set({ provider }, lastErrorAt.getTime() / 1_000);
      }
    },
  );
}

function addLogGauges(gauge: AddGauge): void {
  gauge(
    "mooring_ct_behind_seconds",
    "How far the certificates of a transparency log that were read are behind its newest",
    ["log"],
    (found, set) => {
      for (const { description: log, behindSeconds } of found.logs) set({ log }, behindSeconds);
    },
  );
  gauge(
    "mooring_ct_stopped",
    "1 for a transparency log that showed a false signature, a fork or false entries",
    ["log"],
    (found, set) => {
      for (const { description: log, stopReason } of found.logs) {
        set({ log }, stopReason === null ? 0 : 1);
      }
    },
  );
  gauge(
    "mooring_ct_entries_read",
    "Entries of a transparency log that were read since it is listed",
    ["log"],
    (found, set) => {
      for (const { description: log, entriesRead } of found.logs) set({ log }, entriesRead);
    },
  );
  gauge(
    "mooring_ct_entries_unreadable",
    "Entries among them whose certificate could not be read",
    ["log"],
    (found, set) => {
      for (const { description: log, entriesUnreadable } of found.logs) {
        set({ log }, entriesUnreadable);
      }
    },
  );
}

function cached(read: () => Promise<Totals>): () => Promise<Totals> {
  let last: { readonly at: number; readonly totals: Promise<Totals> } | null = null;
  return () => {
    if (last === null || performance.now() - last.at > cacheMs) {
      // An unreachable database has its own alert; the process's other metrics are still served.
      last = { at: performance.now(), totals: read().catch(() => noTotals) };
    }
    return last.totals;
  };
}
