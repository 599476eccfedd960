/**
 * The codes of `AppError`, the error for failures that a caller may see. Any other error is a bug:
 * the client gets `internal` with a reference, and nothing of the cause.
 */
export const errorCodes = [
  "unauthorized",
  "forbidden",
  "tenant_suspended",
  "not_found",
  "invalid",
  "HostnameConflict",
  "ownership_not_found",
  "QuotaExceeded",
  "billing_unavailable",
  "conflict",
  "rate_limited",
  "payload_too_large",
  "unsupported_media_type",
  "method_not_allowed",
  "idempotency_mismatch",
  "idempotency_in_progress",
  "provider_error",
  "unavailable",
  "internal",
] as const;

export type ErrorCode = (typeof errorCodes)[number];

export interface AppErrorOptions {
  readonly details?: unknown;
  readonly cause?: unknown;
  readonly retryAfterSeconds?: number;
  /** Fields beside `error` in the body; only 402 has one (`upgrade_url`). */
  readonly topLevel?: Readonly<Record<string, unknown>>;
}

export class AppError extends Error {
  readonly code: ErrorCode;
  readonly details: unknown;
  readonly retryAfterSeconds: number | null;
  readonly topLevel: Readonly<Record<string, unknown>>;

  constructor(code: ErrorCode, message: string, options: AppErrorOptions = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.name = "AppError";
    this.code = code;
    this.details = options.details ?? null;
    this.retryAfterSeconds = options.retryAfterSeconds ?? null;
    this.topLevel = options.topLevel ?? {};
  }
}

export interface Issue {
  readonly path: string;
  readonly message: string;
  /** For a text in another language. */
  readonly code?: string;
}

export function invalid(issues: readonly Issue[]): AppError {
  const first = issues[0];
  const message = first
    ? `${first.path ? `${first.path}: ` : ""}${first.message}`
    : "invalid request";
  return new AppError("invalid", message, { details: { issues } });
}

/** The same message for an object that does not exist and one of another tenant. */
export function notFound(noun: string): AppError {
  return new AppError("not_found", `no such ${noun}`);
}
