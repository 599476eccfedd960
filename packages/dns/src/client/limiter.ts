import { TokenBucket } from "@mooring/concurrency";

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
   * is full. First come, first served per server; servers take the common slots in rotation, so a
   * slow server cannot block the rest. Rejects with the signal's reason when aborted. A free slot
   * is returned at once, without a promise.
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
}

/** The queue and token bucket of one server. */
interface Lane {
  readonly policy: ServerPolicy;
  readonly waiting: Set<() => void>;
  readonly bucket: TokenBucket;
  inFlight: number;
  timer: NodeJS.Timeout | null;
}

interface State {
  readonly settings: LimiterSettings;
  readonly lanes: Map<string, Lane>;
  /** Lanes with waiters, the next to be served first. */
  readonly busy: Set<Lane>;
  inFlight: number;
  waiting: number;
}

/** Above this many lanes, idle ones with a full burst are dropped. */
const sweepAboveLanes = 1_024;

export function createLimiter(settings: LimiterSettings): Limiter {
  const state: State = { settings, lanes: new Map(), busy: new Set(), inFlight: 0, waiting: 0 };
  return {
    acquire(server, policy, signal) {
      if (signal.aborted) return Promise.reject(signal.reason);
      if (state.waiting >= settings.maxWaiting) return null;
      const lane = laneFor(state, server, policy);
      return hasFreeSlot(state, lane) ? takeSlot(state, lane) : wait(state, lane, signal);
    },
  };
}

function hasFreeSlot(state: State, lane: Lane): boolean {
  if (state.inFlight >= state.settings.maxInFlight) return false;
  if (lane.waiting.size > 0 || lane.inFlight >= partOf(lane, lane.policy.maxInFlight)) return false;
  return refill(state, lane) >= 1;
}

function takeSlot(state: State, lane: Lane): () => void {
  lane.bucket.take();
  lane.inFlight += 1;
  state.inFlight += 1;
  return releaseOnce(state, lane);
}

function wait(state: State, lane: Lane, signal: AbortSignal): Promise<() => void> {
  return new Promise((resolve, reject) => {
    let isWaiting = true;
    const stopWaiting = () => {
      isWaiting = false;
      state.waiting -= 1;
      lane.waiting.delete(onSlot);
      signal.removeEventListener("abort", onAbort);
      if (lane.waiting.size === 0) stopServing(state, lane);
    };
    const onSlot = () => {
      stopWaiting();
      resolve(takeSlot(state, lane));
    };
    const onAbort = () => {
      stopWaiting();
      reject(signal.reason);
    };
    state.waiting += 1;
    lane.waiting.add(onSlot);
    state.busy.add(lane);
    admit(state);
    if (isWaiting) signal.addEventListener("abort", onAbort, { once: true });
  });
}

function stopServing(state: State, lane: Lane): void {
  state.busy.delete(lane);
  if (lane.timer !== null) clearTimeout(lane.timer);
  lane.timer = null;
}

function releaseOnce(state: State, lane: Lane): () => void {
  let isHeld = true;
  return () => {
    if (!isHeld) return;
    isHeld = false;
    lane.inFlight -= 1;
    state.inFlight -= 1;
    if (state.busy.size > 0) admit(state);
  };
}

function laneFor(state: State, server: string, policy: ServerPolicy): Lane {
  const known = state.lanes.get(server);
  if (known !== undefined) return known;
  if (state.lanes.size >= sweepAboveLanes) sweep(state);
  const lane: Lane = {
    policy,
    waiting: new Set(),
    bucket: new TokenBucket(policy.burst, state.settings.nowMs()),
    inFlight: 0,
    timer: null,
  };
  state.lanes.set(server, lane);
  return lane;
}

function sweep(state: State): void {
  for (const [server, lane] of state.lanes) {
    const tokens = refill(state, lane);
    const isIdle = lane.inFlight === 0 && lane.waiting.size === 0;
    if (isIdle && tokens >= partOf(lane, lane.policy.burst)) state.lanes.delete(server);
  }
}

/** The tokens of the lane. */
function refill(state: State, lane: Lane): number {
  const limit = { burst: partOf(lane, lane.policy.burst), perSecond: rateOf(lane) };
  return lane.bucket.refill(limit, state.settings.nowMs());
}

function rateOf({ policy }: Lane): number {
  return policy.ratePerSecond / Math.max(1, policy.processes?.() ?? 1);
}

/** This process's part of a number; one at least, or it could ask nothing. */
function partOf({ policy }: Lane, whole: number): number {
  return Math.max(1, Math.floor(whole / Math.max(1, policy.processes?.() ?? 1)));
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
  const [next] = lane.waiting;
  if (next === undefined || lane.inFlight >= partOf(lane, lane.policy.maxInFlight)) return false;
  const tokens = refill(state, lane);
  if (tokens < 1) {
    lane.timer ??= setTimeout(
      () => {
        lane.timer = null;
        admit(state);
      },
      Math.ceil(((1 - tokens) / rateOf(lane)) * 1_000),
    );
    return false;
  }
  state.busy.delete(lane);
  state.busy.add(lane);
  next();
  return true;
}
