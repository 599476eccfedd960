import { ApiError, apiErrorOf, ConnectionError, MooringError, TimeoutError } from "./errors.ts";

/** What a request needs of the world; tests replace them. */
export interface Wire {
  readonly fetch: typeof fetch;
  /** Resolves after so long; rejects with the signal's reason when that comes first. */
  readonly sleep: (ms: number, signal: AbortSignal | null) => Promise<void>;
  /** 0 ≤ x < 1 */
  readonly random: () => number;
}

export interface Policy {
  /** For each attempt, from its start to the last byte of its answer. */
  readonly timeoutMs: number;
  /** Further attempts after the first. */
  readonly retries: number;
}

export interface ApiRequest {
  readonly method: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | null;
  /** Whether doing it twice is the same as once: a safe method, or under an Idempotency-Key. */
  readonly isRepeatable: boolean;
  readonly signal: AbortSignal | null;
}

export interface ApiAnswer {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
}

/** A longer Retry-After is not waited for: the caller has better things to do and gets the error. */
const longestWaitMs = 60_000;

/** Before the first, second … repetition at most this long; half of it is left to chance. */
const scheduleMs = [500, 1_000, 2_000, 4_000, 8_000] as const;

/** Sends until there is a success, an error that repeating cannot mend, or no attempt left. */
export async function send(wire: Wire, policy: Policy, request: ApiRequest): Promise<ApiAnswer> {
  for (let attempt = 0; ; attempt += 1) {
    const outcome = await tryOnce(wire, policy.timeoutMs, request);
    if (!(outcome instanceof MooringError)) return outcome;
    const waitMs = pauseBefore(outcome, attempt, wire.random);
    if (!request.isRepeatable || attempt >= policy.retries || waitMs === null) throw outcome;
    await wire.sleep(waitMs, request.signal);
  }
}

async function tryOnce(
  wire: Wire,
  timeoutMs: number,
  request: ApiRequest,
): Promise<ApiAnswer | ApiError | ConnectionError> {
  const deadline = attemptSignal(timeoutMs, request.signal);
  try {
    const response = await wire.fetch(request.url, {
      method: request.method,
      headers: request.headers,
      ...(request.body === null ? {} : { body: request.body }),
      // A followed redirect could turn a POST into a GET, which then "succeeds".
      redirect: "error",
      signal: deadline.signal,
    });
    const text = await response.text();
    const { status, headers } = response;
    return response.ok ? { status, headers, text } : apiErrorOf(status, headers, text);
  } catch (error) {
    request.signal?.throwIfAborted();
    if (deadline.hasPassed()) return new TimeoutError(timeoutMs);
    return new ConnectionError("the service could not be reached", { cause: error });
  } finally {
    deadline.clear();
  }
}

/** Aborts with the caller's signal or after the time, and says whether it was the time. */
function attemptSignal(timeoutMs: number, outer: AbortSignal | null) {
  outer?.throwIfAborted();
  const controller = new AbortController();
  let hasPassed = false;
  const timer = setTimeout(() => {
    hasPassed = true;
    controller.abort();
  }, timeoutMs);
  const follow = () => controller.abort(outer?.reason);
  outer?.addEventListener("abort", follow, { once: true });
  return {
    signal: controller.signal,
    hasPassed: () => hasPassed,
    clear() {
      clearTimeout(timer);
      outer?.removeEventListener("abort", follow);
    },
  };
}

/** How long to wait before repeating after this error; null when repeating would not help. */
export function pauseBefore(
  error: MooringError,
  attempt: number,
  random: () => number,
): number | null {
  if (!isPassing(error)) return null;
  const ceilingMs = scheduleMs[Math.min(attempt, scheduleMs.length - 1)] ?? longestWaitMs;
  const jitteredMs = ceilingMs / 2 + random() * (ceilingMs / 2);
  const askedMs = error instanceof ApiError ? (error.retryAfter ?? 0) * 1_000 : 0;
  if (askedMs > longestWaitMs) return null;
  return Math.max(askedMs, jitteredMs);
}

/** Answers about a third party, which a 502 of ours means, stay as they are for longer than a call. */
const settledCodes: readonly string[] = ["billing_unavailable", "provider_error"];

function isPassing(error: MooringError): boolean {
  if (error instanceof ConnectionError) return true;
  if (!(error instanceof ApiError)) return false;
  // Our own earlier attempt, whose answer was lost, is still being carried out.
  if (error.code === "idempotency_in_progress") return true;
  if (settledCodes.includes(error.code)) return false;
  return [429, 502, 503, 504].includes(error.status);
}

export function sleep(ms: number, signal: AbortSignal | null): Promise<void> {
  return new Promise((resolve, reject) => {
    const end = () => {
      clearTimeout(timer);
      reject(signal?.reason);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener("abort", end);
      resolve();
    }, ms);
    if (signal?.aborted) end();
    signal?.addEventListener("abort", end, { once: true });
  });
}
