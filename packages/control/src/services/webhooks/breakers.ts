/**
 * Circuit breakers, one per endpoint, so that an endpoint that mostly fails does not take this
 * worker's slots. While its breaker is open an endpoint is capped: one attempt every 30 seconds.
 */
export interface Breakers {
  /** Endpoints whose breaker is open: 1 when an attempt is due, otherwise 0. */
  capped(): ReadonlyMap<string, number>;
  attemptStarted(endpointId: string): void;
  attemptEnded(endpointId: string, hasSucceeded: boolean): void;
}

const windowMs = 5 * 60_000;
const minSamples = 10;
const failingShare = 0.7;
const probeEveryMs = 30_000;
const maxSamples = 200;

interface EndpointBreaker {
  inFlight: number;
  samples: { readonly at: number; readonly ok: boolean }[];
  /** When an open breaker allows the next attempt; null while it is closed. */
  probeAt: number | null;
}

export function createBreakers(nowMs: () => number): Breakers {
  const breakers = new Map<string, EndpointBreaker>();

  const getBreaker = (id: string): EndpointBreaker => {
    const known = breakers.get(id) ?? { inFlight: 0, samples: [], probeAt: null };
    breakers.set(id, known);
    return known;
  };

  const isFailing = (one: EndpointBreaker): boolean => {
    const failures = one.samples.filter((sample) => !sample.ok).length;
    return one.samples.length >= minSamples && failures / one.samples.length >= failingShare;
  };

  /** Whether nothing was sent to the endpoint for the length of the window. */
  const isIdle = (one: EndpointBreaker): boolean => {
    const last = one.samples.at(-1)?.at ?? Number.NEGATIVE_INFINITY;
    return one.inFlight === 0 && nowMs() - last >= windowMs;
  };

  const record = (one: EndpointBreaker, ok: boolean): void => {
    const now = nowMs();
    one.samples = [...one.samples, { at: now, ok }]
      .filter((sample) => now - sample.at < windowMs)
      .slice(-maxSamples);
    if (ok) {
      // One success closes the breaker, so that the backlog is sent.
      if (one.probeAt !== null) one.samples = [];
      one.probeAt = null;
    } else if (one.probeAt !== null || isFailing(one)) one.probeAt = now + probeEveryMs;
  };

  return {
    capped() {
      const capped = new Map<string, number>();
      for (const [id, one] of breakers) {
        if (isIdle(one)) breakers.delete(id);
        else if (one.probeAt !== null) {
          capped.set(id, one.inFlight === 0 && nowMs() >= one.probeAt ? 1 : 0);
        }
      }
      return capped;
    },
    attemptStarted(endpointId) {
      getBreaker(endpointId).inFlight += 1;
    },
    attemptEnded(endpointId, hasSucceeded) {
      const one = getBreaker(endpointId);
      one.inFlight -= 1;
      record(one, hasSucceeded);
    },
  };
}
