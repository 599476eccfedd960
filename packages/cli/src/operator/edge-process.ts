import { getServers } from "node:dns";
import { availableParallelism } from "node:os";
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
import { type EdgeWorker, metricsIntervalMs, metricsMessage, startEdge } from "@mooring/edge";
import { edgeHeapGrowth, startEdgeCluster } from "./edge-cluster.ts";

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

/** The workers' command-line options, as far as a running process can still set them. */
function limitHeap(): void {
  setFlagsFromString(edgeHeapGrowth);
  setFlagsFromString("--semi-space-growth-factor=1");
}

/** One for each core, where the kernel can spread connections over several listeners. */
function defaultWorkers(): number {
  return process.platform === "linux" ? availableParallelism() : 1;
}

async function startWorker(config: Config, worker: EdgeWorker): Promise<Running> {
  const edge = await startEdge({ ...edgeParts(config), worker });
  const send = async (): Promise<void> => {
    const message = await metricsMessage(edge.metrics);
    if (process.connected) process.send?.(message);
  };
  await send();
  const timer = setInterval(() => void send(), metricsIntervalMs);
  return {
    async close() {
      await edge.close();
      clearInterval(timer);
      await send();
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
