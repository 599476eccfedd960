import type { OrderFeed } from "../../feed/feed.ts";
import type { Host } from "../../hosts/host.ts";

/** Orders for handshakes: a certificate is obtained when the first visitor asks for it. */
export interface OnDemand extends OrderFeed {
  /** Something about the name has changed. */
  forget(hostname: string): void;
}

/** Names for which no order could be made a moment ago are refused without a question. */
export function createOnDemand(feed: OrderFeed): OnDemand {
  const refusals = createRefusals();
  return {
    async order(host, signal) {
      if (refusals.has(host)) return false;
      const isOrdered = await feed.order(host, signal);
      if (!isOrdered) refusals.add(host);
      return isOrdered;
    },
    isExpected: (host) => feed.isExpected(host),
    forget: refusals.forget,
  };
}

/** A flood of handshakes costs no queries. */
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
