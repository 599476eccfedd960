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
import { type EdgeWorker, figuresEveryMs, figuresMessage, startEdge } from "@mooring/edge";
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
  keepHeapSmall();
  return startEdge(edgeParts(config));
}

/** What workers get on their command line, as far as a process that runs can still be told. */
function keepHeapSmall(): void {
  setFlagsFromString(edgeHeapGrowth);
  setFlagsFromString("--semi-space-growth-factor=1");
}

/** One for each core, where the kernel can spread connections over several listeners. */
function defaultWorkers(): number {
  return process.platform === "linux" ? availableParallelism() : 1;
}

async function startWorker(config: Config, worker: EdgeWorker): Promise<Running> {
  const edge = await startEdge({ ...edgeParts(config), worker });
  const tell = (): void => void process.send?.(figuresMessage(edge.figures()));
  tell();
  const timer = setInterval(tell, figuresEveryMs);
  return {
    async close() {
      await edge.close();
      clearInterval(timer);
      if (process.connected) tell();
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
