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
  const isMoving = pair.other_in_use || canPrepare(state);
  return state.pairChoice ?? (isMoving ? "single" : pair.recommended);
}

/** Names such as `*.shop.acme.com`. */
export function offersWildcard({ settings }: State): boolean {
  return settings?.features.wildcard === true;
}

/** The name serves visitors elsewhere, and the service can prepare everything before it moves. */
function canPrepare({ check, settings }: State): boolean {
  if (settings?.features.cutover !== true || check?.in_use == null) return false;
  // In the test environment the service delegates for the sandbox's names.
  return settings.environment === "live" || check.domain.endsWith(".test");
}

/** Both names at once are not prepared; the choice is there when one is connected. */
export function offersCutover(state: State): boolean {
  return canPrepare(state) && pairChoice(state) === "single";
}

export function wantsCutover(state: State): boolean {
  return offersCutover(state) && state.cutoverChoice !== false;
}

/** The checked domain belongs to somebody else; the way out is a proof. */
export function isTaken({ check }: State): boolean {
  return check?.claim === "held" || check?.claim === "drifted";
}
