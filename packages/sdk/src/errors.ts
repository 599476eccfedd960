import type { ErrorBody } from "./schema.gen.ts";

/** The documented error codes; a newer server may send others. */
export type ErrorCode = ErrorBody["error"]["code"];

/** The base class of every error of a call. */
export class MooringError extends Error {
  override name = "MooringError";
}

export interface ApiErrorParts {
  readonly status: number;
  readonly code: ErrorCode | "unknown";
  readonly message: string;
  readonly details: unknown;
  readonly requestId: string | null;
  readonly retryAfter: number | null;
  readonly upgradeUrl: string | null;
}

/** The service responded with an error. */
export class ApiError extends MooringError {
  override name = "ApiError";
  readonly status: number;
  /** `unknown` when the response is not the service's, for example a gateway's. */
  readonly code: ErrorCode | "unknown";
  readonly details: unknown;
  /** Identifies this call to the operator of the service. */
  readonly requestId: string | null;
  /** Seconds to wait before a retry, from the Retry-After header. */
  readonly retryAfter: number | null;
  /** Where the plan can be changed; only with `QuotaExceeded`. */
  readonly upgradeUrl: string | null;

  constructor(parts: ApiErrorParts) {
    super(parts.message);
    this.status = parts.status;
    this.code = parts.code;
    this.details = parts.details;
    this.requestId = parts.requestId;
    this.retryAfter = parts.retryAfter;
    this.upgradeUrl = parts.upgradeUrl;
  }
}

/** There was no response; the request may or may not have been executed. */
export class ConnectionError extends MooringError {
  override name = "ConnectionError";
}

/** There was no complete response in time. */
export class TimeoutError extends ConnectionError {
  override name = "TimeoutError";
  readonly timeoutMs: number;

  constructor(timeoutMs: number) {
    super(`no complete response within ${timeoutMs} ms`);
    this.timeoutMs = timeoutMs;
  }
}

/** Reads the error envelope; a response without one gets the code `unknown`. */
export function parseApiError(status: number, headers: Headers, text: string): ApiError {
  const body = parsed(text);
  const error = field(body, "error");
  const code = field(error, "code");
  const message = field(error, "message");
  const upgradeUrl = field(body, "upgrade_url");
  const isOurs = typeof code === "string" && typeof message === "string";
  return new ApiError({
    status,
    code: isOurs ? asCode(code) : "unknown",
    message: isOurs
      ? message
      : `the response has status ${status} and is not the service's: is \`baseUrl\` the address of Mooring, without /v1?`,
    details: isOurs ? (field(error, "details") ?? null) : null,
    requestId: headers.get("x-request-id"),
    retryAfter: parseRetryAfter(headers),
    upgradeUrl: typeof upgradeUrl === "string" ? upgradeUrl : null,
  });
}

/**
 * The error of a redirect, or null. No redirect is followed: it would send the credential along,
 * and could turn a POST into a GET, which would then succeed. Requests ask for `manual`, because
 * Workers refuse `error`. A browser shows nothing of such a response, not even its status.
 */
export function redirectError({ type, status, headers, url }: Response): ApiError | null {
  if (type !== "opaqueredirect" && (status < 300 || status > 399)) return null;
  const location = headers.get("location");
  const to = location !== null && URL.canParse(location, url || undefined);
  const target = to ? `to ${new URL(location, url || undefined).origin}` : "elsewhere";
  return new ApiError({
    status,
    code: "unknown",
    message: `the response redirects ${target}, which is not followed: is \`baseUrl\` the address of Mooring itself, with https where it has it?`,
    details: null,
    requestId: headers.get("x-request-id"),
    retryAfter: null,
    upgradeUrl: null,
  });
}

/** RFC 9110 section 10.2.3: seconds, or a date. */
function parseRetryAfter(headers: Headers): number | null {
  const value = headers.get("retry-after");
  if (value === null) return null;
  if (/^\d{1,9}$/.test(value.trim())) return Number(value);
  const at = Date.parse(value);
  return Number.isNaN(at) ? null : Math.max(0, Math.ceil((at - Date.now()) / 1_000));
}

/** An unknown code of a newer server passes unchanged, so a switch needs a default branch. */
function asCode(code: string): ErrorCode {
  return code as ErrorCode;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

function field(value: unknown, name: string): unknown {
  if (typeof value !== "object" || value === null) return undefined;
  return Object.getOwnPropertyDescriptor(value, name)?.value;
}

/** Why an assertion is refused. */
export type AssertionRefusal =
  | "missing"
  | "malformed"
  | "wrong_algorithm"
  | "wrong_type"
  | "unknown_key"
  | "wrong_signature"
  | "wrong_issuer"
  | "wrong_audience"
  | "wrong_hostname"
  | "expired"
  | "not_yet"
  /** The key set could not be fetched, so the assertion was not checked. */
  | "keys_unavailable";

/** Respond to such a request with 403 (503 for `keys_unavailable`) and do nothing else. */
export class AssertionVerificationError extends Error {
  override name = "AssertionVerificationError";
  readonly reason: AssertionRefusal;

  constructor(reason: AssertionRefusal, message: string, options?: ErrorOptions) {
    super(message, options);
    this.reason = reason;
  }
}
