import { setTimeout as sleep } from "node:timers/promises";
import { foreignLine } from "../../foreign-text.ts";
import { ProviderError, type ProviderErrorKind } from "./errors.ts";

export type Fetch = (url: string, init: RequestInit) => Promise<Response>;

export interface HttpOptions {
  /** Opens connections; the caller decides where they may go. */
  readonly fetch: Fetch;
  /** Texts that must never appear in a message. */
  readonly secrets: readonly string[];
  /**
   * Messages have nothing of what the server said: a customer chose the server, who would read
   * another's answers by them.
   */
  readonly hidesAnswers?: boolean;
  readonly timeoutMs?: number;
  readonly maxBodyBytes?: number;
  /** Waits between attempts; rejects when the signal aborts. */
  readonly wait?: (ms: number, signal: AbortSignal) => Promise<void>;
  readonly random?: () => number;
}

export interface HttpRequest {
  readonly method: "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
  readonly url: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
  /**
   * Headers of one attempt, such as a signature that is accepted once. A failure is not repeated.
   */
  readonly sign?: (signal: AbortSignal) => Promise<Readonly<Record<string, string>>>;
  /**
   * Sending it twice has the effect of sending it once, so that it may be repeated after an answer
   * was lost. By default GET, PUT and DELETE.
   */
  readonly idempotent?: boolean;
  /**
   * The provider's own address ends in a slash, by its documentation. Any other DELETE, PUT or
   * PATCH of such an address is refused: its last segment, the key of one entry, is missing.
   */
  readonly closingSlash?: boolean;
}

export interface HttpAnswer {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
}

/**
 * What an adapter knows about a failing answer beyond its status; null leaves the status to decide.
 */
export type Explain = (answer: HttpAnswer) => Explanation | null;

export interface Explanation {
  readonly kind?: ProviderErrorKind;
  readonly message?: string;
  /** The provider's known pause, where its answer names none. */
  readonly retryAfterSeconds?: number;
  /** The provider says that the request changed nothing. A throttled request never does. */
  readonly hadNoEffect?: boolean;
}

export interface ProviderHttp {
  /** Resolves with a 2xx answer; every other outcome is a ProviderError, or the signal's reason. */
  send(request: HttpRequest, signal: AbortSignal, explain?: Explain): Promise<HttpAnswer>;
}

/**
 * Pauses before the second and third attempt. A customer waits in a browser for most calls, so the
 * whole call takes seconds; longer retries are left to the caller's schedule.
 */
const retryPausesMs: readonly number[] = [400, 1_600];
const maxPauseMs = 5_000;
const defaultTimeoutMs = 15_000;
const defaultMaxBodyBytes = 16 * 1024 * 1024;
const maxMessageLength = 300;

const kindByStatus: Readonly<Record<number, ProviderErrorKind>> = {
  400: "unsupported",
  401: "auth",
  402: "auth",
  403: "auth",
  404: "not_found",
  405: "unsupported",
  409: "conflict",
  410: "not_found",
  412: "conflict",
  422: "unsupported",
  429: "rate_limited",
};

const sentenceByKind: Readonly<Record<ProviderErrorKind, string>> = {
  auth: "The provider refused the credential",
  not_found: "The provider does not know this zone",
  rate_limited: "The provider asks for fewer requests",
  conflict: "The provider reports a conflict in the zone",
  unavailable: "The provider could not answer",
  unsupported: "The provider refused the request",
};

/**
 * The only HTTP client of the adapters: timeout, retry, size limit, redaction and error mapping.
 */
export function createProviderHttp(options: HttpOptions): ProviderHttp {
  const wait = options.wait ?? pause;
  const random = options.random ?? Math.random;
  return {
    async send(request, signal, explain = () => null) {
      refuseBroadWrite(request);
      for (let attempt = 0; ; attempt += 1) {
        const outcome = await attemptOnce(options, request, signal, explain);
        if (!(outcome instanceof ProviderError)) return outcome;
        const pauseMs = pauseBefore(attempt, outcome, request, random);
        if (pauseMs === null) throw outcome;
        await wait(pauseMs, signal);
      }
    },
  };
}

/**
 * A write whose address lacks a segment would reach a collection instead of one entry. So would one
 * whose path is not sent as it was built: with dot segments, backslashes, or cut at a `#`.
 */
