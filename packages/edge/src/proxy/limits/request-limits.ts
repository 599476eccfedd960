import type { EdgeLimits } from "../../config/limits.ts";
import type { ApplicationEdge } from "../../hosts/application-edge.ts";

/** The limits of requests of one application; Infinity for none. */
export interface RequestLimits {
  readonly firstByteMs: number;
  /** How long a response that has begun may be silent. */
  readonly silenceMs: number;
  /** The same for event streams and WebSockets. */
  readonly streamSilenceMs: number;
  readonly bodyBytes: number;
  readonly websocketMs: number;
}

/**
 * The application's own limits within the operator's. The API has checked them against the bounds
 * of its time; where the operator has lowered one since, the lower one holds.
 */
export function createRequestLimits(limits: EdgeLimits): (edge: ApplicationEdge) => RequestLimits {
  const known = new WeakMap<ApplicationEdge, RequestLimits>();
  return (edge) => {
    const cached = known.get(edge);
    if (cached !== undefined) return cached;
    const streamSilenceMs = within(edge.idleMs, limits.quietStreamMs);
    const made: RequestLimits = {
      firstByteMs: within(edge.firstByteMs, limits.originFirstByteMs),
      silenceMs: edge.idleMs === null ? limits.stallMs : streamSilenceMs,
      streamSilenceMs,
      bodyBytes: within(edge.bodyBytes, limits.bodyBytes || Number.POSITIVE_INFINITY),
      websocketMs: within(edge.websocketMs, limits.websocketMs || Number.POSITIVE_INFINITY),
    };
    known.set(edge, made);
    return made;
  };
}

function within(own: number | null, bound: number): number {
  return own === null ? bound : Math.min(own, bound);
}
