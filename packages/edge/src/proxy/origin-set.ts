import type { Application } from "../hosts/application.ts";
import type { Breakers, Turn } from "../origin-health/breakers.ts";
import type { OriginPools, OriginTarget } from "./origin-pools.ts";

/** An origin chosen for one attempt at a request. */
export interface Choice extends Turn {
  readonly target: OriginTarget;
}

/** The origins of one application, of which each attempt at a request takes one. */
export interface OriginSet {
  readonly size: number;
  /** Those that may be dialled, with the shares that they have. */
  readonly targets: readonly OriginTarget[];
  /**
   * By weight among the origins that take requests. While none does, each request still gets one
   * attempt: it is never refused for what happened to others. Null when there is none left to try.
   */
  choose(tried: readonly OriginTarget[], isRisky: boolean): Choice | null;
  /** Whether no origin takes requests, or each that does has failed this one. */
  isExhausted(tried: readonly OriginTarget[]): boolean;
}

/** Throws the guard's EgressError when no origin of the application may be dialled. */
export type OriginSets = (application: Application) => OriginSet;

/** Sets are built once per application object; a changed application is another object. */
export function createOriginSets(
  pools: Pick<OriginPools, "target">,
  breakers: Breakers,
  onRefused: (application: Application, url: string, error: unknown) => void,
): OriginSets {
  const sets = new WeakMap<Application, OriginSet>();
  return (application) => {
    const known = sets.get(application);
    if (known !== undefined) return known;
    const members = membersOf(pools, application, onRefused);
    const [first] = members;
    const isSingle = members.length === 1 && first !== undefined;
    const set = isSingle ? singleOrigin(first.target) : severalOrigins(members, breakers);
    sets.set(application, set);
    return set;
  };
}

interface Member {
  readonly target: OriginTarget;
  readonly weight: number;
  /** Of the smooth weighted round robin. */
  current: number;
}

/** An origin that must not be dialled is left out, as long as there is another. */
function membersOf(
  pools: Pick<OriginPools, "target">,
  application: Application,
  onRefused: (application: Application, url: string, error: unknown) => void,
): Member[] {
  const members: Member[] = [];
  let refusal: unknown = null;
  for (const { url, weight } of application.origins) {
    try {
      members.push({ target: pools.target(application, url), weight, current: 0 });
    } catch (error) {
      refusal ??= error;
      if (application.origins.length > 1) onRefused(application, url, error);
    }
  }
  if (members.length === 0 && refusal !== null) throw refusal;
  return members;
}

/** A single origin gets every request: there is no other to spare it for. */
function singleOrigin(target: OriginTarget): OriginSet {
  const nothing = (): void => undefined;
  const choice: Choice = { target, succeeded: nothing, failed: nothing, ended: nothing };
  return {
    size: 1,
    targets: [target],
    choose: (tried) => (tried.length === 0 ? choice : null),
    isExhausted: () => true,
  };
}

function severalOrigins(members: readonly Member[], breakers: Breakers): OriginSet {
  function taking(tried: readonly OriginTarget[], isRisky: boolean): readonly Member[] {
    const found = members.filter(
      ({ target }) => !tried.includes(target) && breakers.stateOf(target.key, isRisky) !== "out",
    );
    const weighted = found.filter(({ weight }) => weight > 0);
    return weighted.length > 0 ? weighted : found;
  }

  return {
    size: members.length,
    targets: members.map(({ target }) => target),
    choose(tried, isRisky) {
      const next = nextOf(taking(tried, isRisky)) ?? (tried.length > 0 ? null : nextOf(members));
      if (next === null) return null;
      return { target: next.target, ...breakers.begin(next.target.key) };
    },
    isExhausted: (tried) => taking(tried, false).length === 0,
  };
}

/** Smooth weighted round robin: each in proportion, none in bursts. */
function nextOf(members: readonly Member[]): Member | null {
  let total = 0;
  let best: Member | null = null;
  for (const member of members) {
    const share = member.weight || 1;
    total += share;
    member.current += share;
    if (best === null || member.current > best.current) best = member;
  }
  if (best !== null) best.current -= total;
  return best;
}
