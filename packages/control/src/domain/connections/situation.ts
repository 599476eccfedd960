import type { ConnectionState } from "./connection.ts";
import type { CutoverStatus } from "./cutover.ts";

/**
 * How a domain is, in one word for its customer. The widget and the console have the same words for
 * the same situations.
 */
export type Situation =
  | Exclude<ConnectionState, "archived">
  | Exclude<CutoverStatus, "done">
  | "at_risk";

interface Facts {
  readonly state: ConnectionState;
  readonly errorCode: string | null;
  readonly cutover: { readonly status: CutoverStatus } | null;
}

/** Proven, and not served yet: how far the move is says more than the state. */
const moving: readonly ConnectionState[] = ["verified", "dns_writing", "propagating", "stalled"];

export function connectionSituation({ state, errorCode, cutover }: Facts): Situation {
  const move = cutover?.status ?? "done";
  if (move !== "done" && moving.includes(state)) return move;
  if (state === "live" && errorCode !== null) return "at_risk";
  // What was disconnected is on no page.
  return state === "archived" ? "failed" : state;
}
