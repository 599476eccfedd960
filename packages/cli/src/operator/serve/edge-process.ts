import { getServers } from "node:dns";
import { once } from "node:events";
import { createServer } from "node:net";
import { availableParallelism } from "node:os";
import { setTimeout as delay } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { setFlagsFromString } from "node:v8";
import {
  byVariable,
  type Config,
  caaIssuer,
  createLogger,
  databaseUrl,
  loadEdgeKeys,
  recursiveResolvers,
} from "@mooring/control/settings";
import {
  type ClusterMetrics,
  createClusterMetrics,
  createHeldListeners,
  createInheritedListeners,
  createListenerHandover,
  createRateAllotter,
  createSharedLimiter,
  endLeftoverAccelerator,
  type HeldListeners,
  type ListenerHandover,
  metricsIntervalMs,
  metricsMessage,
  type RunningAccelerator,
  type RunningOperational,
  startAccelerator,
  startEdge,
  startOperational,
} from "@mooring/edge";
import { ownEnvironment, processEnvironment } from "../../config.ts";
import { type ProcessEvent, runProcesses, type Supervisor } from "../../supervisor.ts";
import { type PassedListeners, passOn, readInheritedListeners } from "./inherited-listeners.ts";
import { createSilentWorkers, type SilentWorkers } from "./silent-workers.ts";

interface Running {
  close(): Promise<void>;
}

/**
 * The whole edge in this process, one worker of several, or the process that starts those. Tests
 * start an edge of their own.
 */
export function startEdgeProcess(
  config: Config,
  start: typeof startEdge = startEdge,
): Promise<Running> {
  const count = config.edgeWorkers ?? defaultWorkers();
  if (config.edgeWorker !== null) return startWorker(config, start, [config.edgeWorker, count]);
  return count > 1 ? startEdgeCluster(config, count) : startAlone(config, start);
}

async function startAlone(config: Config, start: typeof startEdge): Promise<Running> {
  limitHeap();
  const handover = inheritedHandover();
  const parts = edgeParts(config);
  const edge = await start(handover === null ? parts : { ...parts, handover });
  // Nobody can take over: the hangup of a terminal ends it.
  process.once("SIGHUP", () => process.kill(process.pid, "SIGTERM"));
  return edge;
}

/** Sets the heap options of the workers in a running process, as far as V8 allows. */
function limitHeap(): void {
  setFlagsFromString(edgeHeapGrowth);
  setFlagsFromString("--semi-space-growth-factor=1");
}

/**
 * One for each core on Linux, where the kernel spreads connections over several listeners, and at
 * least two: when one ends, the other serves while it restarts.
 */
function defaultWorkers(): number {
  return process.platform === "linux" ? Math.max(2, availableParallelism()) : 1;
}

