import type { Guard, TlsOptions } from "@mooring/egress";
import type { EdgeLimits } from "../../config/limits.ts";
import type { Application } from "../../hosts/application.ts";
import type { Closable } from "../../http/exchange.ts";
import { createProcessorShares } from "../../scheduling/processor-shares.ts";
import type { OriginExchange } from "./exchange.ts";
import { OriginPool, type OriginPoolOptions } from "./pool.ts";
import { createOriginProtocols } from "./protocols.ts";
import { type OriginTarget, parseTarget } from "./target.ts";
import type { OriginTlsOf } from "./tls.ts";

/** Connections to origins, shared by tenant and origin; the most recently used first. */
export interface OriginPools extends Closable {
  /** One of the application's origins; throws the guard's EgressError for a refused URL. */
  target(application: Application, originUrl: string): OriginTarget;
  /** An idle connection, or a stream of one that takes more; null when there is none. */
  idle(target: OriginTarget): OriginExchange | null;
  /**
   * On a new connection, checked by the guard; rejects with its error or with TooManyConnections.
   */
  dial(target: OriginTarget, signal: AbortSignal, isWebSocket: boolean): Promise<OriginExchange>;
  readonly size: number;
}

export function createOriginPools(options: {
  readonly guard: Guard;
  readonly limits: EdgeLimits;
  readonly tls: TlsOptions;
  readonly tlsOf: OriginTlsOf;
}): OriginPools {
  const poolOptions: OriginPoolOptions = {
    ...options,
    protocols: createOriginProtocols(),
    shares: createProcessorShares(),
  };
  const pools = new Map<string, OriginPool>();
  const all = new Set<Closable>();

  function providePool(key: string): OriginPool {
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
    dial: (target, signal, isWebSocket) =>
      providePool(target.key).dial(target, signal, isWebSocket),
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
