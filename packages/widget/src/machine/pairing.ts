import type { DomainCheck } from "@mooring/sdk";
import type { PairChoice, State } from "./state.ts";

/** The pair of the checked domain, when both names can be connected with this token. */
export function offeredPair({ check, settings }: State): DomainCheck["pair"] {
  const pair = check?.pair ?? null;
  if (pair === null || settings?.features.pair !== true) return null;
  // A check against an older service says nothing of the other name.
  return pair.other_claim === "free" || pair.other_claim === "own" ? pair : null;
}

/** Both, unless the other name serves something else now: that is replaced only on request. */
export function pairChoice(state: State): PairChoice {
  const pair = offeredPair(state);
  if (pair === null) return "single";
  return state.pairChoice ?? (pair.other_in_use ? "single" : pair.recommended);
}

/** The checked domain belongs to somebody else; the way out is a proof. */
export function isTaken({ check }: State): boolean {
  return check?.claim === "held" || check?.claim === "drifted";
}
