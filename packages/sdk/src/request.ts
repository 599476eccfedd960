import {
  ApiError,
  ConnectionError,
  MooringError,
  parseApiError,
  redirectError,
  TimeoutError,
} from "./errors.ts";

/** The side effects of a request; tests replace them. */
export interface Wire {
  readonly fetch: typeof fetch;
  /** Resolves after `ms`, or rejects with the signal's reason if it aborts first. */
  readonly sleep: (ms: number, signal: AbortSignal | null) => Promise<void>;
  /** 0 ≤ x < 1 */
  readonly random: () => number;
}

export interface Policy {
  /** Time limit of each attempt, from its start to the last byte of the response. */
  readonly timeoutMs: number;
  /** Attempts after the first. */
  readonly retries: number;
}

export interface ApiRequest {
  readonly method: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | null;
  /** Whether a retry is safe: a safe method, or a request with an Idempotency-Key. */
  readonly isRepeatable: boolean;
  readonly signal: AbortSignal | null;
}

export interface ApiResponse {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
}

/** A longer Retry-After is not waited for: the caller gets the error instead. */
const maxWaitMs = 60_000;

/** The longest wait before the first, second … retry; half of it is random. */
const retryScheduleMs = [500, 1_000, 2_000, 4_000, 8_000] as const;

/** Sends until an attempt succeeds, fails with an error that a retry cannot fix, or is the last. */
export async function send(wire: Wire, policy: Policy, request: ApiRequest): Promise<ApiResponse> {
  for (let attempt = 0; ; attempt += 1) {
    const outcome = await tryOnce(wire, policy.timeoutMs, request);
    if (!(outcome instanceof MooringError)) return outcome;
    const waitMs = retryWaitMs(outcome, attempt, wire.random);
    if (!request.isRepeatable || attempt >= policy.retries || waitMs === null) throw outcome;
    await wire.sleep(waitMs, request.signal);
  }
}

async function tryOnce(
  wire: Wire,
  timeoutMs: number,
  request: ApiRequest,
): Promise<ApiResponse | ApiError | ConnectionError> {
  const deadline = attemptSignal(timeoutMs, request.signal);
  try {
    const response = await wire.fetch(request.url, {
      method: request.method,
      headers: request.headers,
      ...(request.body === null ? {} : { body: request.body }),
      redirect: "manual",
      signal: deadline.signal,
    });
    const text = await response.text();
    const redirect = redirectError(response);
    if (redirect !== null) return redirect;
    const { status, headers } = response;
    return response.ok ? { status, headers, text } : parseApiError(status, headers, text);
  } catch (error) {
    request.signal?.throwIfAborted();
    if (deadline.hasPassed()) return new TimeoutError(timeoutMs);
    const { origin } = new URL(request.url);
    const message = `${origin} could not be reached: is \`baseUrl\` right, and does the service run?`;
    return new ConnectionError(message, { cause: error });
  } finally {
    deadline.clear();
  }
}

/** Aborts with the caller's signal or at the time limit; `hasPassed` says which. */
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

/** How long to wait before the retry after this error; null when a retry would not help. */
export function retryWaitMs(
  error: MooringError,
  attempt: number,
  random: () => number,
): number | null {
  if (!isTransient(error)) return null;
  const ceilingMs = retryScheduleMs[Math.min(attempt, retryScheduleMs.length - 1)] ?? maxWaitMs;
  const jitteredMs = ceilingMs / 2 + random() * (ceilingMs / 2);
  const askedMs = error instanceof ApiError ? (error.retryAfter ?? 0) * 1_000 : 0;
  if (askedMs > maxWaitMs) return null;
  return Math.max(askedMs, jitteredMs);
}

/** The API reports a third party's failure as 502; it outlasts a call, so it is not retried. */
const thirdPartyCodes: readonly string[] = ["billing_unavailable", "provider_error"];

function isTransient(error: MooringError): boolean {
  if (error instanceof ConnectionError) return true;
  if (!(error instanceof ApiError)) return false;
  // The server still runs our earlier attempt, whose response was lost.
  if (error.code === "idempotency_in_progress") return true;
  if (thirdPartyCodes.includes(error.code)) return false;
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
