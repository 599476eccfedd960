import { once } from "node:events";
import { createServer } from "node:net";
import { fileURLToPath } from "node:url";
import { type Config, createLogger } from "@mooring/control/settings";
import { createClusterFigures, type RunningOperational, startOperational } from "@mooring/edge";
import { processEnvironment } from "../config.ts";
import { runProcesses, type Supervisor } from "../supervisor.ts";

export interface RunningCluster {
  close(): Promise<void>;
}

const main = fileURLToPath(new URL("../main.ts", import.meta.url));

/** A heap is cleaned when it has grown by two fifths, not when it has trebled: a flood leaves little. */
export const edgeHeapGrowth = "--heap-growing-percent=40";

/**
 * A quarter of what Node would set aside for short-lived values: every worker pays it again. And no
 * tickets to resume a session with, which would not be taken and cost a part of every handshake.
 */
export const edgeNodeOptions = [
  "--max-semi-space-size=4",
  edgeHeapGrowth,
  `--openssl-config=${fileURLToPath(new URL("edge-openssl.cnf", import.meta.url))}`,
];
/** Of the C library, for all threads one: each more keeps some megabytes to itself. */
export const edgeAllocatorOptions = { MALLOC_ARENA_MAX: "1" } as const;

/**
 * Several processes that listen on the same ports; the kernel spreads connections over them, so none
 * passes through this one. It starts them, starts those again that crash, and speaks for all of them
 * on the internal port.
 */
export async function startEdgeCluster(config: Config, count: number): Promise<RunningCluster> {
  const log = createLogger({ level: config.logLevel, name: "edge" });
  const figures = createClusterFigures(count);
  const shared = {
    EDGE_WORKERS: String(count),
    EDGE_HTTP_PORT: String(await claimPort(config.edgeHost, config.edgeHttpPort)),
    EDGE_HTTPS_PORT: String(await claimPort(config.edgeHost, config.edgeHttpsPort)),
    EDGE_INTERNAL_PORT: undefined,
  };
  const operational = await tellOperation(config, figures);
  const workers = runProcesses({
    processes: Array.from({ length: count }, (_, index) => ({
      name: `edge worker ${index + 1}`,
      args: [...edgeNodeOptions, main, "serve", "edge"],
      env: { ...edgeAllocatorOptions, EDGE_WORKER: String(index) },
    })),
    env: { ...processEnvironment(), ...shared },
    onMessage: (name, message) => figures.hear(name, message),
    onEvent(event) {
      if (event.kind === "killed") log.error(event, "an edge worker did not end in time");
      if (event.kind !== "ended") return;
      log.error(event, "an edge worker ended unexpectedly");
      figures.ended(event.name);
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
 * Which port the workers take. Listening on it alone once finds out whether anybody else has it: on
 * a shared port two edges that know nothing of each other would each get a part of the visitors.
 */
async function claimPort(host: string, wanted: number): Promise<number> {
  const server = createServer().listen(wanted, host);
  await once(server, "listening");
  const address = server.address();
  server.close();
  await once(server, "close");
  return typeof address === "object" && address !== null ? address.port : wanted;
}

async function tellOperation(
  config: Config,
  figures: ReturnType<typeof createClusterFigures>,
): Promise<RunningOperational | null> {
  const { edgeHost: host, edgeInternalPort: port } = config;
  return port === null ? null : startOperational({ host, port }, figures);
}
