import { once } from "node:events";
import { createServer, type Server, type Socket } from "node:net";
import type { TLSSocket } from "node:tls";
import type { Guard, TlsOptions } from "@mooring/egress";
import type { CertificateSource } from "../certificates/source.ts";
import { defaultLimits, type EdgeLimits } from "../config/limits.ts";
import type { Log } from "../config/settings.ts";
import type { Host, HostTable } from "../hosts/host.ts";
import type { Visitor, Watched } from "../http/exchange.ts";
import { H1Connection, type H1Options } from "../http/h1-connection.ts";
import { H2Connection } from "../http/h2-connection.ts";
import { createStats, type EdgeStats } from "../metrics/metrics.ts";
import { type AccessLog, logged } from "../proxy/access-log.ts";
import { createOriginPools } from "../proxy/origin-pools.ts";
import {
  isHeld,
  type ServeContext,
  servePlainRequest,
  serveRequest,
} from "../proxy/serve-request.ts";
import { createParking, Handshake, type HandshakeContext } from "../tls/handshake.ts";
import { createAddressGate, createAdmission, plainAddress } from "./admission.ts";
import { startLoadMonitor } from "./load.ts";

export interface ListenerOptions {
  readonly hosts: HostTable;
  readonly certificates: CertificateSource;
  readonly originGuard: Guard;
  /** For TLS to origins, such as a private certificate authority. */
  readonly originTls?: TlsOptions;
  readonly assertion: (host: Host) => string | null;
  readonly log: Log;
  /** Told of every request once it is over; absent: of none. */
  readonly accessLog?: AccessLog;
  readonly http: { readonly host: string; readonly port: number };
  readonly https: { readonly host: string; readonly port: number };
  /** Several processes listen on the same ports, and the kernel spreads connections over them. */
  readonly isShared?: boolean;
  readonly limits?: Partial<EdgeLimits>;
  /** This service's name in `Via` and `CDN-Loop`; differs where two of them are chained. */
  readonly loopId?: string;
}

export interface Listeners {
  readonly httpPort: number;
  readonly httpsPort: number;
  readonly stats: EdgeStats;
  /** Stops accepting, lets requests under way finish, and cuts them when the time is over. */
  close(): Promise<void>;
}

/** Opens the edge's two public ports. */
export async function startListeners(options: ListenerOptions): Promise<Listeners> {
  const limits: EdgeLimits = { ...defaultLimits, ...options.limits };
  const stats = createStats();
  const edge = createEdge(options, limits, stats);
  const https = await listen(options.https, edge.acceptTls, options);
  edge.setHttpsPort(portOf(https));
  const http = await listen(options.http, edge.acceptPlain, options).catch(async (error) => {
    https.close();
    await edge.stop([https]);
    throw error;
  });
  return {
    httpPort: portOf(http),
    httpsPort: portOf(https),
    stats,
    close: () => edge.stop([http, https]),
  };
}

interface Edge {
  acceptTls(socket: Socket): void;
  acceptPlain(socket: Socket): void;
  setHttpsPort(port: number): void;
  stop(servers: readonly Server[]): Promise<void>;
}

