import type { Socket } from "node:net";
import type { CdnFinder } from "@mooring/dns/lookup";
import type { EdgeLimits } from "../config/limits.ts";
import type { Log } from "../config/settings.ts";
import type { Closable } from "../http/exchange.ts";
import type { EdgeStats } from "../metrics/metrics.ts";
import { plainAddress } from "./addresses.ts";
import { type AddressLimiter, createAdmission } from "./admission.ts";
import type { Load } from "./load.ts";
import { createNetworks, type Networks } from "./networks.ts";
import { ProxiedConnection } from "./proxied-connection.ts";
import { proxyValue, readProxyValue } from "./proxy-protocol.ts";

/** Balancers and proxies in front of the edge; lists are addresses or networks. */
export interface FrontOptions {
  /** Peers whose connections begin with a PROXY protocol header; null for none, empty for all. */
  readonly proxyProtocolFrom: readonly string[] | null;
  /** Peers whose `X-Forwarded-For` and `Forwarded` are continued. */
  readonly trustedProxies: readonly string[];
  /** CDNs that name the visitor; none when absent. */
  readonly findCdn?: CdnFinder;
  /** Clients without limits per address. */
  readonly healthChecksFrom: readonly string[];
}

export interface AcceptanceParts {
  readonly limits: EdgeLimits;
  readonly stats: EdgeStats;
  readonly addresses: AddressLimiter;
  readonly load: () => Load;
  /** Connections that the shared timer checks. */
  readonly open: Set<Closable>;
  /** Peers that carry many clients on few connections. */
  readonly isProxy: Networks;
  readonly log: Pick<Log, "debug">;
}

/** What happens to a connection whose client is known and admitted. */
type Serve = (socket: Socket, address: string) => void;

/**
 * Finds out whose connection it is, by its peer or by the PROXY protocol header of a balancer, and
 * admits that client. A trusted proxy or a CDN carries many clients on few connections and has no
 * limit. `busyAnswer` is what a client gets whom the process has no room for.
 */
export function createAcceptance(
  front: FrontOptions | undefined,
  parts: AcceptanceParts,
): (serve: Serve, busyAnswer: () => Buffer) => (socket: Socket) => void {
  const isProxied = proxiedPeers(front?.proxyProtocolFrom ?? null);
  const { admission, awaitHeader } = createHeaderReading(front, parts);
  return (serve, busyAnswer) => (socket) => {
    // Undefined when the peer has already disconnected.
    const { remoteAddress } = socket;
    if (remoteAddress === undefined) {
      socket.destroy();
      return;
    }
    if (!admission.connection(socket, busyAnswer)) return;
    const peer = plainAddress(remoteAddress);
    if (isProxied(peer)) awaitHeader(socket, peer, serve);
    else if (admission.client(socket, peer)) serve(socket, peer);
  };
}

/** Admits the client that the header of a connection names, else its peer. */
function createHeaderReading(front: FrontOptions | undefined, parts: AcceptanceParts) {
  const { limits, stats, open } = parts;
  const isHealthCheck = createNetworks(front?.healthChecksFrom ?? []);
  const isExempt: Networks = (address) => isHealthCheck(address) || parts.isProxy(address);
  const admission = createAdmission({ ...parts, isExempt });

  function awaitHeader(socket: Socket, peer: string, serve: Serve): void {
    const connection = new ProxiedConnection(socket, {
      isOptional: isHealthCheck(peer),
      timeoutMs: limits.helloMs,
      onHeader(source) {
        const address = plainAddress(source ?? peer);
        if (admission.client(socket, address)) serve(socket, address);
      },
      onRefused() {
        stats.refused.proxy_header += 1;
      },
      onEnded: (connection) => open.delete(connection),
    });
    open.add(connection);
  }

  return { admission, awaitHeader };
}

/** What an accelerator on this machine says of a connection that it passes on. */
export interface PassedConnection {
  readonly address: string;
  /** The name of the handshake that it has completed; null where it passes TLS as it is. */
  readonly serverName: string | null;
  /** The claim under which it has done so. */
  readonly claim: string | null;
}

/**
 * In place of a claim: the peer may send a header of its own, which HAProxy cannot read where it is
 * not certain that there is one.
 */
export const unreadHeader = "unread";

/**
 * Connections of an accelerator, at a socket that nobody else can open: each begins with a header,
 * which is believed. It counts the decrypted ones itself, one of which is a request.
 */
export function createPassedAcceptance(
  front: FrontOptions | undefined,
  parts: AcceptanceParts,
): (
  serve: (socket: Socket, passed: PassedConnection) => void,
  busyAnswer: () => Buffer,
) => (socket: Socket) => void {
  const { limits, stats, open } = parts;
  const { admission, awaitHeader } = createHeaderReading(front, parts);
  return (serve, busyAnswer) => (socket) => {
    if (!admission.connection(socket, busyAnswer)) return;
    const connection = new ProxiedConnection(socket, {
      isOptional: false,
      timeoutMs: limits.helloMs,
      onHeader(source, header) {
        if (source === null) {
          socket.destroy();
          return;
        }
        const peer = plainAddress(source);
        const serverName = readProxyValue(header, proxyValue.authority);
        const claim = readProxyValue(header, proxyValue.uniqueId);
        if (serverName === null && claim === unreadHeader) {
          awaitHeader(socket, peer, (_, address) =>
            serve(socket, { address, serverName, claim: null }),
          );
        } else if (serverName !== null || admission.client(socket, peer)) {
          serve(socket, { address: peer, serverName, claim });
        }
      },
      onRefused() {
        stats.refused.proxy_header += 1;
      },
      onEnded: (ended) => open.delete(ended),
    });
    open.add(connection);
  };
}

function proxiedPeers(from: readonly string[] | null): Networks {
  if (from === null) return () => false;
  return from.length === 0 ? () => true : createNetworks(from);
}
