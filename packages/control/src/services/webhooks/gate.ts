/**
 * Keeps one receiver from slowing the others. Counts what is under way for each endpoint and
 * tenant, and opens a breaker for an endpoint that mostly fails: it then gets one try at a time.
 */
export interface DeliveryGate {
  /** Endpoints that are to get nothing now. */
  spared(): string[];
  enter(endpointId: string, tenantId: string): void;
  leave(endpointId: string, tenantId: string, hasSucceeded: boolean): void;
  /** Whether one more may start; a claimed batch can hold more of one endpoint than may run. */
  hasRoom(endpointId: string, tenantId: string): boolean;
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

export function createGate(nowMs: () => number = () => performance.now()): DeliveryGate {
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

  const isSpared = (one: Receiver): boolean => {
    if (one.inFlight >= perEndpoint) return true;
    return one.probeAt !== null && (one.inFlight > 0 || nowMs() < one.probeAt);
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
    spared: () => [...receivers].filter(([, one]) => isSpared(one)).map(([id]) => id),
    hasRoom: (endpointId, tenantId) =>
      !isSpared(receiver(endpointId)) && (tenants.get(tenantId) ?? 0) < perTenant,
    enter(endpointId, tenantId) {
      receiver(endpointId).inFlight += 1;
      tenants.set(tenantId, (tenants.get(tenantId) ?? 0) + 1);
    },
    leave(endpointId, tenantId, hasSucceeded) {
      const one = receiver(endpointId);
      one.inFlight -= 1;
      tenants.set(tenantId, (tenants.get(tenantId) ?? 1) - 1);
      record(one, hasSucceeded);
      if (one.inFlight === 0 && one.probeAt === null && hasSucceeded) receivers.delete(endpointId);
    },
  };
}
