import type { Config } from "@mooring/control/settings";
import type { WantedPort } from "../free-ports.ts";
import { builtAssets } from "./built-assets.ts";

export const processNames = ["api", "worker", "edge"] as const;
export type ProcessName = (typeof processNames)[number];

export interface Running {
  close(): Promise<void>;
}

export interface ProcessKind {
  readonly start: (config: Config) => Promise<Running>;
  /** Loads what `start` needs, for a process that may not begin yet. */
  readonly load?: () => Promise<unknown>;
  /** The listeners it opens. */
  readonly ports: (config: Config) => readonly WantedPort[];
  /** Whether it also starts, on what it has kept, while the database is away. */
  readonly startsWithoutDatabase?: boolean;
}

/** The processes of this build; what `serve NAME` starts and `serve all` keeps running. */
export const processKinds: Readonly<Partial<Record<ProcessName, ProcessKind>>> = {
  api: { start: startApi, load: loadControl, ports: apiPorts },
  worker: { start: startWorker, load: loadControl, ports: workerPorts },
  edge: { start: startEdge, load: loadEdge, ports: edgePorts, startsWithoutDatabase: true },
};

/** Those that there are, in the order in which they are started. */
export function presentProcesses(): readonly ProcessName[] {
  return processNames.filter((name) => processKinds[name] !== undefined);
}

export function wantedPorts(config: Config): readonly WantedPort[] {
  return presentProcesses().flatMap((name) => processKinds[name]?.ports(config) ?? []);
}

function apiPorts(config: Config): WantedPort[] {
  const host = config.host;
  const internal =
    config.internalPort === null
      ? []
      : [{ variable: "INTERNAL_PORT", host, port: config.internalPort }];
  return [{ variable: "PORT", host, port: config.port }, ...internal];
}

function workerPorts({ host, workerInternalPort: port }: Config): WantedPort[] {
  return port === null ? [] : [{ variable: "WORKER_INTERNAL_PORT", host, port }];
}

/** Nor does an edge carry the control plane, several times over, in its memory. */
function loadControl() {
  return import("@mooring/control");
}

async function startApi(config: Config): Promise<Running> {
  const control = await loadControl();
  return control.startApi(config, { assets: builtAssets });
}

async function startWorker(config: Config): Promise<Running> {
  const control = await loadControl();
  return control.startWorker(config);
}

/** The others do not wait for what only an edge needs. */
function loadEdge() {
  return import("./edge-process.ts");
}

async function startEdge(config: Config): Promise<Running> {
  const { startEdgeProcess } = await loadEdge();
  return startEdgeProcess(config);
}

function edgePorts(config: Config): WantedPort[] {
  const host = config.edgeHost;
  const internal =
    config.edgeInternalPort === null
      ? []
      : [{ variable: "EDGE_INTERNAL_PORT", host, port: config.edgeInternalPort }];
  return [
    { variable: "EDGE_HTTP_PORT", host, port: config.edgeHttpPort },
    { variable: "EDGE_HTTPS_PORT", host, port: config.edgeHttpsPort },
    ...internal,
  ];
}