function refuseBroadWrite({ method, url, closingSlash = false }: HttpRequest): void {
  // What is no address at all fails when it is sent.
  if (method === "GET" || !URL.canParse(url)) return;
  const path = /^https?:\/\/[^/?#]*([^?]*)/.exec(url)?.[1] || "/";
  const segments = path.split("/").slice(1);
  const isOpen = segments.at(-1) === "" && method !== "POST" && !closingSlash;
  const lacksOne = segments.slice(0, -1).includes("");
  if (isOpen || lacksOne || url.includes("#") || new URL(url).pathname !== path) {
    throw new ProviderError("unsupported", `A ${method} of more than one entry was not sent.`);
  }
}

/** Rejects with the signal's reason; Node's timer would wrap it in another error. */
export async function pause(ms: number, signal: AbortSignal): Promise<void> {
  try {
    await sleep(ms, undefined, { signal });
  } catch (error) {
    signal.throwIfAborted();
    throw error;
  }
}

/** Null when the request must not be sent again. */
function pauseBefore(
  attempt: number,
  error: ProviderError,
  request: HttpRequest,
  random: () => number,
): number | null {
  const base = retryPausesMs[attempt];
  if (base === undefined || !mayRepeat(error, request)) return null;
  const jittered = base * (0.75 + random() / 2);
  if (error.retryAfterSeconds === null) return jittered;
  const asked = error.retryAfterSeconds * 1_000;
  return asked > maxPauseMs ? null : Math.max(asked, 1);
}

/** A throttled request had no effect (RFC 6585 §4); any other failure may have had one. */
function mayRepeat(error: ProviderError, request: HttpRequest): boolean {
  if (error.hadNoEffect) return true;
  const idempotent = request.idempotent ?? ["GET", "PUT", "DELETE"].includes(request.method);
  return error.kind === "unavailable" && idempotent;
}

async function attemptOnce(
  options: HttpOptions,
  request: HttpRequest,
  signal: AbortSignal,
  explain: Explain,
): Promise<HttpAnswer | ProviderError> {
  const signed = request.sign === undefined ? {} : await request.sign(signal);
  signal.throwIfAborted();
  const timeout = AbortSignal.timeout(options.timeoutMs ?? defaultTimeoutMs);
  try {
    const response = await options.fetch(request.url, {
      method: request.method,
      headers: { accept: "application/json", ...request.headers, ...signed },
      ...(request.body === undefined ? {} : { body: request.body }),
      // A redirect could carry the credential to another host.
      redirect: "manual",
      signal: AbortSignal.any([signal, timeout]),
    });
    const text = await readText(response, options.maxBodyBytes ?? defaultMaxBodyBytes);
    const answer = { status: response.status, headers: response.headers, text };
    if (response.ok) return answer;
    return toError(answer, explain(answer), options);
  } catch (error) {
    signal.throwIfAborted();
    if (error instanceof ProviderError) return error;
    const why = timeout.aborted ? "no answer within the time limit" : "the connection failed";
    return new ProviderError("unavailable", `The provider could not be reached: ${why}.`, {
      cause: withoutSecrets(error, options.secrets),
    });
  }
}

async function readText(response: Response, maxBytes: number): Promise<string> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of response.body ?? []) {
    size += chunk.byteLength;
    if (size > maxBytes)
      throw new ProviderError("unavailable", "The provider's answer is too long.");
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString("utf8");
}

function toError(
  answer: HttpAnswer,
  explained: ReturnType<Explain>,
  { secrets, hidesAnswers = false }: HttpOptions,
): ProviderError {
  const kind = explained?.kind ?? kindByStatus[answer.status] ?? "unavailable";
  const explanation = hidesAnswers ? "" : (explained?.message ?? "");
  const said = foreignLine(redact(explanation, secrets), maxMessageLength);
  const message = `${sentenceByKind[kind]} (status ${answer.status})${said === "" ? "." : `: ${said}`}`;
  const asked = retryAfterSeconds(answer.headers) ?? explained?.retryAfterSeconds ?? null;
  const { hadNoEffect = kind === "rate_limited" } = explained ?? {};
  return new ProviderError(kind, message, { retryAfterSeconds: asked, hadNoEffect });
}

/** RFC 9110 §10.2.3: seconds or a date. */
function retryAfterSeconds(headers: Headers): number | null {
  const value = headers.get("retry-after");
  if (value === null) return null;
  if (/^\d{1,9}$/.test(value.trim())) return Number(value);
  const at = Date.parse(value);
  return Number.isNaN(at) ? null : Math.max(0, Math.ceil((at - Date.now()) / 1_000));
}

function redact(message: string, secrets: readonly string[]): string {
  // An echoed header contains the secret in an encoded form, too.
  let clean = message.replace(/\b(basic|bearer|token|apikey|sso-key)\s+\S{8,}/gi, "$1 [removed]");
  for (const secret of secrets) {
    // Removing a very short secret would blank out ordinary words and reveal its length.
    if (secret.length >= 4) clean = clean.replaceAll(secret, "[removed]");
  }
  return clean;
}

/** Runtime errors may quote a header or a URL; the copy has the redacted messages of the chain. */
function withoutSecrets(error: unknown, secrets: readonly string[]): Error {
  if (!(error instanceof Error)) return new Error("unknown failure");
  const cause = error.cause === undefined ? {} : { cause: withoutSecrets(error.cause, secrets) };
  return new Error(redact(`${error.name}: ${error.message}`, secrets), cause);
}
