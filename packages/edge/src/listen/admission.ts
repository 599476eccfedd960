import type { Socket } from "node:net";
import { TokenBucket } from "@mooring/concurrency";
import type { EdgeLimits } from "../config/limits.ts";
import type { Log } from "../config/settings.ts";
import type { ConnectionRefusal, EdgeStats } from "../metrics/metrics.ts";
import { toNetwork } from "./addresses.ts";
import type { Load } from "./load.ts";
import type { Networks } from "./networks.ts";
import { createRefusals } from "./refusals.ts";

/** Decides whether a new connection is served. */
export interface Admission {
  /**
   * Before a byte is read: the load and the connections of the process. It is not the client's
   * fault: a refused one gets `answer`.
   */
  connection(socket: Socket, answer: () => Buffer): boolean;
  /** Once the client's address is known: its connections and their rate; else it is destroyed. */
  client(socket: Socket, address: string): boolean;
}

export function createAdmission(options: {
  readonly limits: Pick<EdgeLimits, "connections">;
  readonly stats: EdgeStats;
  readonly addresses: AddressLimiter;
  readonly load: () => Load;
  /** Addresses that are not limited. */
  readonly isExempt: Networks;
  readonly log: Pick<Log, "debug">;
}): Admission {
  const { limits, stats, addresses, load, isExempt, log } = options;
  const refuseWith = createRefusals();

  function note(socket: Socket, refusal: ConnectionRefusal): void {
    stats.refused[refusal] += 1;
    log.debug({ peer: socket.remoteAddress, reason: refusal }, "connection refused");
  }

  function findShortage(): "overloaded" | "process_limit" | null {
    if (load() === "flooded") return "overloaded";
    return stats.connections >= limits.connections ? "process_limit" : null;
  }

  return {
    connection(socket, answer) {
      const refusal = findShortage();
      if (refusal !== null) {
        note(socket, refusal);
        refuseWith(socket, answer());
        return false;
      }
      stats.connections += 1;
      socket.once("close", () => {
        stats.connections -= 1;
      });
      return true;
    },
    client(socket, address) {
      if (isExempt(address)) return true;
      if (!addresses.admit(address, performance.now())) {
        note(socket, "address_limit");
        socket.destroy();
        return false;
      }
      socket.once("close", () => addresses.release(address));
      return true;
    },
  };
}

interface AddressState {
  readonly bucket: TokenBucket;
  open: number;
  refusedUntil: number;
}

/**
 * How long an address opens no connection after one that was closed for its cost: else it could
 * spend the budget of twenty connections each second. Those that are open stay.
 */
const refusedMs = 10_000;

/** Limits the open connections and the rate of new ones per client network. */
export interface AddressLimiter {
  /** False when the address has too many connections, or begins too many per second. */
  admit(address: string, now: number): boolean;
  release(address: string): void;
  /** Refuses new connections of an address that has an open one, for a time. */
  refuse(address: string, now: number): void;
  /** Removes addresses without open connections whose tokens are refilled. */
  sweep(now: number): void;
  readonly size: number;
}

export function createAddressLimiter(
  limits: Pick<EdgeLimits, "connectionsPerAddress" | "handshakesPerAddressPerSecond">,
): AddressLimiter {
  const rate = limits.handshakesPerAddressPerSecond;
  const limit = { burst: rate, perSecond: rate };
  const known = new Map<string, AddressState>();

  return {
    admit(address, now) {
      const key = toNetwork(address);
      const state = known.get(key) ?? createState(rate, now);
      known.set(key, state);
      const tokens = state.bucket.refill(limit, now);
      if (now < state.refusedUntil) return false;
      if (state.open >= limits.connectionsPerAddress || tokens < 1) return false;
      state.bucket.take();
      state.open += 1;
      return true;
    },
    release(address) {
      const state = known.get(toNetwork(address));
      if (state !== undefined) state.open -= 1;
    },
    refuse(address, now) {
      const state = known.get(toNetwork(address));
      if (state !== undefined) state.refusedUntil = now + refusedMs;
    },
    sweep(now) {
      for (const [key, state] of known) {
        const tokens = state.bucket.refill(limit, now);
        const isUnused = state.open <= 0 && now >= state.refusedUntil;
        if (isUnused && tokens >= rate) known.delete(key);
      }
    },
    get size() {
      return known.size;
    },
  };
}

function createState(rate: number, now: number): AddressState {
  return { bucket: new TokenBucket(rate, now), open: 0, refusedUntil: 0 };
}
