import { TokenBucket } from "@mooring/concurrency";
import { nobody, type Share, type Urgency } from "./share.ts";

/** What a server allows at a time. */
export interface Budget {
  readonly nowMs: number;
  /** Questions that may be asked now. */
  readonly tokens: number;
  readonly burst: number;
  readonly perSecond: number;
  readonly maxInFlight: number;
}

interface SharedBudget extends Budget {
  /** What each allowance has gained so far, and gains in a second. */
  readonly earned: number;
  readonly earnedPerSecond: number;
}

/** A question that waits, by the function that sends it. */
export type Waiter = (key: string) => void;

/** What one key has of a server. */
interface Part {
  readonly key: string;
  readonly waiting: Readonly<Record<Urgency, Set<Waiter>>>;
  /** What it may take of the reserve. */
  readonly allowance: TokenBucket;
  /** Until when those that were put off have appointments. */
  readonly appointedMs: Record<Urgency, number>;
  inFlight: number;
}

const order = ["fresh", "recheck", "retry"] as const;
const reversed = order.toReversed();
/** Every so many questions the least urgent one comes first, in rotation: none waits for ever. */
const reverseEvery = 4;
/** Of what a server gains each second, what goes to the allowances of the keys that wait. */
const allowanceShare = 1 / 2;
/** Whose questions would wait longer is notified. */
const crowdedAfterMs = 3_000;
/** Of the server's rate, what appointments use; together three quarters. */
const appointedShares = { fresh: 1 / 2, recheck: 1 / 8, retry: 1 / 8 };
/** What a check asks of one server, about. */
const questionsPerCheck = 4;
const longestAppointmentMs = 3_600_000;

/**
 * The questions that wait for one server, fairly between keys. Half of the burst is a reserve: a
 * key takes of it only what its own allowance has, so that however much one key asks, another
 * finds tokens there. The more urgent question comes first, then that of the key with fewer
 * waiting; keys with about as many are served in rotation. A key has at most three quarters of what
 * may be in flight. It has no timer and no clock.
 */
export class FairQueue {
  readonly #parts = new Map<string, Part>();
  /** Those with waiters, the next to be served first. */
  readonly #busy = new Set<Part>();
  readonly #seats = new Map<Waiter, Set<Part>>();
  /** Shares that were not notified when they came. */
  readonly #welcome = new WeakSet<Share>();
  #served = 0;
  #earned = 0;
  #earnedAtMs = Number.NaN;

  get size(): number {
    return this.#seats.size;
  }

  /** Nothing would be lost with it. */
  isIdle(budget: Budget): boolean {
    this.#dropIdle(budget);
    return this.#parts.size === 0;
  }

  /** The same waiter may be added for several shares; it is served once. */
  add(waiter: Waiter, share: Share, budget: Budget): void {
    this.#shared(budget);
    const part = this.#find(share.key, budget);
    part.waiting[share.urgency].add(waiter);
    this.#busy.add(part);
    const seats = this.#seats.get(waiter) ?? new Set();
    this.#seats.set(waiter, seats.add(part));
  }

  remove(waiter: Waiter): void {
    for (const part of this.#seats.get(waiter) ?? []) {
      for (const urgency of order) part.waiting[urgency].delete(waiter);
      if (countWaiting(part) === 0) this.#busy.delete(part);
    }
    this.#seats.delete(waiter);
  }

