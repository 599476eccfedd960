import type { Socket } from "node:net";
import { type Guard, type TlsOptions, TooManyNames } from "@mooring/egress";
import type { EdgeLimits } from "../config/limits.ts";
import type { Application } from "../hosts/application.ts";
import type { Closable } from "../http/exchange.ts";
import { OriginConnection, type OriginOwner } from "./origin-connection.ts";
import type { OriginTlsOf } from "./origin-tls.ts";

/** Where requests go. */
export interface OriginTarget {
  /** Connections are shared only under the same tenant and origin. */
  readonly key: string;
  readonly tenantId: string;
  readonly host: string;
  readonly port: number;
  readonly isTls: boolean;
  /** The application's own settings; null for those of every origin. */
  readonly tls: TlsOptions | null;
  /** The value of `Host` where the tenant chose the origin's name. */
  readonly authority: string;
  /** Path of the origin URL, without its last slash. */
  readonly prefix: string;
}

interface Pool {
  readonly idle: OriginConnection[];
  open: number;
}

/** How long connections beyond `originIdle` stay open for the next wave of requests. */
const surplusIdleMs = 2_000;

export class TooManyConnections extends Error {
  override readonly name = "TooManyConnections";
}

/** Connections to origins, shared by tenant and origin; the most recently used first. */
export interface OriginPools extends Closable {
  /** One of the application's origins; throws the guard's EgressError for a refused URL. */
  target(application: Application, originUrl: string): OriginTarget;
  /** An idle connection; null when there is none. */
  idle(target: OriginTarget): OriginConnection | null;
  /** A new connection, checked by the guard; rejects with its error or with TooManyConnections. */
  dial(target: OriginTarget, signal: AbortSignal): Promise<OriginConnection>;
  readonly size: number;
}

export function createOriginPools(options: {
  readonly guard: Guard;
  readonly limits: EdgeLimits;
  readonly tls: TlsOptions;
  readonly tlsOf: OriginTlsOf;
}): OriginPools {
  const { guard, limits } = options;
  const pools = new Map<string, Pool>();
  const all = new Set<OriginConnection>();

  function poolOf(key: string): Pool {
    const known = pools.get(key);
    if (known !== undefined) return known;
    const pool: Pool = { idle: [], open: 0 };
    pools.set(key, pool);
    return pool;
  }

  function ownerIn(key: string, pool: Pool): OriginOwner {
    return {
      onIdle(connection) {
        pool.idle.push(connection);
      },
      onClose(connection) {
        all.delete(connection);
        const index = pool.idle.indexOf(connection);
        if (index !== -1) pool.idle.splice(index, 1);
        pool.open -= 1;
        if (pool.open === 0) pools.delete(key);
      },
    };
  }

  /** The first connections have been idle the longest, since the last ones are used first. */
  function trim(pool: Pool, now: number): void {
    const surplus = pool.idle.slice(0, Math.max(0, pool.idle.length - limits.originIdle));
    for (const connection of surplus) {
      if (now - connection.idleSince > surplusIdleMs) connection.destroy();
    }
  }

  async function dial(target: OriginTarget, signal: AbortSignal): Promise<OriginConnection> {
    const pool = poolOf(target.key);
    // The scheduler limits requests; this leaves room for connections that are just closing.
    if (pool.open >= limits.originOpen * 2)
      throw new TooManyConnections("too many connections to the origin");
    pool.open += 1;
    try {
      const socket = await openSocket(target, signal, options);
      const connection = new OriginConnection(socket, limits, ownerIn(target.key, pool));
      all.add(connection);
      return connection;
    } catch (error) {
      pool.open -= 1;
      if (pool.open === 0) pools.delete(target.key);
      throw error;
    }
  }

  return {
    target: (application, url) => parseTarget(guard, application, url, options.tlsOf),
    idle(target) {
      const idle = pools.get(target.key)?.idle;
      for (let one = idle?.pop(); one !== undefined; one = idle?.pop()) {
        if (one.isUsable) return one;
      }
      return null;
    },
    dial,
    get size() {
      return all.size;
    },
    check(now) {
      for (const connection of all) connection.check(now);
      for (const pool of pools.values()) trim(pool, now);
    },
    drain() {
      for (const connection of all) connection.drain();
    },
    destroy() {
      for (const connection of all) connection.destroy();
    },
  };
}

async function openSocket(
  { host, port, isTls, tls, tenantId }: OriginTarget,
  signal: AbortSignal,
  options: { readonly guard: Guard; readonly limits: EdgeLimits; readonly tls: TlsOptions },
): Promise<Socket> {
  try {
    const { socket } = await options.guard.dial({
      ...{ host, port, signal, owner: tenantId },
      connectTimeoutMs: options.limits.originConnectMs,
      ...(isTls ? { tls: { ...options.tls, ...tls } } : {}),
    });
    if (socket.destroyed) throw new Error("the origin closed the connection at once");
    return socket;
  } catch (error) {
    if (error instanceof TooManyNames) throw new TooManyConnections(error.message);
    throw error;
  }
}

function parseTarget(
  guard: Guard,
  application: Application,
  originUrl: string,
  tlsOf: OriginTlsOf,
): OriginTarget {
  const { tenantId, environment } = application;
  const url = guard.checkUrl(originUrl);
  const isTls = url.protocol === "https:";
  const tls = isTls ? tlsOf(application) : null;
  return {
    key: `${tenantId} ${environment} ${url.origin}${tls === null ? "" : ` ${tls.id}`}`,
    tenantId,
    host: url.hostname.replace(/^\[(.*)\]$/, "$1"),
    port: url.port === "" ? (isTls ? 443 : 80) : Number(url.port),
    isTls,
    tls: tls?.options ?? null,
    authority: url.host,
    prefix: url.pathname.replace(/\/$/, ""),
  };
}
