import { openDatabase } from "../../packages/control/src/db/engine/pool.ts";
import { createApiMetrics } from "../../packages/control/src/metrics/api.ts";
import { createWorkerMetrics } from "../../packages/control/src/metrics/worker.ts";
import { createSupervisorRegistry } from "../../packages/edge/src/metrics/cluster-metrics.ts";
import {
  createCertificateStats,
  createEdgeRegistry,
  createStats,
} from "../../packages/edge/src/metrics/metrics.ts";
import { createNameServerRegistry } from "../../packages/edge/src/nameserver/metrics.ts";

/** Of a metric as it is registered; the library's types leave out the labels. */
interface RegisteredMetric {
  readonly name: string;
  readonly help: string;
  readonly type: string;
  readonly labelNames?: readonly string[];
}

/** What a registry knows without collecting any value. */
interface MetricList {
  getMetricsAsArray(): readonly object[];
}

/** Every metric that the processes report, from their own registries. */
export async function metricsPage(): Promise<string> {
  // Never connected to: nothing is collected here.
  const database = openDatabase({ url: "postgres://localhost/", role: "mooring_api" });
  const api = createApiMetrics(database, { now: () => new Date(0) }).registry;
  const worker = createWorkerMetrics([], () => 0, {});
  const edge = createEdgeRegistry({
    stats: createStats(),
    certificates: createCertificateStats(),
    hosts: { size: 0, isInMemory: () => false, takeovers: () => 0 },
  });
  const answers = { udp: 0, tcp: 0 };
  const nameServer = createNameServerRegistry({ answers, dropped: 0, malformed: 0 }, () => 0);
  const health = () => ({ status: "ok", workers: 1, serving: 1 }) as const;
  const supervisor = createSupervisorRegistry({
    health,
    restarts: () => 0,
    acceleratorRestarts: () => 0,
  });
  await database.close();
  return [
    "# Metrics",
    "",
    "Each process reports in the Prometheus text format at `/metrics` of its",
    "[private listener](self-hosting.md#the-private-listeners).",
    "[A dashboard](../deploy/grafana/mooring.json) and [alert rules](../deploy/prometheus/alerts.yaml) over",
    "them come with the repository. `npm run generate` writes this page from the code.",
    "",
    "## The edge",
    "",
    "Sums over all worker processes, also over those that have ended. Times are in seconds and sizes in bytes. Metrics",
    "with the label `application` are of HTTPS requests. By default they name no application: the label is `other`. With",
    "`EDGE_METRICS_APPLICATIONS=true` ([configuration](configuration.md)) it is the id of the application that the host",
    "belongs to, for the 50 busiest, and `other` is all applications without a series of their own. With several worker",
    "processes each chooses the busiest for itself. An application that gains a series starts at zero, and its",
    "earlier requests stay in `other`; so use `rate()`, as with every counter.",
    "",
    ...table([supervisor, edge]),
    "",
    "## The name servers",
    "",
    "Of [delegated validation](delegated-validation.md).",
    "",
    ...table([nameServer]),
    "",
    "## The API",
    "",
    "Backlogs and connections are read from the database: every API process reports the same. Metrics that begin with",
    "`mooring_process_` and `mooring_nodejs_` are those of Node's runtime.",
    "",
    ...table([api]),
    "",
    "## Workers",
    "",
    "With `WORKER_INTERNAL_PORT`; `mooring_worker_process_` and `mooring_worker_nodejs_` are Node's runtime.",
    "",
    ...table([worker]),
    "",
  ].join("\n");
}

/** Metrics of the runtime have names of their own and are described by their library. */
const runtimeMetric = /^mooring_(?:worker_)?(?:process|nodejs)_/;

function table(registries: readonly MetricList[]): string[] {
  const metrics = registries
    .flatMap((registry) => registry.getMetricsAsArray())
    .map(asRegistered)
    .filter(({ name }) => !runtimeMetric.test(name))
    .sort((a, b) => (a.name < b.name ? -1 : 1));
  return [
    "| Metric | Type | Labels | Meaning |",
    "|---|---|---|---|",
    ...metrics.map(
      ({ name, type, labelNames = [], help }) =>
        `| \`${name}\` | ${type} | ${labelNames.map((label) => `\`${label}\``).join(", ")} | ${help}. |`,
    ),
  ];
}

/** The registries hold metrics only. */
function asRegistered(metric: object): RegisteredMetric {
  return metric as RegisteredMetric;
}
