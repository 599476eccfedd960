import { once } from "node:events";
import { createServer, type Server, type Socket } from "node:net";
import type { TLSSocket } from "node:tls";
import type { CdnFinder } from "@mooring/dns/lookup";
import type { Guard, TlsOptions } from "@mooring/egress";
import type { CertificateSource } from "../certificates/serve/source.ts";
import { defaultLimits, type EdgeLimits } from "../config/limits.ts";
import type { Log } from "../config/settings.ts";
import { claimText, type Host, type ServedHosts } from "../hosts/host.ts";
import type { Closable, ConnectionOptions } from "../http/exchange.ts";
import { H1Connection } from "../http/h1/connection.ts";
import { H2Connection } from "../http/h2/connection.ts";
import { httpDate } from "../http/http-date.ts";
import { statusClass } from "../metrics/applications.ts";
import { createStats, type EdgeStats } from "../metrics/metrics.ts";
import type { OriginOutcomes } from "../origin-health/outcomes.ts";
import { type AccessLog, observeExchanges } from "../proxy/access-log.ts";
import { createForwardedClients, rememberCdn } from "../proxy/forwarded-client.ts";
import { createRequestLimits } from "../proxy/limits/request-limits.ts";
import { MeasuredExchange } from "../proxy/measured-exchange.ts";
import { createOrigins } from "../proxy/origin/origins.ts";
import { createOriginPools } from "../proxy/origin/pools.ts";
import type { OriginTlsOf } from "../proxy/origin/tls.ts";
import { rejectionPage } from "../proxy/response/error-page.ts";
import type { OwnershipTokens, ProbeAnswers } from "../proxy/response/probe.ts";
import { recordRefusal } from "../proxy/response/refusal.ts";
import {
  isClaimed,
  refuseClaim,
  type ServeContext,
  servePlainRequest,
} from "../proxy/serve-request.ts";
import { createRequestRules, type RequestRules } from "../rules/request-rules.ts";
import { createScheduler } from "../scheduling/scheduler.ts";
import {
  createParkedHandshakes,
  Handshake,
  type HandshakeContext,
  internalErrorAlert,
} from "../tls/handshake.ts";
import { createHandshakeStarts } from "../tls/handshake-starts.ts";
import type { TrafficCounts } from "../traffic/counts.ts";
import {
  createAcceptance,
  createPassedAcceptance,
  type FrontOptions,
  type PassedConnection,
} from "./acceptance.ts";
import { createAddressLimiter } from "./admission.ts";
import { drain, drainPrivately } from "./drain.ts";
import type { ListenerHandover, ListenerName } from "./listener-handover.ts";
import { startLoadMonitor } from "./load.ts";
import { createNetworks } from "./networks.ts";
import { listenAtPath } from "./private-socket.ts";
import { startReadChecks } from "./read-checks.ts";
import { createRequestService } from "./request-service.ts";
import { createSharedReads } from "./shared-reads.ts";

export interface ListenerOptions {
  readonly hosts: ServedHosts;
  readonly certificates: CertificateSource;
  readonly originGuard: Guard;
  /** For TLS to origins, such as a private certificate authority. */
  readonly originTls?: TlsOptions;
  /** What applications have set about it. */
  readonly originTlsOf?: OriginTlsOf;
  readonly assertion: (host: Host) => string | null;
  readonly probeAnswers: ProbeAnswers;
  readonly ownershipTokens: OwnershipTokens;
  readonly outcomes: OriginOutcomes;
  /** By default with limits of this process alone. */
  readonly rules?: RequestRules;
  readonly log: Log;
  /** Called with one line per request when it ends. */
  readonly accessLog?: AccessLog;
  /** How many applications have numbers of their own in the metrics. */
  readonly metricApplications?: number;
  /** By default nothing is counted by connection. */
  readonly traffic?: TrafficCounts;
  /** Who is in front of the edge; by default nobody. */
  readonly front?: FrontOptions;
  readonly http: { readonly host: string; readonly port: number };
  readonly https: { readonly host: string; readonly port: number };
  /** Set where an accelerator has the public port for TLS, and passes on what it does not serve. */
  readonly accelerated?: AcceleratedListeners;
  /** Set where several processes listen on the same ports; the kernel spreads connections. */
  readonly handover?: ListenerHandover;
  readonly limits?: Partial<EdgeLimits>;
  /** The name of this installation in `Via` and `CDN-Loop`, in lower case. */
  readonly loopId?: string;
}

