import type { CutoverFact, NotCompared } from "./cutover.ts";

/** What a server says to a visitor of `/`. */
export interface OriginAnswer {
  readonly status: number;
  /** Where a redirect goes; null for other answers. */
  readonly location: string | null;
}

/** The edge answers so for an origin that it cannot reach, and a gateway before a dead server. */
const gatewayErrors: ReadonlySet<number> = new Set([502, 503, 504]);

/**
 * Whether the origin answers like the old place: the class of the status, and where a redirect
 * goes. Without an answer of the old place there is nothing to compare, which is fine; an origin
 * that does not answer is not, whatever the old place says.
 */
export function compareOrigin(
  before: OriginAnswer | NotCompared,
  after: OriginAnswer,
): CutoverFact {
  if (gatewayErrors.has(after.status)) {
    return { ok: false, message: `The origin does not answer (${after.status}).` };
  }
  if (typeof before === "string") {
    return { ok: true, message: `Not compared: ${reasons[before]}.`, not_compared: before };
  }
  const difference = describeDifference(before, after);
  if (difference === null) return { ok: true, message: "The origin answers like the old place." };
  return { ok: false, message: `The origin answers differently: ${difference}.` };
}

const reasons: Readonly<Record<NotCompared, string>> = {
  no_address: "the name has no address at the old place now",
  unreachable: "the old place could not be reached",
};

function describeDifference(before: OriginAnswer, after: OriginAnswer): string | null {
  const statusClass = ({ status }: OriginAnswer): number => Math.floor(status / 100);
  if (statusClass(before) !== statusClass(after)) {
    return `the old place says ${before.status}, the origin ${after.status}`;
  }
  if (statusClass(before) !== 3 || before.location === after.location) return null;
  return `the old place redirects to ${before.location}, the origin to ${after.location}`;
}
