import { getServers } from "node:dns";
import {
  type Config,
  caaIssuer,
  createLogger,
  databaseUrl,
  loadRootKeys,
  recursiveResolvers,
  startApi,
  startWorker,
} from "@mooring/control";
import { startEdge } from "@mooring/edge";
import type { WantedPort } from "../free-ports.ts";

export const processNames = ["api", "worker", "edge"] as const;
export type ProcessName = (typeof processNames)[number];

export interface Running {
  close(): Promise<void>;
}

export interface ProcessKind {
  readonly start: (config: Config) => Promise<Running>;
  /** The listeners it opens. */
  readonly ports: (config: Config) => readonly WantedPort[];
}

/** The processes of this build; what `serve NAME` starts and `serve all` keeps running. */
export const processKinds: Readonly<Partial<Record<ProcessName, ProcessKind>>> = {
  api: { start: startApi, ports: apiPorts },
  worker: { start: startWorker, ports: () => [] },
  edge: { start: startEdgeProcess, ports: edgePorts },
};

/** Those that there are, in the order in which they are started. */
export function presentProcesses(): readonly ProcessName[] {
  return processNames.filter((name) => processKinds[name] !== undefined);
}

export function wantedPorts(config: Config): readonly WantedPort[] {
  return presentProcesses().flatMap((name) => processKinds[name]?.ports(config) ?? []);
}

function apiPorts(config: Config): WantedPort[] {
  const host = config.HOST;
  const internal =
    config.INTERNAL_PORT === null
      ? []
      : [{ variable: "INTERNAL_PORT", host, port: config.INTERNAL_PORT }];
  return [{ variable: "PORT", host, port: config.PORT }, ...internal];
}

function startEdgeProcess(config: Config): Promise<Running> {
  return startEdge({
    settings: config,
    databaseUrl: databaseUrl(config),
    rootKeys: loadRootKeys(config),
    resolvers: recursiveResolvers(config.DNS_RESOLVERS, getServers()),
    caaNames: (directory) => caaIssuer([directory]).issuers,
    log: createLogger({ level: config.LOG_LEVEL, name: "edge" }),
  });
}

function edgePorts(config: Config): WantedPort[] {
  const host = config.EDGE_HOST;
  const internal =
    config.EDGE_INTERNAL_PORT === null
      ? []
      : [{ variable: "EDGE_INTERNAL_PORT", host, port: config.EDGE_INTERNAL_PORT }];
  return [
    { variable: "EDGE_HTTP_PORT", host, port: config.EDGE_HTTP_PORT },
    { variable: "EDGE_HTTPS_PORT", host, port: config.EDGE_HTTPS_PORT },
    ...internal,
  ];
}