async function startWorker(
  config: Config,
  start: typeof startEdge,
  [index, of]: readonly [index: number, of: number],
): Promise<Running> {
  const handover = inheritedHandover() ?? createListenerHandover(process);
  const limiter = createSharedLimiter(process, of);
  const edge = await start({ ...edgeParts(config), worker: { index, of, handover, limiter } });
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

/** Null unless a service manager has opened the ports for this edge. */
function inheritedHandover(): ListenerHandover | null {
  const inherited = readInheritedListeners(ownEnvironment(), process.pid);
  const http = inherited.get("edge-http");
  const https = inherited.get("edge-https");
  if (http === undefined || https === undefined) return null;
  return createInheritedListeners({ http, https });
}

/** What a process of the edge plane is given. */
export function edgeParts(config: Config, name = "edge"): Parameters<typeof startEdge>[0] {
  return {
    settings: byVariable(config),
    databaseUrl: config.edgeFeed === "nats" ? null : databaseUrl(config),
    rootKeys: loadEdgeKeys(config),
    resolvers: recursiveResolvers(config.dnsResolvers, getServers()),
    caaNames: (directory) => caaIssuer([directory]).issuers,
    log: createLogger({ level: config.logLevel, name }),
  };
}

const main = fileURLToPath(new URL("../../main.ts", import.meta.url));

/**
 * Collects garbage after the heap has grown by 40 %, not threefold: memory after a flood stays low.
 */
const edgeHeapGrowth = "--heap-growing-percent=40";

/**
 * A quarter of Node's semi-space, since every worker pays for it. OpenSSL's own configuration alone
 * sets how many session tickets follow a handshake.
 */
export function edgeNodeOptions(hasTickets: boolean): readonly string[] {
  const file = hasTickets ? "edge-openssl.cnf" : "edge-openssl-no-tickets.cnf";
  return [
    "--max-semi-space-size=4",
    edgeHeapGrowth,
    `--openssl-config=${fileURLToPath(new URL(file, import.meta.url))}`,
  ];
}
/** One arena of the C library for all threads: each further one retains some megabytes. */
export const edgeAllocatorOptions = { MALLOC_ARENA_MAX: "1" } as const;

/**
 * Several processes that listen on the same ports; the kernel spreads connections over them. This
 * process handles no connection: it starts the workers, restarts those that crash, replaces all on
 * SIGHUP, and answers for all of them on the internal port.
 */
async function startEdgeCluster(config: Config, count: number): Promise<Running> {
  const log = createLogger({ level: config.logLevel, name: "edge" });
  const metrics = createClusterMetrics(count);
  const passed = passOn(readInheritedListeners(ownEnvironment(), process.pid));
  const isAccelerated = config.edgeAccelerator === "haproxy";
  if (isAccelerated) await endLeftoverAccelerator({ DATA_DIR: config.dataDir });
  const ports = await sharedPorts(config, passed);
  const shared = {
    EDGE_WORKERS: String(count),
    ...ports,
    EDGE_INTERNAL_PORT: undefined,
    // This process waits for all of them.
    EDGE_DRAIN_DELAY: undefined,
  };
  const operational = await startInternal(config, metrics);
  const listeners = createHeldListeners();
  const rates = createRateAllotter();
  const silent = createSilentWorkers((pid, silentMs) => {
    log.error({ pid, silentMs }, "edge worker does not respond and is killed");
    killHard(pid);
  });
  const workers = runProcesses({
    processes: Array.from({ length: count }, (_, index) => ({
      name: `edge worker ${index + 1}`,
      args: [...edgeNodeOptions(config.edgeSessionTickets), main, "serve", "edge"],
      env: { ...edgeAllocatorOptions, ...passed.env, EDGE_WORKER: String(index) },
      descriptors: passed.descriptors,
    })),
    env: { ...processEnvironment(), ...shared },
    stopWithinMs: config.edgeDrainMs + 2_500,
    onMessage(from, message, handle) {
      silent.received(from.pid);
      if (rates.receive(from, message) || listeners.receive(from, message, handle)) return;
      metrics.receive(workerKey(from), message);
    },
    onEvent: (event) => observe(event, { log, metrics, listeners, silent }),
  });
  const silence = setInterval(silent.check, metricsIntervalMs).unref();
  await untilReady(workers, operational);
  const httpsPort = Number(ports.EDGE_HTTPS_PORT ?? config.edgeHttpsPort);
  const accelerator = isAccelerated
    ? await accelerateWorkers({ ...config, edgeHttpsPort: httpsPort }, count, workers)
    : null;
  metrics.accelerated(() => accelerator?.restarts() ?? 0);
  const stopReplacing = replaceOnHangup({ workers, accelerator, log });
  return {
    async close() {
      clearInterval(silence);
      stopReplacing();
      metrics.drain();
      await delay(config.edgeDrainDelayMs);
      listeners.closeAll();
      // A successor of this process needs this port, too.
      await Promise.all([accelerator?.close(), workers.stop(), operational?.close()]);
    },
  };
}

/** It may have ended meanwhile. */
function killHard(pid: number): void {
  try {
    process.kill(pid, "SIGKILL");
  } catch (error) {
    if (!(error instanceof Error && "code" in error && error.code === "ESRCH")) throw error;
  }
}

/** What has the public port for TLS; an edge that cannot have it does not start. */
async function accelerateWorkers(
  config: Config,
  count: number,
  workers: Supervisor,
): Promise<RunningAccelerator> {
  const fd = readInheritedListeners(ownEnvironment(), process.pid).get("edge-https");
  try {
    return await startAccelerator({
      settings: byVariable(config),
      workers: count,
      log: createLogger({ level: config.logLevel, name: "edge" }),
      ...(fd === undefined ? {} : { inherited: fd }),
    });
  } catch (error) {
    await workers.stop();
    throw error;
  }
}

/** Ports that this process was given open are those of the configuration. */
async function sharedPorts(
  { edgeHost: host, edgeHttpPort, edgeHttpsPort }: Config,
  { descriptors }: PassedListeners,
): Promise<{ readonly EDGE_HTTP_PORT?: string; readonly EDGE_HTTPS_PORT?: string }> {
  if (descriptors.length > 0) return {};
  return {
    EDGE_HTTP_PORT: String(await claimPort(host, edgeHttpPort)),
    EDGE_HTTPS_PORT: String(await claimPort(host, edgeHttpsPort)),
  };
}

/** A worker and its successor have the same name. */
function workerKey({ name, pid }: { readonly name: string; readonly pid: number }): string {
  return `${name} ${pid}`;
}

function observe(
  event: ProcessEvent,
  parts: {
    readonly log: ReturnType<typeof createLogger>;
    readonly metrics: ClusterMetrics;
    readonly listeners: HeldListeners;
    readonly silent: SilentWorkers;
  },
): void {
  const { log, metrics, listeners, silent } = parts;
  if (event.kind === "ended" || event.kind === "left") silent.ended(event.pid);
  if (event.kind === "killed") log.error(event, "edge worker did not end in time");
  if (event.kind === "ended") {
    log.error(event, "edge worker ended unexpectedly");
    listeners.close(event.name);
    metrics.workerEnded(workerKey(event));
  }
  if (event.kind === "replaced") {
    log.info(event, "edge worker replaced");
    metrics.workerReplaced(workerKey(event));
  }
  if (event.kind === "left") metrics.workerEnded(workerKey(event));
}

interface Replaced {
  readonly workers: Supervisor;
  readonly accelerator: RunningAccelerator | null;
  readonly log: ReturnType<typeof createLogger>;
}

/** A hangup during a replacement starts another one after it. Returns how to stop. */
function replaceOnHangup(replaced: Replaced): () => void {
  let last: Promise<void> = Promise.resolve();
  let isWaiting = false;
  const onHangup = (): void => {
    if (isWaiting) return;
    isWaiting = true;
    last = last.then(() => {
      isWaiting = false;
      return replaceAll(replaced);
    });
  };
  process.on("SIGHUP", onHangup);
  return () => process.off("SIGHUP", onHangup);
}

/**
 * The accelerator first: workers that drain then end what visitors have open through the one that
 * leaves, which passes it on and knows nothing of it. Neither needs the other to be replaced.
 */
async function replaceAll({ workers, accelerator, log }: Replaced): Promise<void> {
  log.info({}, "edge workers are being replaced");
  await accelerator
    ?.replace()
    .catch((error: unknown) => log.error({ err: error }, "accelerator not replaced"));
  await workers.replace().then(
    () => log.info({}, "edge workers are replaced"),
    (error: unknown) => log.error({ err: error }, "edge workers not replaced"),
  );
  accelerator?.endReplaced();
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
 * The port for the workers. Listening on it exclusively once shows whether another process has it:
 * on a shared port two unrelated edges would each get a part of the connections.
 */
function claimPort(host: string, requested: number): Promise<number> {
  return whenFree(async () => {
    const server = createServer().listen(requested, host);
    await once(server, "listening");
    const address = server.address();
    server.close();
    await once(server, "close");
    return typeof address === "object" && address !== null ? address.port : requested;
  });
}

const predecessorMs = 2_000;
const retryMs = 100;

/** Retries for a moment: an edge that is going to stop closes its ports before it drains. */
async function whenFree<T>(listen: () => Promise<T>): Promise<T> {
  const deadline = performance.now() + predecessorMs;
  for (;;) {
    try {
      return await listen();
    } catch (error) {
      const isTaken = error instanceof Error && "code" in error && error.code === "EADDRINUSE";
      if (!isTaken || performance.now() > deadline) throw error;
      await delay(retryMs);
    }
  }
}

async function startInternal(
  config: Config,
  metrics: ClusterMetrics,
): Promise<RunningOperational | null> {
  const { edgeHost: host, edgeInternalPort: port } = config;
  return port === null ? null : whenFree(() => startOperational({ host, port }, metrics));
}