/** Sockets at which only an accelerator of the same user can connect. */
export interface AcceleratedListeners {
  readonly tls: string;
  readonly decrypted: string;
  /** Where visitors come. */
  readonly publicPort: number;
}

export interface Listeners {
  readonly httpPort: number;
  readonly httpsPort: number;
  readonly stats: EdgeStats;
  /** Stops accepting, completes what is in flight, and cuts the rest after `drainMs`. */
  close(): Promise<void>;
}

/** Opens the edge's two public ports, or what stands for that of TLS behind an accelerator. */
export async function startListeners(options: ListenerOptions): Promise<Listeners> {
  const limits: EdgeLimits = { ...defaultLimits, ...options.limits };
  const stats = createStats(options.metricApplications, options.traffic);
  const edge = createEdge(options, limits, stats);
  const { accelerated } = options;
  const secure =
    accelerated === undefined
      ? [await listen("https", edge.acceptTls, options)]
      : await Promise.all([
          listenPrivately(accelerated.tls, edge.acceptPassedTls, options.log),
          listenPrivately(accelerated.decrypted, edge.acceptDecrypted, options.log),
        ]);
  const httpsPort = accelerated?.publicPort ?? readPort(secure[0]);
  edge.setHttpsPort(httpsPort);
  const http = await listen("http", edge.acceptPlain, options).catch(async (error) => {
    for (const server of secure) server.close();
    await edge.stop(secure);
    throw error;
  });
  return {
    httpPort: readPort(http),
    httpsPort,
    stats,
    close: () =>
      accelerated === undefined ? edge.stop([http, ...secure]) : edge.stop([http], secure),
  };
}

interface Edge {
  acceptTls(socket: Socket): void;
  acceptPassedTls(socket: Socket): void;
  acceptDecrypted(socket: Socket): void;
  acceptPlain(socket: Socket): void;
  setHttpsPort(port: number): void;
  /** The private ones close last: an accelerator still passes on what it has accepted. */
  stop(servers: readonly Server[], privateServers?: readonly Server[]): Promise<void>;
}

