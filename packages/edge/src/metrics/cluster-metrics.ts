import {
  AggregatorRegistry,
  type MetricObjectWithValues,
  type MetricValue,
  type PrometheusContentType,
  Registry,
} from "prom-client";
import { createCounters, createGauges } from "./collected-values.ts";
import type { Health, Operation } from "./operational.ts";

type MetricsJson = readonly MetricObjectWithValues<MetricValue<string>>[];

/** The metrics of several worker processes as those of one edge. */
export interface ClusterMetrics extends Operation {
  /**
   * Stores what a worker, by a name of its own, has sent; false when the message is something else.
   */
  receive(worker: string, message: unknown): boolean;
  /** A worker has a successor: it completes its work and does not count as serving. */
  workerReplaced(worker: string): void;
  /** A worker has ended: its counters stay in the totals, its gauges do not. */
  workerEnded(worker: string): void;
  /** From now on the edge is not ready, whatever its workers do. */
  drain(): void;
  /** Where the restarts of the accelerator are read, if there is one. */
  accelerated(restarts: () => number): void;
}

/** What a worker sends to its parent process. */
interface MetricsMessage {
  readonly type: "edge_metrics";
  readonly metrics: MetricsJson;
}

export const metricsIntervalMs = 1_000;
/** A worker that has sent no metrics for this long is not serving. */
const unresponsiveAfterMs = 5_000;

/** Types whose values only grow. */
const cumulative: ReadonlySet<string> = new Set(["counter", "histogram"]);

export async function metricsMessage(registry: Registry): Promise<MetricsMessage> {
  return { type: "edge_metrics", metrics: await registry.getMetricsAsJSON() };
}

export function createClusterMetrics(
  size: number,
  monotonicMs: () => number = () => performance.now(),
): ClusterMetrics {
  const latest = new Map<string, { readonly at: number; readonly metrics: MetricsJson }>();
  /** The counters of ended workers, summed. */
  let ended: Promise<MetricsJson> = Promise.resolve([]);
  const replaced = new Set<string>();
  /** Names are never used again; a message may arrive after the end of its worker. */
  const gone = new Set<string>();
  let restarts = 0;
  let isDraining = false;
  let acceleratorRestarts = (): number => 0;

  const health = (): Health => {
    const now = monotonicMs();
    const serving = [...latest].filter(
      ([worker, { at }]) => now - at <= unresponsiveAfterMs && !replaced.has(worker),
    ).length;
    const some = serving === 0 ? "down" : "degraded";
    const status = serving >= size ? "ok" : some;
    return { status: isDraining ? "draining" : status, workers: size, serving };
  };
  const own = createSupervisorRegistry({
    health,
    restarts: () => restarts,
    acceleratorRestarts: () => acceleratorRestarts(),
  });

  return {
    receive(worker, message) {
      if (!isMetricsMessage(message)) return false;
      if (gone.has(worker)) return true;
      latest.set(worker, { at: monotonicMs(), metrics: message.metrics });
      return true;
    },
    workerReplaced(worker) {
      replaced.add(worker);
    },
    drain() {
      isDraining = true;
    },
    accelerated(read) {
      acceleratorRestarts = read;
    },
    workerEnded(worker) {
      const last = latest.get(worker);
      latest.delete(worker);
      gone.add(worker);
      if (!replaced.delete(worker)) restarts += 1;
      if (!last) return;
      const counters = last.metrics.filter(({ type }) => cumulative.has(String(type)));
      ended = ended.then(async (totals) => {
        const sums = AggregatorRegistry.aggregate([totals, counters]);
        return withoutForgotten(await sums.getMetricsAsJSON(), [...latest.values()]);
      });
    },
    health,
    async metricsText() {
      const running = [...latest.values()].map(({ metrics }) => metrics);
      const workers = AggregatorRegistry.aggregate<PrometheusContentType>([
        ...running,
        await ended,
      ]);
      return Registry.merge([own, workers]).metrics();
    },
  };
}

/** Applications whose numbers from ended workers are retained. */
const maxEndedApplications = 1_000;

/**
 * Beyond a number of applications, the totals of ended workers are dropped for those that no
 * running worker reports: what nobody counts any more needs no total.
 */
function withoutForgotten(
  totals: MetricsJson,
  running: readonly { readonly metrics: MetricsJson }[],
): MetricsJson {
  if (applicationsIn(totals).size <= maxEndedApplications) return totals;
  const reported = applicationsIn(running.flatMap(({ metrics }) => metrics));
  return totals.map((metric) => ({
    ...metric,
    values: metric.values.filter(
      ({ labels: { application } }) => application === undefined || reported.has(application),
    ),
  }));
}

function applicationsIn(metrics: MetricsJson): ReadonlySet<string | number> {
  const labels = metrics.flatMap(({ values }) =>
    values.map((value) => value.labels["application"]),
  );
  return new Set(labels.filter((label) => label !== undefined));
}

/** What only the process that starts the workers knows; an edge of one process reports itself. */
export function createSupervisorRegistry(source: {
  readonly health: () => Health;
  readonly restarts: () => number;
  readonly acceleratorRestarts: () => number;
}): Registry {
  const registry = new Registry();
  const counter = createCounters(registry);
  createGauges(registry)("workers", "Processes that serve", () => source.health().serving);
  counter(
    "worker_restarts_total",
    "Processes that ended unexpectedly and were restarted",
    source.restarts,
  );
  counter(
    "accelerator_restarts_total",
    "Times that the accelerator ended unexpectedly and was restarted",
    source.acceleratorRestarts,
  );
  return registry;
}

/**
 * Only our own workers have a channel to this process, and they send what `metricsMessage` returns.
 */
function isMetricsMessage(message: unknown): message is MetricsMessage {
  return (
    typeof message === "object" &&
    message !== null &&
    "type" in message &&
    message.type === "edge_metrics"
  );
}
