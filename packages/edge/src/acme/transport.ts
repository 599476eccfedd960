import { setTimeout as sleep } from "node:timers/promises";
import { parseRetryAfter } from "@mooring/egress";
import type { Clock } from "@mooring/postgres";
import { AcmeError, type Problem, readProblem, refusal } from "./error.ts";

export interface AcmeRequest {
  readonly method: "GET" | "HEAD" | "POST";
  readonly url: string;
  readonly accept?: string;
  /** A JWS (RFC 8555 §6.2). */
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

/** Sends one request: the answer whatever its status, or an AcmeError when there was none. */
export type Send = (request: AcmeRequest, signal: AbortSignal) => Promise<AcmeAnswer>;

/** Required by RFC 8555 §6.1. */
const userAgent = "mooring-edge/0.1.0";

/** A directory has some kilobytes, a long chain some tens. */
const maxBodyBytes = 512 * 1024;

/** Statuses after which the same request may succeed later. */
const transientStatuses = new Set([500, 502, 503, 504]);

export function createSend({ fetch, timings }: Transport): Send {
  return async (request, signal) => {
    signal.throwIfAborted();
    const timeout = AbortSignal.timeout(timings.requestTimeoutMs);
    try {
      const response = await fetch(request.url, {
        ...createInit(request),
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

/** An unsigned GET or HEAD, repeated after transient failures; resolves with a 2xx answer. */
export async function fetchPlain(
  transport: Transport,
  send: Send,
  request: AcmeRequest,
  signal: AbortSignal,
): Promise<AcmeAnswer> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      const answer = await send(request, signal);
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
  throw refusal(
    parseProblem(answer),
    parseRetryAfter(answer.headers.get("retry-after"), clock.now()),
  );
}

/** The pause before the next attempt; null when the error is final or the attempts are used up. */
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

function parseProblem(answer: AcmeAnswer): Problem {
  try {
    return readProblem(JSON.parse(answer.text), answer.status);
  } catch {
    return readProblem({ detail: `HTTP status ${answer.status}` }, answer.status);
  }
}

function createInit({ method, accept, body }: AcmeRequest): RequestInit {
  return {
    method,
    headers: {
      "user-agent": userAgent,
      accept: accept ?? "application/json",
      "accept-language": "en",
      ...(body === undefined ? {} : { "content-type": "application/jose+json" }),
    },
    // The signature of a POST covers its URL, so a redirect cannot be followed (RFC 8555 §6.4).
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
  /** From the first byte sent to the last one read; `fetch` limits the connect time. */
  readonly requestTimeoutMs: number;
  /** Attempts of a request after a 5xx or no answer. */
  readonly tries: number;
  /** Before the second attempt, doubled before the third. */
  readonly retryPauseMs: number;
  /** A `Retry-After` up to this is awaited; a longer one is passed to the caller. */
  readonly longestPauseMs: number;
  readonly nonceTries: number;
  readonly noncePauseMs: number;
  readonly firstPollMs: number;
  readonly longestPollMs: number;
  /** How long one call waits for an authorization or an order. */
  readonly pollTimeoutMs: number;
}

/**
 * Ten attempts lose one request in a thousand when half of all nonces are rejected. Polls start
 * short, because a handshake may be waiting and a nearby CA answers at once; they double up to ten
 * seconds, unless the CA sends `Retry-After`.
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
 * Polls until `check` returns a result. Pauses double, unless the CA sends `Retry-After` (RFC 8555
 * §7.5.1). Throws `pending` as soon as the next poll would be after the time limit.
 */
export async function poll<T>(
  { clock, timings, wait }: Transport,
  what: string,
  check: () => Promise<{ readonly answer: AcmeAnswer; readonly result: T | null }>,
  signal: AbortSignal,
): Promise<T> {
  const deadline = clock.now().getTime() + timings.pollTimeoutMs;
  for (let own = timings.firstPollMs; ; own = Math.min(own * 2, timings.longestPollMs)) {
    const { answer, result } = await check();
    if (result !== null) return result;
    const retryAfterSeconds = parseRetryAfter(answer.headers.get("retry-after"), clock.now());
    const pauseMs = (retryAfterSeconds ?? 0) * 1_000 || own;
    if (clock.now().getTime() + pauseMs > deadline) {
      throw new AcmeError("pending", `${what} is still pending`, { retryAfterSeconds });
    }
    await wait(pauseMs, signal);
  }
}