function createEdge(options: ListenerOptions, limits: EdgeLimits, stats: EdgeStats): Edge {
  const { hosts, certificates, originGuard: guard, assertion, log } = options;
  const watched = new Set<Watched>();
  const gate = createAddressGate(limits);
  const load = startLoadMonitor(limits);
  const parking = createParking(limits, stats);
  const pools = createOriginPools({ guard, limits, tls: options.originTls ?? {} });
  const loopId = options.loopId ?? "mooring";
  const serve: ServeContext = {
    ...{ hosts, certificates, guard, pools, limits, stats, log, assertion, loopId },
  };
  const sweep = startSweep(limits.sweepMs, (now) => {
    for (const one of watched) one.check(now);
    pools.check(now);
    gate.sweep(now);
  });
  let httpsPort = 443;

  function watch(connection: Watched, socket: Socket): void {
    watched.add(connection);
    socket.once("close", () => watched.delete(connection));
  }

  const handshakes: HandshakeContext = {
    ...{ hosts, certificates, limits, stats, log, parking },
    load: load.current,
    onOver: (handshake) => watched.delete(handshake),
    onSecure(socket, host) {
      // Only what arrives while it is too much is turned away; who is already here stays served.
      const isLate = load.current() !== "easy";
      const connection = createConnection(socket, {
        ...connectionOptions(socket, limits, stats),
        handle: (visitor) => {
          const isShedding = isLate && load.current() !== "easy";
          serveRequest(noted(visitor, options.accessLog, host), host, isShedding, serve);
        },
        isWanted: () => isHeld(hosts, host),
      });
      watch(connection, socket);
    },
  };

  const admit = createAdmission({ limits, stats, gate, load: load.current });

  return {
    setHttpsPort(port) {
      httpsPort = port;
    },
    acceptTls(socket) {
      if (admit(socket)) watched.add(new Handshake(socket, handshakes));
    },
    acceptPlain(socket) {
      if (!admit(socket)) return;
      const plain = { hosts, certificates, stats, log, httpsPort: () => httpsPort };
      const connection = new H1Connection(socket, {
        ...connectionOptions(socket, limits, stats),
        handle: (visitor) => servePlainRequest(noted(visitor, options.accessLog, null), plain),
        isWanted: () => true,
      });
      watch(connection, socket);
    },
    async stop(servers) {
      await drain(servers, watched, limits.drainMs);
      pools.destroy();
      sweep.stop();
      load.stop();
    },
  };
}

function noted(visitor: Visitor, accessLog: AccessLog | undefined, host: Host | null): Visitor {
  if (accessLog === undefined) return visitor;
  const { authority } = visitor.head;
  const { hostname = authority.slice(0, 255), connectionId = null } = host ?? {};
  return logged(visitor, { host: hostname, connectionId }, accessLog);
}

function createConnection(socket: TLSSocket, options: H1Options): Watched {
  if (socket.alpnProtocol === "h2") return new H2Connection(socket, options);
  return new H1Connection(socket, options);
}

function connectionOptions(
  socket: Socket,
  limits: EdgeLimits,
  stats: EdgeStats,
): Pick<H1Options, "remoteAddress" | "limits" | "onRejected"> {
  return {
    remoteAddress: plainAddress(socket.remoteAddress ?? ""),
    limits,
    onRejected: (status) => {
      stats.answered.set(status, (stats.answered.get(status) ?? 0) + 1);
    },
  };
}

function startSweep(everyMs: number, onTurn: (now: number) => void): { stop(): void } {
  const timer = setInterval(() => onTurn(performance.now()), everyMs);
  return { stop: () => clearInterval(timer) };
}

async function drain(
  servers: readonly Server[],
  watched: Set<Watched>,
  drainMs: number,
): Promise<void> {
  const closed = servers
    .filter((server) => server.listening)
    .map((server) => {
      const done = once(server, "close");
      server.close();
      return done;
    });
  for (const one of watched) one.drain();
  const cut = setTimeout(() => {
    for (const one of watched) one.destroy();
  }, drainMs);
  await Promise.all(closed);
  clearTimeout(cut);
}

async function listen(
  at: { readonly host: string; readonly port: number },
  onConnection: (socket: Socket) => void,
  { log, isShared = false }: ListenerOptions,
): Promise<Server> {
  const server = createServer({ noDelay: true, keepAlive: true }, onConnection);
  server.listen({ ...at, backlog: 1_024, reusePort: isShared });
  await once(server, "listening");
  // Accepting can fail for a moment, for example without file descriptors; what is open stays.
  server.on("error", (error) => log.error({ err: error }, "listener failed"));
  return server;
}

function portOf(server: Server): number {
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("not a TCP listener");
  return address.port;
}
