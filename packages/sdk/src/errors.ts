import type { ErrorBody } from "./schema.gen.ts";

/** The codes that the API documents; a newer server may send others. */
export type ErrorCode = ErrorBody["error"]["code"];

/** Everything this package throws for a call that did not succeed. */
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

/** The service answered, and the answer is an error. */
export class ApiError extends MooringError {
  override name = "ApiError";
  readonly status: number;
  /** `unknown` when the answer is not the service's own, as from a gateway in front of it. */
  readonly code: ErrorCode | "unknown";
  readonly details: unknown;
  /** What to tell the operator of the service when you ask about this call. */
  readonly requestId: string | null;
  /** Seconds to wait before another try, when the service said so. */
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

/** No answer came: whether the request was carried out is not known. */
export class ConnectionError extends MooringError {
  override name = "ConnectionError";
}

/** No complete answer came in time. */
export class TimeoutError extends ConnectionError {
  override name = "TimeoutError";
  readonly timeoutMs: number;

  constructor(timeoutMs: number) {
    super(`no complete answer within ${timeoutMs} ms`);
    this.timeoutMs = timeoutMs;
  }
}

/** Reads the error envelope; an answer without one keeps its status and gets the code `unknown`. */
export function apiErrorOf(status: number, headers: Headers, text: string): ApiError {
  const body = parsed(text);
  const error = field(body, "error");
  const code = field(error, "code");
  const message = field(error, "message");
  const upgradeUrl = field(body, "upgrade_url");
  const isOurs = typeof code === "string" && typeof message === "string";
  return new ApiError({
    status,
    code: isOurs ? asCode(code) : "unknown",
    message: isOurs ? message : `the answer has status ${status} and no error that we know`,
    details: isOurs ? (field(error, "details") ?? null) : null,
    requestId: headers.get("x-request-id"),
    retryAfter: retryAfterOf(headers),
    upgradeUrl: typeof upgradeUrl === "string" ? upgradeUrl : null,
  });
}

/** RFC 9110 section 10.2.3: seconds, or a date. */
function retryAfterOf(headers: Headers): number | null {
  const value = headers.get("retry-after");
  if (value === null) return null;
  if (/^\d{1,9}$/.test(value.trim())) return Number(value);
  const at = Date.parse(value);
  return Number.isNaN(at) ? null : Math.max(0, Math.ceil((at - Date.now()) / 1_000));
}

/** A newer server's code passes as it is, so that a switch needs a default branch. */
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
