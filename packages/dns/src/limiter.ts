/** How one server may be used: sustained rate with a burst, and how many at the same time. */
export interface ServerPolicy {
  readonly ratePerSecond: number;
  readonly burst: number;
  readonly maxInFlight: number;
}

export interface Limiter {
  /**
   * Waits for a turn at `server` and gives the function that ends it, or null when too many already
   * wait. First come, first served per server; servers take turns for the common places, so that a
   * slow one cannot hold back the rest. Rejects with the signal's reason when aborted. Whoever need
   * not wait is answered at once, without a promise.
   */
  enter(
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

interface Lane {
  readonly policy: ServerPolicy;
  readonly waiting: Set<() => void>;
  tokens: number;
  refilledAtMs: number;
  inFlight: number;
  timer: NodeJS.Timeout | null;
}

interface State {
  readonly settings: LimiterSettings;
  readonly lanes: Map<string, Lane>;
  /** Lanes somebody waits in, in the order of their turns. */
  readonly busy: Set<Lane>;
  inFlight: number;
  waiting: number;
}

/** Above this many servers, those that are idle with a full burst are forgotten. */
const SWEEP_ABOVE_LANES = 1_024;

export function createLimiter(settings: LimiterSettings): Limiter {
  const state: State = { settings, lanes: new Map(), busy: new Set(), inFlight: 0, waiting: 0 };
  return {
    enter(server, policy, signal) {
      if (signal.aborted) return Promise.reject(signal.reason);
      if (state.waiting >= settings.maxWaiting) return null;
      const lane = laneFor(state, server, policy);
      return isFree(state, lane) ? go(state, lane) : wait(state, lane, signal);
    },
  };
}

/** Nobody is before us, in this lane or in another that waits for a common place. */
function isFree(state: State, lane: Lane): boolean {
  if (state.inFlight >= state.settings.maxInFlight) return false;
  if (lane.waiting.size > 0 || lane.inFlight >= lane.policy.maxInFlight) return false;
  refill(state, lane);
  return lane.tokens >= 1;
}

function go(state: State, lane: Lane): () => void {
  lane.tokens -= 1;
  lane.inFlight += 1;
  state.inFlight += 1;
  return leaveOnce(state, lane);
}

function wait(state: State, lane: Lane, signal: AbortSignal): Promise<() => void> {
  return new Promise((resolve, reject) => {
    let isWaiting = true;
    const stopWaiting = () => {
      isWaiting = false;
      state.waiting -= 1;
      lane.waiting.delete(onTurn);
      signal.removeEventListener("abort", onAbort);
      if (lane.waiting.size === 0) rest(state, lane);
    };
    const onTurn = () => {
      stopWaiting();
      resolve(go(state, lane));
    };
    const onAbort = () => {
      stopWaiting();
      reject(signal.reason);
    };
    state.waiting += 1;
    lane.waiting.add(onTurn);
    state.busy.add(lane);
    admit(state);
    if (isWaiting) signal.addEventListener("abort", onAbort, { once: true });
  });
}

function rest(state: State, lane: Lane): void {
  state.busy.delete(lane);
  if (lane.timer !== null) clearTimeout(lane.timer);
  lane.timer = null;
}

function leaveOnce(state: State, lane: Lane): () => void {
  let isIn = true;
  return () => {
    if (!isIn) return;
    isIn = false;
    lane.inFlight -= 1;
    state.inFlight -= 1;
    if (state.busy.size > 0) admit(state);
  };
}

function laneFor(state: State, server: string, policy: ServerPolicy): Lane {
  const known = state.lanes.get(server);
  if (known !== undefined) return known;
  if (state.lanes.size >= SWEEP_ABOVE_LANES) sweep(state);
  const lane: Lane = {
    policy,
    waiting: new Set(),
    tokens: policy.burst,
    refilledAtMs: state.settings.nowMs(),
    inFlight: 0,
    timer: null,
  };
  state.lanes.set(server, lane);
  return lane;
}

function sweep(state: State): void {
  for (const [server, lane] of state.lanes) {
    refill(state, lane);
    const isIdle = lane.inFlight === 0 && lane.waiting.size === 0;
    if (isIdle && lane.tokens >= lane.policy.burst) state.lanes.delete(server);
  }
}

function refill(state: State, lane: Lane): void {
  const nowMs = state.settings.nowMs();
  const gained = (Math.max(0, nowMs - lane.refilledAtMs) / 1_000) * lane.policy.ratePerSecond;
  lane.tokens = Math.min(lane.policy.burst, lane.tokens + gained);
  lane.refilledAtMs = nowMs;
}

/** Admits whoever may go; a lane that had its turn moves behind the others. */
function admit(state: State): void {
  for (let hasProgressed = true; hasProgressed; ) {
    hasProgressed = false;
    for (const lane of [...state.busy]) {
      if (state.inFlight >= state.settings.maxInFlight) return;
      hasProgressed = admitFrom(state, lane) || hasProgressed;
    }
  }
}

/** Lets one waiter of the lane go if its policy allows; arms a timer when only time is missing. */
function admitFrom(state: State, lane: Lane): boolean {
  const [next] = lane.waiting;
  if (next === undefined || lane.inFlight >= lane.policy.maxInFlight) return false;
  refill(state, lane);
  if (lane.tokens < 1) {
    lane.timer ??= setTimeout(
      () => {
        lane.timer = null;
        admit(state);
      },
      Math.ceil(((1 - lane.tokens) / lane.policy.ratePerSecond) * 1_000),
    );
    return false;
  }
  state.busy.delete(lane);
  state.busy.add(lane);
  next();
  return true;
}
