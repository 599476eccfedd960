import type { Socket } from "node:net";
import type { EdgeLimits } from "../config/limits.ts";
import type { ConnectionRefusal, EdgeStats } from "../metrics/metrics.ts";
import type { Load } from "./load.ts";

/** Whether a new connection may stay; one that may not is destroyed before a byte is read. */
export function createAdmission(options: {
  readonly limits: Pick<EdgeLimits, "connections">;
  readonly stats: EdgeStats;
  readonly gate: AddressGate;
  readonly load: () => Load;
}): (socket: Socket) => boolean {
  const { limits, stats, gate, load } = options;

  function refusalOf(address: string): ConnectionRefusal | null {
    if (load() === "flooded") return "overloaded";
    if (stats.connections >= limits.connections) return "process_limit";
    return gate.admit(address, performance.now()) ? null : "address_limit";
  }

  return (socket) => {
    // Unknown when the peer has already left.
    const address = socket.remoteAddress;
    const refusal = address === undefined ? null : refusalOf(address);
    if (refusal !== null) stats.refused[refusal] += 1;
    if (refusal !== null || address === undefined) {
      socket.destroy();
      return false;
    }
    stats.connections += 1;
    socket.once("close", () => {
      stats.connections -= 1;
      gate.release(address);
    });
    return true;
  };
}

interface Visits {
  open: number;
  tokens: number;
  refilledAt: number;
}

/** Counts what each address holds and begins. */
export interface AddressGate {
  /** False when the address has too many connections, or begins too many per second. */
  admit(address: string, now: number): boolean;
  release(address: string): void;
  /** Forgets addresses that hold nothing and are owed nothing. */
  sweep(now: number): void;
  readonly size: number;
}

export function createAddressGate(
  limits: Pick<EdgeLimits, "connectionsPerAddress" | "handshakesPerAddressPerSecond">,
): AddressGate {
  const rate = limits.handshakesPerAddressPerSecond;
  const known = new Map<string, Visits>();

  function refill(visits: Visits, now: number): void {
    const owed = ((now - visits.refilledAt) / 1_000) * rate;
    visits.tokens = Math.min(rate, visits.tokens + owed);
    visits.refilledAt = now;
  }

  return {
    admit(address, now) {
      const key = networkOf(address);
      const visits = known.get(key) ?? { open: 0, tokens: rate, refilledAt: now };
      known.set(key, visits);
      refill(visits, now);
      if (visits.open >= limits.connectionsPerAddress || visits.tokens < 1) return false;
      visits.tokens -= 1;
      visits.open += 1;
      return true;
    },
    release(address) {
      const visits = known.get(networkOf(address));
      if (visits !== undefined) visits.open -= 1;
    },
    sweep(now) {
      for (const [key, visits] of known) {
        refill(visits, now);
        if (visits.open <= 0 && visits.tokens >= rate) known.delete(key);
      }
    },
    get size() {
      return known.size;
    },
  };
}

/** IPv4 as it is, also when mapped; IPv6 by its first four groups. */
export function networkOf(address: string): string {
  const bare = plainAddress(address);
  if (!bare.includes(":")) return bare;
  const [head = "", tail] = bare.split("::");
  const groups = head === "" ? [] : head.split(":");
  const after = tail === undefined || tail === "" ? [] : tail.split(":");
  const gap = tail === undefined ? 0 : Math.max(0, 8 - groups.length - after.length);
  return [...groups, ...Array<string>(gap).fill("0"), ...after].slice(0, 4).join(":");
}

/** An IPv4 address that came over an IPv6 socket, in its own spelling; no zone. */
export function plainAddress(address: string): string {
  const bare = address.split("%")[0] ?? "";
  return /^::ffff:[0-9.]+$/i.test(bare) ? bare.slice(7) : bare;
}
