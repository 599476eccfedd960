import { TokenBucket } from "@mooring/concurrency";
import { type Budget, FairQueue, mostOfOne, type Waiter } from "./fair-queue.ts";
import { type Askers, currentAskers, nobody, type Share } from "./share.ts";

/** How one server may be used: sustained rate with a burst, and how many at the same time. */
export interface ServerPolicy {
  readonly ratePerSecond: number;
  readonly burst: number;
  readonly maxInFlight: number;
  /**
   * How many processes share this policy; each takes an equal part. Without it this one has all.
   */
  readonly processes?: (() => number) | undefined;
}

export interface Limiter {
  /**
   * Waits for a slot at `server` and returns the function that releases it, or null when the queue
   * is full. Fair between the shares that ask (see `askFor`); first come, first served within one.
   * Servers take the common slots in rotation, so a slow server cannot block the rest. Rejects with
   * the signal's reason when aborted. A free slot is returned at once, without a promise.
   */
  acquire(
    server: string,
    policy: ServerPolicy,
    signal: AbortSignal,
  ): (() => void) | null | Promise<() => void>;
}

export interface LimiterSettings {
  readonly maxInFlight: number;
  readonly maxWaiting: number;
  readonly nowMs: () => number;
  /** From 0 to 1, for the spread of those that are put off for long. */
  readonly random?: () => number;
}

/** The queue and token bucket of one server. */
interface Lane {
  readonly policy: ServerPolicy;
  readonly queue: FairQueue;
  readonly bucket: TokenBucket;
  inFlight: number;
  timer: { readonly handle: NodeJS.Timeout; readonly atMs: number } | null;
}

interface State {
  readonly settings: LimiterSettings;
  readonly lanes: Map<string, Lane>;
  /** Lanes with waiters, the next to be served first. */
  readonly busy: Set<Lane>;
  /** What each key has in flight and waiting at all servers. */
  readonly keys: Map<string, { inFlight: number; waiting: number }>;
  inFlight: number;
  waiting: number;
}

/** Above this many lanes, idle ones with a full burst are dropped. */
const sweepAboveLanes = 1_024;

export function createLimiter(settings: LimiterSettings): Limiter {
  const state: State = {
    settings,
    lanes: new Map(),
    busy: new Set(),
    keys: new Map(),
    inFlight: 0,
    waiting: 0,
  };
  return {
    acquire(server, policy, signal) {
      if (signal.aborted) return Promise.reject(signal.reason);
      const askers = currentAskers();
      const key = askers.shares[0]?.key ?? nobody.key;
      const lane = laneFor(state, server, policy);
      if (state.waiting >= settings.maxWaiting || hasManyWaiting(state, key)) {
        putOff(state, lane, askers);
        return signal.aborted ? Promise.reject(signal.reason) : null;
      }
      return hasFreeSlot(state, lane, key)
        ? takeSlot(state, lane, key)
        : wait(state, lane, askers, signal);
    },
  };
}

function hasFreeSlot(state: State, lane: Lane, key: string): boolean {
  if (state.inFlight >= state.settings.maxInFlight || isFull(state, key)) return false;
  const budget = budgetFor(state, lane);
  if (lane.queue.size > 0 || lane.inFlight >= budget.maxInFlight) return false;
  return lane.queue.mayTake(key, budget);
}

function isFull({ keys, settings }: State, key: string): boolean {
  return (keys.get(key)?.inFlight ?? 0) >= mostOfOne(key, settings.maxInFlight);
}

function hasManyWaiting({ keys, settings }: State, key: string): boolean {
  return (keys.get(key)?.waiting ?? 0) >= mostOfOne(key, settings.maxWaiting);
}

function takeSlot(state: State, lane: Lane, key: string): () => void {
  lane.queue.take(key, budgetFor(state, lane));
  lane.bucket.take();
  lane.inFlight += 1;
  state.inFlight += 1;
  count(state, key, "inFlight", 1);
  return releaseOnce(state, lane, key);
}

function count(state: State, key: string, what: "inFlight" | "waiting", change: 1 | -1): void {
  const counts = state.keys.get(key) ?? { inFlight: 0, waiting: 0 };
  counts[what] += change;
  if (counts.inFlight === 0 && counts.waiting === 0) state.keys.delete(key);
  else state.keys.set(key, counts);
}

