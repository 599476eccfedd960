import type { Attempt, OriginState } from "../../origin-health/breakers.ts";
import type { OriginTarget } from "./target.ts";

/** An origin chosen for one attempt at a request. */
export interface Choice extends Attempt {
  readonly target: OriginTarget;
}

/** The origins of one application, of which each attempt at a request takes one. */
export interface OriginSet {
  readonly size: number;
  /**
   * By weight among the origins that take requests. While none does, each request still gets one
   * attempt: it is never refused for what happened to others. Null when there is none left to try.
   */
  choose(tried: readonly OriginTarget[], isRisky: boolean): Choice | null;
  /** Whether no origin takes requests, or each that does has failed this one. */
  isExhausted(tried: readonly OriginTarget[]): boolean;
}

export interface OriginSetMember {
  readonly target: OriginTarget;
  /** 0 for a standby. */
  readonly weight: number;
}

/** What is known of the health of the members. */
export interface OriginSetHealth {
  stateOf(target: OriginTarget, isRisky: boolean): OriginState;
  begin(target: OriginTarget): Attempt;
  /** A request is to be sent. */
  onUse(): void;
}

export function createOriginSet(
  members: readonly OriginSetMember[],
  health: OriginSetHealth,
): OriginSet {
  const [first] = members;
  if (members.length === 1 && first !== undefined) return singleOrigin(first.target);
  return severalOrigins(members, health);
}

/** A single origin gets every request: there is no other to send them to. */
function singleOrigin(target: OriginTarget): OriginSet {
  const nothing = (): void => undefined;
  const choice: Choice = { target, succeeded: nothing, failed: nothing, ended: nothing };
  return {
    size: 1,
    choose: (tried) => (tried.length === 0 ? choice : null),
    isExhausted: () => true,
  };
}

interface Counted extends OriginSetMember {
  /** Of the smooth weighted round robin. */
  current: number;
}

function severalOrigins(members: readonly OriginSetMember[], health: OriginSetHealth): OriginSet {
  const counted: readonly Counted[] = members.map((member) => ({ ...member, current: 0 }));

  function taking(tried: readonly OriginTarget[], isRisky: boolean): readonly Counted[] {
    const found = counted.filter(
      ({ target }) => !tried.includes(target) && health.stateOf(target, isRisky) !== "out",
    );
    const weighted = found.filter(({ weight }) => weight > 0);
    return weighted.length > 0 ? weighted : found;
  }

  return {
    size: counted.length,
    choose(tried, isRisky) {
      if (tried.length === 0) health.onUse();
      const next =
        findNext(taking(tried, isRisky)) ?? (tried.length > 0 ? null : findNext(counted));
      if (next === null) return null;
      return { target: next.target, ...health.begin(next.target) };
    },
    isExhausted: (tried) => taking(tried, false).length === 0,
  };
}

/** Smooth weighted round robin: each in proportion, none in bursts. */
function findNext(members: readonly Counted[]): Counted | null {
  let total = 0;
  let best: Counted | null = null;
  for (const member of members) {
    const share = member.weight || 1;
    total += share;
    member.current += share;
    if (best === null || member.current > best.current) best = member;
  }
  if (best !== null) best.current -= total;
  return best;
}
