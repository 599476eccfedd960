import { fileURLToPath } from "node:url";
import type { AssetDirectories } from "@mooring/control";
import type { Config } from "@mooring/control/settings";
import { ownEnvironment } from "../../config.ts";
import type { RequestedPort } from "../../ports.ts";
import { readInheritedListeners } from "./inherited-listeners.ts";

/** In the order in which they are started. */
export const processNames = ["api", "worker", "issuer", "edge", "dns"] as const;
export type ProcessName = (typeof processNames)[number];

interface Running {
  close(): Promise<void>;
}

export interface ProcessKind {
  readonly start: (config: Config) => Promise<Running>;
  /** Loads the modules of `start`, for a process that must wait for the begin message. */
  readonly load?: () => Promise<unknown>;
  /** The listeners it opens. */
  readonly ports: (config: Config) => readonly RequestedPort[];
  /** How long it may take to close; ten seconds by default. */
  readonly closeWithinMs?: (config: Config) => number;
  /** Whether SIGHUP is its own affair instead of a request to end. */
  readonly handlesHangup?: boolean;
  /** Whether it starts from its disk cache while the database is unreachable. */
  readonly startsWithoutDatabase?: boolean;
  /** Whether these settings give it no database at all. */
  readonly hasNoDatabase?: (config: Config) => boolean;
  /** Whether it works without SECRET_KEY. */
  readonly unsealsNothing?: boolean;
  /** Whether the settings ask for it; `serve all` leaves others out. Every one by default. */
  readonly isWanted?: (config: Config) => boolean;
}

/** The processes of this build: `serve NAME` starts one, `serve all` supervises all. */
export const processKinds: Readonly<Record<ProcessName, ProcessKind>> = {
  api: { start: startApi, load: loadApi, ports: apiPorts },
  worker: { start: startWorker, load: loadControl, ports: workerPorts },
  issuer: {
    start: startIssuer,
    load: loadIssuer,
    ports: issuerPorts,
    isWanted: ({ natsUrls }) => natsUrls.length > 0,
  },
  edge: {
    start: startEdge,
    load: loadEdge,
    ports: edgePorts,
    closeWithinMs: edgeCloseWithinMs,
    handlesHangup: true,
    startsWithoutDatabase: true,
    hasNoDatabase: ({ edgeFeed }) => edgeFeed === "nats",
  },
  dns: {
    start: startDns,
    load: loadDns,
    ports: dnsPorts,
    unsealsNothing: true,
    isWanted: ({ validationZone }) => validationZone !== null,
  },
};

export function requestedProcesses(config: Config): readonly ProcessName[] {
  return processNames.filter((name) => processKinds[name].isWanted?.(config) ?? true);
}

/** A process with a login of its own connects with that one. */
export function withOwnLogin(name: ProcessName, config: Config): Config {
  const url = ownUrl(name, config);
  return url === null ? config : { ...config, databaseUrl: url };
}

export function ownUrl(name: ProcessName, config: Config): string | null {
  return {
    api: config.databaseUrlApi,
    worker: config.databaseUrlWorker,
    issuer: config.databaseUrlEdge,
    edge: config.databaseUrlEdge,
    dns: config.databaseUrlDns,
  }[name];
}

export function requestedPorts(config: Config): readonly RequestedPort[] {
  return requestedProcesses(config).flatMap((name) => processKinds[name].ports(config));
}

function apiPorts(config: Config): RequestedPort[] {
  const { host, port, internalListener } = config;
  const internal = internalListener ? [{ variable: "INTERNAL_PORT", ...internalListener }] : [];
  return [{ variable: "PORT", host, port }, ...internal];
}

function workerPorts({ host, workerInternalPort: port }: Config): RequestedPort[] {
  return port === null ? [] : [{ variable: "WORKER_INTERNAL_PORT", host, port }];
}

function issuerPorts({ host, issuerInternalPort: port }: Config): RequestedPort[] {
  return port === null ? [] : [{ variable: "ISSUER_INTERNAL_PORT", host, port }];
}

/** Loaded on demand: an edge worker must not hold the control plane in memory. */
function loadControl() {
  return import("@mooring/control");
}

function loadApi() {
  return Promise.all([loadControl(), import("@mooring/drop-in")]);
}

async function startApi(config: Config): Promise<Running> {
  const [control, dropIn] = await loadApi();
  const inherited = readInheritedListeners(ownEnvironment(), process.pid);
  const sockets = { public: inherited.get("api"), internal: inherited.get("api-internal") };
  return control.startApi(config, { assets: builtAssets, dropIns: dropIn.dropIns, sockets });
}

async function startWorker(config: Config): Promise<Running> {
  const control = await loadControl();
  return control.startWorker(config);
}

/** Loaded on demand: the other processes do not need it. */
function loadEdge() {
  return import("./edge-process.ts");
}

async function startEdge(config: Config): Promise<Running> {
  const { startEdgeProcess } = await loadEdge();
  return startEdgeProcess(config);
}

function loadIssuer() {
  return import("./issuer-process.ts");
}

async function startIssuer(config: Config): Promise<Running> {
  const { startIssuerProcess } = await loadIssuer();
  return startIssuerProcess(config);
}

function loadDns() {
  return import("./dns-process.ts");
}

async function startDns(config: Config): Promise<Running> {
  const { startDnsProcess } = await loadDns();
  return startDnsProcess(config);
}

function dnsPorts(config: Config): RequestedPort[] {
  const [host = "::"] = config.validationHosts;
  const internal = config.validationInternalPort;
  return [
    ...config.validationHosts.map((one) => ({
      variable: "VALIDATION_PORT",
      host: one,
      port: config.validationPort,
      isDatagram: true,
    })),
    ...(internal === null ? [] : [{ variable: "VALIDATION_INTERNAL_PORT", host, port: internal }]),
  ];
}

/** The drain, and the time to end processes and database connections in order. */
export function edgeCloseWithinMs({ edgeDrainMs, edgeDrainDelayMs, edgeWorker }: Config): number {
  // A worker gives up before the process that started it does.
  return edgeDrainMs + edgeDrainDelayMs + (edgeWorker === null ? 4_000 : 1_500);
}

function edgePorts(config: Config): RequestedPort[] {
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

/** Where `npm run build` writes the browser bundles; the API reports when they are absent. */
const builtAssets: AssetDirectories = {
  widget: fileURLToPath(new URL("../../../../widget/dist/sdk/v1", import.meta.url)),
  docs: fileURLToPath(new URL("../../../../../docs/dist", import.meta.url)),
  console: fileURLToPath(new URL("../../../../console/dist", import.meta.url)),
};
