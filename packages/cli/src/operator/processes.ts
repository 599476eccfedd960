import { type Config, startApi, startWorker } from "@mooring/control";
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
