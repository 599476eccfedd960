import { setTimeout as sleep } from "node:timers/promises";
import { parseRetryAfter } from "@mooring/egress";
import type { Clock } from "../config/settings.ts";
import { AcmeError, type Problem, readProblem, refusal } from "./error.ts";

export interface AcmeRequest {
  readonly method: "GET" | "HEAD" | "POST";
  readonly url: string;
  readonly accept?: string;
  /** A signed object, sent as RFC 8555 §6.2 wants it. */
  readonly body?: string;
}

export interface AcmeAnswer {
  readonly url: string;
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
}

export interface Transport {
  readonly fetch: typeof globalThis.fetch;
  readonly clock: Clock;
  readonly timings: Timings;
  readonly wait: Wait;
}

/** One exchange: the answer whatever its status, or an AcmeError when there was none. */
export type Exchange = (request: AcmeRequest, signal: AbortSignal) => Promise<AcmeAnswer>;

/** RFC 8555 §6.1 asks every client to name itself. */
const userAgent = "mooring-edge/0.1.0";

/** A directory has some kilobytes, a long chain some tens of them. */
const maxBodyBytes = 512 * 1024;

/** Statuses after which the same request may succeed: the fault is at the CA's side and passes. */
const transientStatuses = new Set([500, 502, 503, 504]);

export function createExchange({ fetch, timings }: Transport): Exchange {
  return async (request, signal) => {
    signal.throwIfAborted();
    const timeout = AbortSignal.timeout(timings.requestTimeoutMs);
    try {
      const response = await fetch(request.url, {
        ...initOf(request),
        signal: AbortSignal.any([signal, timeout]),
      });
      const text = await readText(response);
      return { url: request.url, status: response.status, headers: response.headers, text };
    } catch (error) {
      signal.throwIfAborted();
      if (error instanceof AcmeError) throw error;
      const why = timeout.aborted ? "no answer within the time limit" : "the connection failed";
      throw new AcmeError("unreachable", `the CA could not be reached: ${why}`, { cause: error });
    }
  };
}

/** An unsigned GET or HEAD, tried again after a fault that passes; resolves with a 2xx answer. */
export async function fetchPlain(
  transport: Transport,
  exchange: Exchange,
  request: AcmeRequest,
  signal: AbortSignal,
): Promise<AcmeAnswer> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      const answer = await exchange(request, signal);
      throwUnlessOk(answer, transport.clock);
      return answer;
    } catch (error) {
      const pauseMs = pauseAfter(error, attempt, transport.timings);
      if (pauseMs === null) throw error;
      await transport.wait(pauseMs, signal);
    }
  }
}

export function throwUnlessOk(answer: AcmeAnswer, clock: Clock): void {
  if (answer.status >= 200 && answer.status < 300) return;
  throw refusal(problemOf(answer), parseRetryAfter(answer.headers.get("retry-after"), clock.now()));
}

/** How long to wait before the next try; null when this error is final or patience has ended. */
export function pauseAfter(error: unknown, attempt: number, timings: Timings): number | null {
  if (!(error instanceof AcmeError) || attempt >= timings.tries || !isTransient(error)) return null;
  const own = timings.retryPauseMs * 2 ** (attempt - 1);
  const asked = (error.retryAfterSeconds ?? 0) * 1_000;
  return asked > timings.longestPauseMs ? null : Math.max(own, asked);
}

function isTransient(error: AcmeError): boolean {
  if (error.kind === "unreachable") return true;
  return error.problem !== null && transientStatuses.has(error.problem.status ?? 0);
}

function problemOf(answer: AcmeAnswer): Problem {
  try {
    return readProblem(JSON.parse(answer.text), answer.status);
  } catch {
    return readProblem({ detail: `HTTP status ${answer.status}` }, answer.status);
  }
}

function initOf({ method, accept, body }: AcmeRequest): RequestInit {
  return {
    method,
    headers: {
      "user-agent": userAgent,
      accept: accept ?? "application/json",
      "accept-language": "en",
      ...(body === undefined ? {} : { "content-type": "application/jose+json" }),
    },
    // A redirected POST would be signed for another URL than the one it reaches (RFC 8555 §6.4).
    redirect: "manual",
    ...(body === undefined ? {} : { body }),
  };
}

async function readText(response: Response): Promise<string> {
  if (response.body === null) return "";
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of response.body) {
    size += chunk.byteLength;
    if (size > maxBodyBytes) throw new AcmeError("malformed", "the CA's answer is too large");
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString("utf8");
}

export interface Timings {
  /** From the first octet sent to the last one read; connecting has its own limit in `fetch`. */
  readonly requestTimeoutMs: number;
  /** Tries of a request that met a 5xx or no answer. */
  readonly tries: number;
  /** Before the second try, doubled before the third. */
  readonly retryPauseMs: number;
  /** A CA's Retry-After up to this is waited for; a longer one is the caller's business. */
  readonly longestPauseMs: number;
  readonly nonceTries: number;
  readonly noncePauseMs: number;
  readonly firstPollMs: number;
  readonly longestPollMs: number;
  /** How long one call waits for an authorization or an order. */
  readonly pollTimeoutMs: number;
}

/**
 * Ten tries against rejected nonces lose one request in a thousand when half of all are rejected.
 * Polls start short, because a visitor may be waiting and a CA that is near answers at once; the
 * doubling leaves a slow one with a handful more. Up to ten seconds, unless it names its own pause.
 */
export const productionTimings: Timings = {
  requestTimeoutMs: 20_000,
  tries: 3,
  retryPauseMs: 1_000,
  longestPauseMs: 10_000,
  nonceTries: 10,
  noncePauseMs: 250,
  firstPollMs: 25,
  longestPollMs: 10_000,
  pollTimeoutMs: 120_000,
};

/** Rejects with the signal's reason when it aborts. */
export type Wait = (ms: number, signal: AbortSignal) => Promise<void>;

export const realWait: Wait = async (ms, signal) => {
  try {
    await sleep(ms, undefined, { signal });
  } catch (error) {
    signal.throwIfAborted();
    throw error;
  }
};

/**
 * Looks until `look` gives a result. Pauses double from the first to the longest, unless the CA names
 * its own (RFC 8555 §7.5.1). Gives up with `pending` as soon as the next look would come too late.
 */
export async function poll<T>(
  { clock, timings, wait }: Transport,
  what: string,
  look: () => Promise<{ readonly answer: AcmeAnswer; readonly result: T | null }>,
  signal: AbortSignal,
): Promise<T> {
  const deadline = clock.now().getTime() + timings.pollTimeoutMs;
  for (let own = timings.firstPollMs; ; own = Math.min(own * 2, timings.longestPollMs)) {
    const { answer, result } = await look();
    if (result !== null) return result;
    const retryAfterSeconds = parseRetryAfter(answer.headers.get("retry-after"), clock.now());
    const pauseMs = (retryAfterSeconds ?? 0) * 1_000 || own;
    if (clock.now().getTime() + pauseMs > deadline) {
      throw new AcmeError("pending", `${what} is still under way`, { retryAfterSeconds });
    }
    await wait(pauseMs, signal);
  }
}