  mayTake(key: string, budget: Budget): boolean {
    return isServed(this.#find(key, budget), this.#shared(budget));
  }

  take(key: string, budget: Budget): void {
    const part = this.#find(key, budget);
    if (allowed(part, this.#shared(budget)) >= 1) part.allowance.take();
    part.inFlight += 1;
    this.#served += 1;
  }

  release(key: string): void {
    const part = this.#parts.get(key);
    if (part !== undefined) part.inFlight -= 1;
  }

  /** Who is served next, or null while nobody may be. Its key goes behind the others. */
  next(budget: Budget, isFull: (key: string) => boolean): [Waiter, string] | null {
    const shared = this.#shared(budget);
    const isReversed = this.#served % reverseEvery === reverseEvery - 1;
    const served = [...this.#busy].filter((part) => !isFull(part.key) && isServed(part, shared));
    for (const urgency of isReversed ? reversed : order) {
      const ready = served.filter((part) => part.waiting[urgency].size > 0);
      const [first] = isReversed ? ready : ready.toSorted(byWaiting);
      const [waiter] = first?.waiting[urgency] ?? [];
      if (first === undefined || waiter === undefined) continue;
      this.#busy.delete(first);
      this.#busy.add(first);
      return [waiter, first.key];
    }
    return null;
  }

  /** When tokens suffice for the first of the waiters; null when none waits for tokens. */
  msUntilTokens(budget: Budget): number | null {
    const shared = this.#shared(budget);
    const waits = [...this.#busy]
      .filter((part) => part.inFlight < mostInFlight(part.key, budget))
      .map((part) => msUntilServed(part, shared))
      .filter((ms) => ms > 0);
    return waits.length === 0 ? null : Math.min(...waits);
  }

  /**
   * Whether many questions of its key wait before the share's. Not for a share that was let
   * in before: a check that has begun is not put off half way.
   */
  isCrowdedFor(share: Share, budget: Budget): boolean {
    if (share.key === nobody.key || this.#welcome.has(share)) return false;
    const part = this.#find(share.key, budget);
    const before = order
      .slice(0, order.indexOf(share.urgency) + 1)
      .reduce((sum, urgency) => sum + part.waiting[urgency].size, 0);
    const keys = this.#busy.size + (this.#busy.has(part) ? 0 : 1);
    const isCrowded = (before * keys * 1_000) / budget.perSecond > crowdedAfterMs;
    if (!isCrowded) this.#welcome.add(share);
    return isCrowded;
  }

  /**
   * After how many milliseconds the share should come again. Appointments are as far apart as a
   * part of the server's rate serves a check: the more of a key's checks are put off, the later
   * each.
   */
  appoint(share: Share, budget: Budget, random: () => number): number {
    const { appointedMs } = this.#find(share.key, budget);
    const { nowMs, perSecond } = budget;
    const stepMs = (questionsPerCheck * 1_000) / (perSecond * appointedShares[share.urgency]);
    const latestMs = Math.max(appointedMs[share.urgency], nowMs + crowdedAfterMs) + stepMs;
    if (latestMs - nowMs > longestAppointmentMs) {
      return Math.round(longestAppointmentMs * (0.5 + 0.5 * random()));
    }
    appointedMs[share.urgency] = latestMs;
    return Math.round(latestMs - nowMs);
  }

  /** Called before the keys that wait change: they share what is gained meanwhile. */
  #shared(budget: Budget): SharedBudget {
    const { nowMs, perSecond } = budget;
    const earnedPerSecond = (perSecond * allowanceShare) / Math.max(1, this.#busy.size);
    const elapsedMs = Math.max(0, nowMs - this.#earnedAtMs) || 0;
    this.#earned += (elapsedMs / 1_000) * earnedPerSecond;
    this.#earnedAtMs = nowMs;
    return { ...budget, earned: this.#earned, earnedPerSecond };
  }

  #find(key: string, budget: Budget): Part {
    const known = this.#parts.get(key);
    if (known !== undefined) return known;
    if (this.#parts.size >= sweepAboveParts) this.#dropIdle(budget);
    const part: Part = {
      key,
      waiting: { fresh: new Set(), recheck: new Set(), retry: new Set() },
      allowance: new TokenBucket(mostAllowed(budget), this.#shared(budget).earned),
      appointedMs: { fresh: 0, recheck: 0, retry: 0 },
      inFlight: 0,
    };
    this.#parts.set(key, part);
    return part;
  }

  #dropIdle(budget: Budget): void {
    const shared = this.#shared(budget);
    for (const [key, part] of this.#parts) {
      const hasAppointments = Object.values(part.appointedMs).some((at) => at > budget.nowMs);
      if (part.inFlight > 0 || countWaiting(part) > 0 || hasAppointments) continue;
      if (allowed(part, shared) >= mostAllowed(budget)) this.#parts.delete(key);
    }
  }
}

/** Above this many keys at one server, idle ones are dropped. */
const sweepAboveParts = 256;

function countWaiting({ waiting }: Part): number {
  return order.reduce((sum, urgency) => sum + waiting[urgency].size, 0);
}

/** Keys with about as many waiting, within a factor of two, are equal. */
function byWaiting(one: Part, other: Part): number {
  const scale = (part: Part) => Math.floor(Math.log2(countWaiting(part)));
  return scale(one) - scale(other);
}

function reserveIn({ burst }: Budget): number {
  return Math.floor(burst / 2);
}

function mostAllowed(budget: Budget): number {
  return Math.max(1, reserveIn(budget));
}

/** The allowance of the part. Its bucket's clock is what is earned: each tick is a token. */
function allowed({ allowance }: Part, budget: SharedBudget): number {
  return allowance.refill({ burst: mostAllowed(budget), perSecond: 1_000 }, budget.earned);
}

/** The most of `whole` that one key may have. */
export function mostOfOne(key: string, whole: number): number {
  return key === nobody.key ? whole : Math.ceil((whole * 3) / 4);
}

function mostInFlight(key: string, { maxInFlight }: Budget): number {
  return mostOfOne(key, maxInFlight);
}

function isServed(part: Part, budget: SharedBudget): boolean {
  return part.inFlight < mostInFlight(part.key, budget) && msUntilServed(part, budget) === 0;
}

/** Until there is a token above the reserve, or one for the key's allowance. */
function msUntilServed(part: Part, budget: SharedBudget): number {
  const { tokens, perSecond, earnedPerSecond } = budget;
  const anyMs = msUntil(1, tokens, perSecond);
  if (part.key === nobody.key) return anyMs;
  const allowedMs = msUntil(1, allowed(part, budget), earnedPerSecond);
  const aboveMs = msUntil(reserveIn(budget) + 1, tokens, perSecond);
  return Math.min(aboveMs, Math.max(anyMs, allowedMs));
}

function msUntil(needed: number, tokens: number, perSecond: number): number {
  return tokens >= needed ? 0 : Math.ceil(((needed - tokens) / perSecond) * 1_000);
}