function wait(state: State, lane: Lane, askers: Askers, signal: AbortSignal): Promise<() => void> {
  const budget = budgetFor(state, lane);
  if (askers.shares.every((share) => canBePutOff(lane, share, budget))) putOff(state, lane, askers);
  if (signal.aborted) return Promise.reject(signal.reason);
  return new Promise((resolve, reject) => {
    let isWaiting = true;
    const { key } = askers.shares[0] ?? nobody;
    const unfollow = askers.follow((share) => {
      lane.queue.add(onSlot, share, budgetFor(state, lane));
      admit(state);
    });
    const stopWaiting = () => {
      isWaiting = false;
      unfollow();
      state.waiting -= 1;
      count(state, key, "waiting", -1);
      lane.queue.remove(onSlot);
      signal.removeEventListener("abort", onAbort);
      if (lane.queue.size === 0) stopServing(state, lane);
    };
    const onSlot: Waiter = (served) => {
      stopWaiting();
      resolve(takeSlot(state, lane, served));
    };
    const onAbort = () => {
      stopWaiting();
      // Time that was spent in this queue says nothing about the server.
      if (isTimeout(signal.reason)) putOff(state, lane, askers);
      reject(signal.reason);
    };
    state.waiting += 1;
    count(state, key, "waiting", 1);
    for (const share of askers.shares) lane.queue.add(onSlot, share, budget);
    state.busy.add(lane);
    admit(state);
    if (isWaiting) signal.addEventListener("abort", onAbort, { once: true });
  });
}

/** A question that one of its askers can wait for is not put off for the others. */
function canBePutOff(lane: Lane, share: Share, budget: Budget): boolean {
  return share.onCrowded !== undefined && lane.queue.isCrowdedFor(share, budget);
}

function putOff(state: State, lane: Lane, { shares }: Askers): void {
  const random = state.settings.random ?? Math.random;
  for (const share of [...shares]) {
    if (share.onCrowded === undefined) continue;
    share.onCrowded(lane.queue.appoint(share, budgetFor(state, lane), random));
  }
}

function isTimeout(reason: unknown): boolean {
  return reason instanceof Error && reason.name === "TimeoutError";
}

function stopServing(state: State, lane: Lane): void {
  state.busy.delete(lane);
  if (lane.timer !== null) clearTimeout(lane.timer.handle);
  lane.timer = null;
}

function releaseOnce(state: State, lane: Lane, key: string): () => void {
  let isTaken = true;
  return () => {
    if (!isTaken) return;
    isTaken = false;
    lane.inFlight -= 1;
    lane.queue.release(key);
    state.inFlight -= 1;
    count(state, key, "inFlight", -1);
    if (state.busy.size > 0) admit(state);
  };
}

function laneFor(state: State, server: string, policy: ServerPolicy): Lane {
  const known = state.lanes.get(server);
  if (known !== undefined) return known;
  if (state.lanes.size >= sweepAboveLanes) sweep(state);
  const lane: Lane = {
    policy,
    queue: new FairQueue(),
    bucket: new TokenBucket(policy.burst, state.settings.nowMs()),
    inFlight: 0,
    timer: null,
  };
  state.lanes.set(server, lane);
  return lane;
}

function sweep(state: State): void {
  for (const [server, lane] of state.lanes) {
    const budget = budgetFor(state, lane);
    const isIdle = lane.inFlight === 0 && lane.queue.size === 0;
    if (isIdle && budget.tokens >= budget.burst && lane.queue.isIdle(budget)) {
      state.lanes.delete(server);
    }
  }
}

/** What this process may ask the server now. */
function budgetFor(state: State, { policy, bucket }: Lane): Budget {
  const nowMs = state.settings.nowMs();
  const processes = Math.max(1, policy.processes?.() ?? 1);
  // One at least, or it could ask nothing.
  const partOf = (whole: number): number => Math.max(1, Math.floor(whole / processes));
  const limit = { burst: partOf(policy.burst), perSecond: policy.ratePerSecond / processes };
  const tokens = bucket.refill(limit, nowMs);
  return { nowMs, tokens, ...limit, maxInFlight: partOf(policy.maxInFlight) };
}

/** Gives free slots to waiters; a lane that got one moves behind the others. */
function admit(state: State): void {
  for (let hasProgressed = true; hasProgressed; ) {
    hasProgressed = false;
    for (const lane of [...state.busy]) {
      if (state.inFlight >= state.settings.maxInFlight) return;
      hasProgressed = admitFrom(state, lane) || hasProgressed;
    }
  }
}

/**
 * Gives one waiter of the lane a slot if the policy allows; arms a timer when only tokens are
 * missing.
 */
function admitFrom(state: State, lane: Lane): boolean {
  const budget = budgetFor(state, lane);
  if (lane.queue.size === 0 || lane.inFlight >= budget.maxInFlight) return false;
  const next = lane.queue.next(budget, (key) => isFull(state, key));
  if (next === null) {
    const waitMs = lane.queue.msUntilTokens(budget);
    if (waitMs !== null) admitAfter(state, lane, waitMs, budget.nowMs);
    return false;
  }
  state.busy.delete(lane);
  state.busy.add(lane);
  const [waiter, key] = next;
  waiter(key);
  return true;
}

function admitAfter(state: State, lane: Lane, waitMs: number, nowMs: number): void {
  const atMs = nowMs + Math.max(1, waitMs);
  if (lane.timer !== null && lane.timer.atMs <= atMs) return;
  if (lane.timer !== null) clearTimeout(lane.timer.handle);
  const handle = setTimeout(() => {
    lane.timer = null;
    admit(state);
  }, atMs - nowMs);
  lane.timer = { handle, atMs };
}
