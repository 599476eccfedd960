import { checkOriginUrl, type Guard, type TlsOptions } from "@mooring/egress";
import type { EdgeLimits } from "../config/limits.ts";
import type { Application } from "../hosts/application.ts";
import type { Closable } from "../http/exchange.ts";
import type { OriginExchange } from "./origin-exchange.ts";
import { OriginPool, type OriginPoolOptions } from "./origin-pool.ts";
import { createOriginProtocols } from "./origin-protocols.ts";
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
  /** HTTP/2 without TLS, by prior knowledge. */
  readonly isH2c: boolean;
  /** The value of `Host` where the tenant chose the origin's name. */
  readonly authority: string;
  /** Path of the origin URL, without its last slash. */
  readonly prefix: string;
}

/** Connections to origins, shared by tenant and origin; the most recently used first. */
export interface OriginPools extends Closable {
  /** One of the application's origins; throws the guard's EgressError for a refused URL. */
  target(application: Application, originUrl: string): OriginTarget;
  /** An idle connection, or a stream of one that takes more; null when there is none. */
  idle(target: OriginTarget): OriginExchange | null;
  /** On a new connection, checked by the guard; rejects with its error or with TooManyConnections. */
  dial(target: OriginTarget, signal: AbortSignal, isWebSocket: boolean): Promise<OriginExchange>;
  readonly size: number;
}

export function createOriginPools(options: {
  readonly guard: Guard;
  readonly limits: EdgeLimits;
  readonly tls: TlsOptions;
  readonly tlsOf: OriginTlsOf;
}): OriginPools {
  const poolOptions: OriginPoolOptions = { ...options, protocols: createOriginProtocols() };
  const pools = new Map<string, OriginPool>();
  const all = new Set<Closable>();

  function poolOf(key: string): OriginPool {
    const known = pools.get(key);
    if (known !== undefined) return known;
    const pool = new OriginPool(key, poolOptions, {
      onOpen: (connection) => all.add(connection),
      onClose: (connection) => all.delete(connection),
      onEmpty: () => pools.delete(key),
    });
    pools.set(key, pool);
    return pool;
  }

  return {
    target: (application, url) => parseTarget(options.guard, application, url, options.tlsOf),
    idle: (target) => pools.get(target.key)?.idle() ?? null,
    dial: (target, signal, isWebSocket) => poolOf(target.key).dial(target, signal, isWebSocket),
    get size() {
      return all.size;
    },
    check(now) {
      for (const connection of all) connection.check(now);
      for (const pool of pools.values()) pool.trim(now);
    },
    drain() {
      for (const connection of all) connection.drain();
    },
    destroy() {
      for (const connection of all) connection.destroy();
    },
  };
}

function parseTarget(
  guard: Guard,
  application: Application,
  originUrl: string,
  tlsOf: OriginTlsOf,
): OriginTarget {
  const { tenantId, environment } = application;
  const { url, isH2c } = checkOriginUrl(guard, originUrl);
  const isTls = url.protocol === "https:";
  const tls = isTls ? tlsOf(application) : null;
  return {
    key: `${tenantId} ${environment} ${isH2c ? "h2c " : ""}${url.origin}${tls === null ? "" : ` ${tls.id}`}`,
    tenantId,
    host: url.hostname.replace(/^\[(.*)\]$/, "$1"),
    port: url.port === "" ? (isTls ? 443 : 80) : Number(url.port),
    isTls,
    tls: tls?.options ?? null,
    isH2c,
    authority: url.host,
    prefix: url.pathname.replace(/\/$/, ""),
  };
}
