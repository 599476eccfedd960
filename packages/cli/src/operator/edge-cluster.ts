import { once } from "node:events";
import { createServer } from "node:net";
import { fileURLToPath } from "node:url";
import { type Config, createLogger } from "@mooring/control/settings";
import {
  type ClusterMetrics,
  createClusterMetrics,
  type RunningOperational,
  startOperational,
} from "@mooring/edge";
import { processEnvironment } from "../config.ts";
import { runProcesses, type Supervisor } from "../supervisor.ts";

export interface RunningCluster {
  close(): Promise<void>;
}

const main = fileURLToPath(new URL("../main.ts", import.meta.url));

/** Collects garbage when the heap has grown by 40 %, not when it has trebled: a flood leaves little. */
export const edgeHeapGrowth = "--heap-growing-percent=40";

/**
 * A quarter of Node's default for the young generation, because every worker pays it. No session
 * tickets: they are never accepted and would cost a part of every handshake.
 */
export const edgeNodeOptions = [
  "--max-semi-space-size=4",
  edgeHeapGrowth,
  `--openssl-config=${fileURLToPath(new URL("edge-openssl.cnf", import.meta.url))}`,
];
/** One malloc arena for all threads: each further arena retains some megabytes. */
export const edgeAllocatorOptions = { MALLOC_ARENA_MAX: "1" } as const;

/**
 * Starts several worker processes that listen on the same ports; the kernel spreads connections over
 * them. This process restarts crashed workers and reports health and metrics of all of them on the
 * internal port.
 */
export async function startEdgeCluster(config: Config, count: number): Promise<RunningCluster> {
  const log = createLogger({ level: config.logLevel, name: "edge" });
  const metrics = createClusterMetrics(count);
  const shared = {
    EDGE_WORKERS: String(count),
    EDGE_HTTP_PORT: String(await claimPort(config.edgeHost, config.edgeHttpPort)),
    EDGE_HTTPS_PORT: String(await claimPort(config.edgeHost, config.edgeHttpsPort)),
    EDGE_INTERNAL_PORT: undefined,
  };
  const operational = await startInternalPort(config, metrics);
  const workers = runProcesses({
    processes: Array.from({ length: count }, (_, index) => ({
      name: `edge worker ${index + 1}`,
      args: [...edgeNodeOptions, main, "serve", "edge"],
      env: { ...edgeAllocatorOptions, EDGE_WORKER: String(index) },
    })),
    env: { ...processEnvironment(), ...shared },
    onMessage: (name, message) => metrics.receive(name, message),
    onEvent(event) {
      if (event.kind === "killed")
        log.error(event, "edge worker did not end in time and was killed");
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
 * The port for the workers. Listening on it exclusively once fails if another process has it: on a
 * shared port two unrelated edges would each get a part of the connections.
 */
async function claimPort(host: string, wanted: number): Promise<number> {
  const server = createServer().listen(wanted, host);
  await once(server, "listening");
  const address = server.address();
  server.close();
  await once(server, "close");
  return typeof address === "object" && address !== null ? address.port : wanted;
}

async function startInternalPort(
  config: Config,
  metrics: ClusterMetrics,
): Promise<RunningOperational | null> {
  const { edgeHost: host, edgeInternalPort: port } = config;
  return port === null ? null : startOperational({ host, port }, metrics);
}
