import type { Clock } from "@mooring/postgres";
import type pg from "pg";
import { orderProgress, requestOrder } from "../db/orders.ts";
import type { Host } from "../hosts/host.ts";
import type { Permission } from "./preflight.ts";

export interface OnDemandParts {
  readonly pool: pg.Pool;
  readonly clock: Clock;
  readonly permission: Permission;
  /** Whether DNS leads to this service alone; asked before a handshake makes an order due. */
  readonly leadsHere: (host: Host, signal: AbortSignal) => Promise<boolean>;
  /** Wakes the issue loop. */
  readonly wake: () => void;
}

/** Orders for handshakes: a certificate is obtained when the first visitor asks for it. */
export interface OnDemand {
  /**
   * Makes sure that an order for the name is due or under way. False at once where none can succeed now:
   * the name is not permitted, leads elsewhere, or an earlier order has failed.
   */
  order(host: Host, signal: AbortSignal): Promise<boolean>;
  /** Whether the order is still due or under way. */
  isExpected(host: Host): Promise<boolean>;
  /** Something about the name has changed. */
  forget(hostname: string): void;
}

export function createOnDemand(parts: OnDemandParts): OnDemand {
  const { pool, clock } = parts;
  const refusals = createRefusals();

  const order = async (host: Host, signal: AbortSignal): Promise<boolean> => {
    const progress = await orderProgress(pool, host, clock.now());
    // After a failure, or without budget, the next attempt is too far away for a handshake to wait.
    if (progress === "later") return false;
    if (!(await parts.permission.isAllowed(host.hostname, signal))) return false;
    if (progress !== "expected") {
      if (!(await parts.leadsHere(host, signal))) return false;
      await requestOrder(pool, host, clock.now());
    }
    parts.wake();
    return true;
  };

  return {
    async order(host, signal) {
      if (refusals.has(host)) return false;
      const isOrdered = await order(host, signal);
      if (!isOrdered) refusals.add(host);
      return isOrdered;
    },
    isExpected: async (host) => (await orderProgress(pool, host, clock.now())) === "expected",
    forget: refusals.forget,
  };
}

/** Names for which no order could be made a moment ago: a flood of handshakes costs no queries. */
interface Refusals {
  add(host: Host): void;
  has(host: Host): boolean;
  forget(hostname: string): void;
}

const refusedMs = 2_000;
const maxRefusals = 10_000;

function createRefusals(): Refusals {
  const refused = new Map<string, { readonly epoch: number; readonly until: number }>();
  return {
    add({ hostname, epoch }) {
      if (refused.size >= maxRefusals) refused.clear();
      refused.set(hostname, { epoch, until: performance.now() + refusedMs });
    },
    has({ hostname, epoch }) {
      const found = refused.get(hostname);
      return found !== undefined && found.epoch === epoch && performance.now() < found.until;
    },
    forget: (hostname) => void refused.delete(hostname),
  };
}