// biome-ignore lint/complexity/noExcessiveLinesPerFunction: a factory
function createEdge(options: ListenerOptions, limits: EdgeLimits, stats: EdgeStats): Edge {
  const { hosts, certificates, log, accessLog } = options;
  const open = new Set<Closable>();
  const addresses = createAddressLimiter(limits);
  const load = startLoadMonitor(limits);
  const isTrusted = createNetworks(options.front?.trustedProxies ?? []);
  const findCdn = rememberCdn(options.front?.findCdn ?? (() => null));
  const serve = createServeContext(options, { limits, stats, isTrusted, findCdn });
  const scheduler = createScheduler(limits, stats);
  const isProxy = (address: string): boolean => isTrusted(address) || findCdn(address) !== null;
  const service = createRequestService(serve, { scheduler, load, isProxy, accessLog });
  const sweep = startSweep(limits.sweepMs, (now) => {
    for (const one of open) one.check(now);
    for (const one of [serve.pools, serve.origins, scheduler]) one.check(now);
    addresses.sweep(now);
    stats.applications.rank(now);
  });
  const readChecks = startReadChecks(open);
  const sharedReads = createSharedReads();
  let httpsPort = 443;
  let isDraining = false;

  function track(connection: Closable, socket: Socket): void {
    open.add(connection);
    socket.once("close", () => open.delete(connection));
    // Over HTTP/2 the first request is awaited: GOAWAY before it would refuse it.
    if (isDraining && connection instanceof H1Connection) connection.drain();
  }

  const handshakes: Omit<HandshakeContext, "onSecure"> = {
    hosts,
    certificates,
    limits,
    stats,
    log,
    parked: createParkedHandshakes(limits, stats),
    challenges: createParkedHandshakes(limits, { parked: 0 }),
    starts: createHandshakeStarts(),
    mayOrder: () => load.current() === "easy",
    onEnded: (handshake) => open.delete(handshake),
  };

  function connectionContext(address: string, host: Host | null) {
    return {
      ...connectionOptions(address, serve, host),
      areReadsLimited: !isTrusted(address),
      sharedReads,
      onOverspent() {
        stats.refused.small_reads += 1;
        addresses.refuse(address, performance.now());
      },
    };
  }

  function createHandshakeContext(wire: Socket, address: string): HandshakeContext {
    const onSecure = (socket: TLSSocket, host: Host): void => {
      const serveNext = service(host, address);
      const connection = createConnection(socket, {
        ...connectionContext(address, host),
        wire,
        handle: (exchange) => {
          if (isDraining) exchange.closeAfter();
          serveNext(exchange);
        },
        isCurrent: () => isClaimed(hosts, host),
      });
      track(connection, socket);
    };
    return { ...handshakes, onSecure };
  }

  const acceptance = { limits, stats, addresses, open, isProxy, load: load.current, log };
  const accept = createAcceptance(options.front, acceptance);
  const acceptPassed = createPassedAcceptance(options.front, acceptance);

  /** A connection whose TLS the accelerator has ended under that claim, if it is still the same. */
  function serveDecrypted(socket: Socket, { address, serverName, claim }: PassedConnection): void {
    const found = serverName === null ? null : hosts.find(serverName);
    const host = found !== null && claimText(found) === claim ? found : null;
    const serveNext = host === null ? null : service(host, address);
    const connection = new H1Connection(socket, {
      ...connectionContext(address, host),
      wire: null,
      handle: (exchange) => {
        if (isDraining) exchange.closeAfter();
        if (serveNext !== null) serveNext(exchange);
        else refuseClaim(exchange, serve);
      },
      isCurrent: () => host === null || isClaimed(hosts, host),
    });
    track(connection, socket);
  }

  return {
    setHttpsPort(port) {
      httpsPort = port;
    },
    acceptTls: accept(
      (socket, address) => {
        open.add(new Handshake(socket, createHandshakeContext(socket, address)));
      },
      () => internalErrorAlert,
    ),
    acceptPassedTls: acceptPassed(
      (socket, { address }) => {
        open.add(new Handshake(socket, createHandshakeContext(socket, address)));
      },
      () => internalErrorAlert,
    ),
    acceptDecrypted: acceptPassed(serveDecrypted, busyPage),
    acceptPlain: accept((socket, address) => {
      const observer = observeExchanges(null, { stats, log: accessLog });
      const connection = new H1Connection(socket, {
        ...connectionContext(address, null),
        wire: null,
        handle: (exchange) => {
          if (isDraining) exchange.closeAfter();
          servePlainRequest(new MeasuredExchange(exchange, observer), serve, httpsPort);
        },
        isCurrent: () => true,
      });
      track(connection, socket);
    }, busyPage),
    async stop(servers, privateServers = []) {
      isDraining = true;
      await Promise.all([
        drain(servers, open, limits.drainMs),
        drainPrivately(privateServers, open, limits.drainMs),
      ]);
      serve.pools.destroy();
      sweep.stop();
      readChecks.stop();
      load.stop();
    },
  };
}

function busyPage(): Buffer {
  return Buffer.from(
    `HTTP/1.1 503 Service Unavailable\r\ndate: ${httpDate()}\r\nretry-after: 1\r\n` +
      "content-length: 0\r\nconnection: close\r\n\r\n",
  );
}

