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
  const isMoving = pair.other_in_use || (mayPrepare(state) && state.check?.in_use != null);
  return state.pairChoice ?? (isMoving ? "single" : pair.recommended);
}

/** Names such as `*.shop.acme.com`. */
export function offersWildcard({ settings }: State): boolean {
  return settings?.features.wildcard === true;
}

/** The service can prepare everything before a name moves. */
function mayPrepare({ check, settings }: State): boolean {
  if (settings?.features.cutover !== true || check === null) return false;
  // In the test environment the service delegates for the sandbox's names.
  return settings.environment === "live" || check.domain.endsWith(".test");
}

/** The name, or the other one that is connected with it, serves visitors elsewhere. */
export function offersCutover(state: State): boolean {
  if (!mayPrepare(state)) return false;
  const isOtherMoving = offeredPair(state)?.other_in_use === true;
  return state.check?.in_use != null || (pairChoice(state) !== "single" && isOtherMoving);
}

/** The name that shows a site today, of those that are connected. */
export function movingName(state: State): string | null {
  const { check } = state;
  const pair = offeredPair(state);
  if (check === null || check.in_use !== null || pair === null) return check?.domain ?? null;
  return check.domain === pair.apex ? pair.www : pair.apex;
}

export function wantsCutover(state: State): boolean {
  return offersCutover(state) && state.cutoverChoice !== false;
}

/** The checked domain belongs to somebody else; the way out is a proof. */
export function isTaken({ check }: State): boolean {
  return check?.claim === "held" || check?.claim === "drifted";
}
