import type { DeliveryRoom } from "../../db/due-deliveries.ts";

/**
 * Keeps one receiver from slowing the others. Counts what is under way for each endpoint and
 * tenant, and opens a breaker for an endpoint that mostly fails: it then gets one try at a time.
 */
export interface DeliveryGate {
  /** How much more may start, for endpoints and tenants that have something under way or are spared. */
  room(): DeliveryRoom;
  /** Whether one more may start: a claim can hold more of one tenant than may run. */
  hasRoom(endpointId: string, tenantId: string): boolean;
  enter(endpointId: string, tenantId: string): void;
  leave(endpointId: string, tenantId: string, hasSucceeded: boolean): void;
}

const perEndpoint = 8;
const perTenant = 64;
const windowMs = 5 * 60_000;
const leastSamples = 10;
const failingShare = 0.7;
const probeEveryMs = 30_000;
const maxSamples = 200;

interface Receiver {
  inFlight: number;
  samples: { readonly at: number; readonly ok: boolean }[];
  /** When an open breaker lets the next try through; null while it is closed. */
  probeAt: number | null;
}

export function createGate(nowMs: () => number): DeliveryGate {
  const receivers = new Map<string, Receiver>();
  const tenants = new Map<string, number>();

  const receiver = (id: string): Receiver => {
    const known = receivers.get(id) ?? { inFlight: 0, samples: [], probeAt: null };
    receivers.set(id, known);
    return known;
  };

  const isFailing = (one: Receiver): boolean => {
    const failures = one.samples.filter((sample) => !sample.ok).length;
    return one.samples.length >= leastSamples && failures / one.samples.length >= failingShare;
  };

  const roomOf = (one: Receiver): number => {
    if (one.probeAt === null) return Math.max(0, perEndpoint - one.inFlight);
    return one.inFlight === 0 && nowMs() >= one.probeAt ? 1 : 0;
  };

  /** Nothing is remembered of a receiver that nothing was sent to for the length of the window. */
  const isForgotten = (one: Receiver): boolean => {
    const last = one.samples.at(-1)?.at ?? Number.NEGATIVE_INFINITY;
    return one.inFlight === 0 && nowMs() - last >= windowMs;
  };

  const record = (one: Receiver, ok: boolean): void => {
    const now = nowMs();
    one.samples = [...one.samples, { at: now, ok }]
      .filter((sample) => now - sample.at < windowMs)
      .slice(-maxSamples);
    if (ok) {
      // One success closes the breaker: the receiver is back, and its backlog may flow.
      if (one.probeAt !== null) one.samples = [];
      one.probeAt = null;
    } else if (one.probeAt !== null || isFailing(one)) one.probeAt = now + probeEveryMs;
  };

  return {
    room() {
      for (const [id, one] of receivers) if (isForgotten(one)) receivers.delete(id);
      return {
        usual: perEndpoint,
        endpoints: new Map([...receivers].map(([id, one]) => [id, roomOf(one)])),
        fullTenants: [...tenants].filter(([, count]) => count >= perTenant).map(([id]) => id),
      };
    },
    hasRoom: (endpointId, tenantId) =>
      roomOf(receiver(endpointId)) > 0 && (tenants.get(tenantId) ?? 0) < perTenant,
    enter(endpointId, tenantId) {
      receiver(endpointId).inFlight += 1;
      tenants.set(tenantId, (tenants.get(tenantId) ?? 0) + 1);
    },
    leave(endpointId, tenantId, hasSucceeded) {
      const one = receiver(endpointId);
      one.inFlight -= 1;
      const left = (tenants.get(tenantId) ?? 1) - 1;
      if (left > 0) tenants.set(tenantId, left);
      else tenants.delete(tenantId);
      record(one, hasSucceeded);
    },
  };
}
