/**
 * Keeps a receiver that mostly fails from taking the time of this worker: its breaker opens, and it
 * then gets one try at a time.
 */
export interface Breakers {
  /** Endpoints whose breaker is open: 1 when a try is due, otherwise 0. */
  capped(): ReadonlyMap<string, number>;
  enter(endpointId: string): void;
  leave(endpointId: string, hasSucceeded: boolean): void;
}

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

export function createBreakers(nowMs: () => number): Breakers {
  const receivers = new Map<string, Receiver>();

  const receiver = (id: string): Receiver => {
    const known = receivers.get(id) ?? { inFlight: 0, samples: [], probeAt: null };
    receivers.set(id, known);
    return known;
  };

  const isFailing = (one: Receiver): boolean => {
    const failures = one.samples.filter((sample) => !sample.ok).length;
    return one.samples.length >= leastSamples && failures / one.samples.length >= failingShare;
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
    capped() {
      const capped = new Map<string, number>();
      for (const [id, one] of receivers) {
        if (isForgotten(one)) receivers.delete(id);
        else if (one.probeAt !== null) {
          capped.set(id, one.inFlight === 0 && nowMs() >= one.probeAt ? 1 : 0);
        }
      }
      return capped;
    },
    enter(endpointId) {
      receiver(endpointId).inFlight += 1;
    },
    leave(endpointId, hasSucceeded) {
      const one = receiver(endpointId);
      one.inFlight -= 1;
      record(one, hasSucceeded);
    },
  };
}