function createServeContext(
  options: ListenerOptions,
  shared: {
    readonly limits: EdgeLimits;
    readonly stats: EdgeStats;
    readonly isTrusted: (address: string) => boolean;
    readonly findCdn: CdnFinder;
  },
): ServeContext {
  const { hosts, certificates, originGuard: guard, assertion, outcomes, log } = options;
  const { limits, stats } = shared;
  const tls = options.originTls ?? {};
  const tlsOf = options.originTlsOf ?? (() => null);
  const pools = createOriginPools({ guard, limits, tls, tlsOf });
  const loopId = options.loopId ?? "mooring";
  return {
    hosts,
    certificates,
    assertion,
    probeAnswers: options.probeAnswers,
    ownershipTokens: options.ownershipTokens,
    rules: options.rules ?? createRequestRules(),
    outcomes,
    log,
    limits,
    stats,
    pools,
    origins: createOrigins(pools, loopId, log),
    loopId,
    client: createForwardedClients(shared.isTrusted, shared.findCdn),
    limitsOf: createRequestLimits(limits),
    compression: { most: limits.compressions, used: 0 },
  };
}

function createConnection(socket: TLSSocket, options: ConnectionOptions): Closable {
  if (socket.alpnProtocol === "h2") return new H2Connection(socket, options);
  return new H1Connection(socket, options);
}

function connectionOptions(
  remoteAddress: string,
  context: ServeContext,
  secured: Host | null,
): Pick<ConnectionOptions, "remoteAddress" | "limits" | "onRejected"> {
  const host = secured?.hostname ?? null;
  return {
    remoteAddress,
    limits: context.limits,
    onRejected({ status, reason }, exchange, fields) {
      if (secured !== null && exchange === null) {
        const numbers = context.stats.applications.count(secured.applicationId);
        numbers.requests[statusClass(status)] += 1;
        const none = { bytesIn: 0, bytesOut: 0 };
        context.stats.traffic.ended(secured, { status, ...none, isRefused: true });
      }
      const reference = recordRefusal({ status, reason, host, remoteAddress }, context);
      return rejectionPage(status, reference, fields);
    },
  };
}

/**
 * After the event loop was blocked, what clients have sent meanwhile is read before their deadlines
 * are checked: timers come first otherwise.
 */
function startSweep(everyMs: number, work: (now: number) => void): { stop(): void } {
  let next: NodeJS.Immediate | undefined;
  const timer = setInterval(() => {
    next = setImmediate(() => work(performance.now()));
  }, everyMs);
  return {
    stop() {
      clearInterval(timer);
      clearImmediate(next);
    },
  };
}

const backlog = 1_024;

async function listen(
  name: ListenerName,
  onConnection: (socket: Socket) => void,
  { log, handover, ...options }: ListenerOptions,
): Promise<Server> {
  const server = createServer({ noDelay: true, keepAlive: true }, onConnection);
  const taken = (await handover?.take(name)) ?? null;
  if (taken === null) {
    server.listen({ ...options[name], backlog, reusePort: handover !== undefined });
  } else server.listen(taken, backlog);
  await once(server, "listening");
  if (taken === null) handover?.offer(name, server);
  // Accepting fails, for example, without free file descriptors; open connections stay.
  server.on("error", (error) => log.error({ err: error }, "listener failed"));
  return server;
}

async function listenPrivately(
  path: string,
  onConnection: (socket: Socket) => void,
  log: Log,
): Promise<Server> {
  const server = createServer(onConnection);
  await listenAtPath(server, path);
  server.on("error", (error) => log.error({ err: error }, "listener failed"));
  return server;
}

function readPort(server: Server | undefined): number {
  const address = server?.address() ?? null;
  if (address === null || typeof address === "string") throw new Error("not a TCP listener");
  return address.port;
}
