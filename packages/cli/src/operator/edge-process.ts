import { getServers } from "node:dns";
import { once } from "node:events";
import { createServer } from "node:net";
import { availableParallelism } from "node:os";
import { fileURLToPath } from "node:url";
import { setFlagsFromString } from "node:v8";
import {
  byVariable,
  type Config,
  caaIssuer,
  createLogger,
  databaseUrl,
  loadRootKeys,
  recursiveResolvers,
} from "@mooring/control/settings";
import {
  type ClusterMetrics,
  createClusterMetrics,
  type EdgeWorker,
  metricsIntervalMs,
  metricsMessage,
  type RunningOperational,
  startEdge,
  startOperational,
} from "@mooring/edge";
import { processEnvironment } from "../config.ts";
import { runProcesses, type Supervisor } from "../supervisor.ts";

interface Running {
  close(): Promise<void>;
}

/** The whole edge in this process, one worker of several, or the process that starts those. */
export function startEdgeProcess(config: Config): Promise<Running> {
  const count = config.edgeWorkers ?? defaultWorkers();
  if (config.edgeWorker !== null) {
    return startWorker(config, { index: config.edgeWorker, of: count });
  }
  if (count > 1) return startEdgeCluster(config, count);
  limitHeap();
  return startEdge(edgeParts(config));
}

/** Sets the heap options of the workers in a running process, as far as V8 allows. */
function limitHeap(): void {
  setFlagsFromString(edgeHeapGrowth);
  setFlagsFromString("--semi-space-growth-factor=1");
}

/** One for each core on Linux, where the kernel spreads connections over several listeners. */
function defaultWorkers(): number {
  return process.platform === "linux" ? availableParallelism() : 1;
}

async function startWorker(config: Config, worker: EdgeWorker): Promise<Running> {
  const edge = await startEdge({ ...edgeParts(config), worker });
  const sendMetrics = async (): Promise<void> => {
    const message = await metricsMessage(edge.metrics);
    if (process.connected) process.send?.(message);
  };
  await sendMetrics();
  const timer = setInterval(() => void sendMetrics(), metricsIntervalMs);
  return {
    async close() {
      await edge.close();
      clearInterval(timer);
      await sendMetrics();
    },
  };
}

function edgeParts(config: Config): Parameters<typeof startEdge>[0] {
  return {
    settings: byVariable(config),
    databaseUrl: databaseUrl(config),
    rootKeys: loadRootKeys(config),
    resolvers: recursiveResolvers(config.dnsResolvers, getServers()),
    caaNames: (directory) => caaIssuer([directory]).issuers,
    log: createLogger({ level: config.logLevel, name: "edge" }),
  };
}

const main = fileURLToPath(new URL("../main.ts", import.meta.url));

/** Collects garbage after the heap has grown by 40 %, not threefold: memory after a flood stays low. */
const edgeHeapGrowth = "--heap-growing-percent=40";

/**
 * A quarter of Node's semi-space, since every worker pays for it. No session tickets: the edge does
 * not accept them, and they cost time in every handshake.
 */
export const edgeNodeOptions = [
  "--max-semi-space-size=4",
  edgeHeapGrowth,
  `--openssl-config=${fileURLToPath(new URL("edge-openssl.cnf", import.meta.url))}`,
];
/** One arena of the C library for all threads: each further one retains some megabytes. */
export const edgeAllocatorOptions = { MALLOC_ARENA_MAX: "1" } as const;

/**
 * Several processes that listen on the same ports; the kernel spreads connections over them. This
 * process handles no connection: it starts the workers, restarts those that crash, and answers for all
 * of them on the internal port.
 */
async function startEdgeCluster(config: Config, count: number): Promise<Running> {
  const log = createLogger({ level: config.logLevel, name: "edge" });
  const metrics = createClusterMetrics(count);
  const shared = {
    EDGE_WORKERS: String(count),
    EDGE_HTTP_PORT: String(await claimPort(config.edgeHost, config.edgeHttpPort)),
    EDGE_HTTPS_PORT: String(await claimPort(config.edgeHost, config.edgeHttpsPort)),
    EDGE_INTERNAL_PORT: undefined,
  };
  const operational = await startInternal(config, metrics);
  const workers = runProcesses({
    processes: Array.from({ length: count }, (_, index) => ({
      name: `edge worker ${index + 1}`,
      args: [...edgeNodeOptions, main, "serve", "edge"],
      env: { ...edgeAllocatorOptions, EDGE_WORKER: String(index) },
    })),
    env: { ...processEnvironment(), ...shared },
    onMessage: (name, message) => metrics.receive(name, message),
    onEvent(event) {
      if (event.kind === "killed") log.error(event, "edge worker did not end in time");
      if (event.kind !== "ended") return;
      log.error(event, "edge worker ended unexpectedly");
      metrics.workerEnded(event.name);
    },
  });
  await untilReady(workers, operational);
  return {
    async close() {
      await workers.stop();
      await operational?.close();
    },
  };
}

async function untilReady(
  workers: Supervisor,
  operational: RunningOperational | null,
): Promise<void> {
  try {
    await Promise.race([workers.ready, workers.ended]);
  } catch (error) {
    await workers.stop();
    await operational?.close();
    throw error;
  }
}

/**
 * The port for the workers. Listening on it exclusively once shows whether another process has it: on
 * a shared port two unrelated edges would each get a part of the connections.
 */
async function claimPort(host: string, wanted: number): Promise<number> {
  const server = createServer().listen(wanted, host);
  await once(server, "listening");
  const address = server.address();
  server.close();
  await once(server, "close");
  return typeof address === "object" && address !== null ? address.port : wanted;
}

async function startInternal(
  config: Config,
  metrics: ClusterMetrics,
): Promise<RunningOperational | null> {
  const { edgeHost: host, edgeInternalPort: port } = config;
  return port === null ? null : startOperational({ host, port }, metrics);
}
