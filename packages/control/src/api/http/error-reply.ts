import type { FastifyReply, FastifyRequest } from "fastify";
import { AppError, type ErrorCode } from "../../domain/errors.ts";
import type { Logger } from "../../process/log.ts";
import { sendJson } from "./json-body.ts";

/** The only module that knows the HTTP statuses of errors and makes the error envelope. */
export const httpStatuses: Readonly<Record<ErrorCode, number>> = {
  unauthorized: 401,
  forbidden: 403,
  tenant_suspended: 403,
  not_found: 404,
  invalid: 400,
  HostnameConflict: 409,
  ownership_not_found: 409,
  QuotaExceeded: 402,
  billing_unavailable: 502,
  conflict: 409,
  rate_limited: 429,
  payload_too_large: 413,
  unsupported_media_type: 415,
  method_not_allowed: 405,
  idempotency_mismatch: 422,
  idempotency_in_progress: 409,
  provider_error: 502,
  unavailable: 503,
  internal: 500,
};

export interface ErrorReply {
  readonly status: number;
  readonly body: object;
  readonly headers: Readonly<Record<string, string>>;
}

export function errorReply(error: AppError): ErrorReply {
  return {
    status: httpStatuses[error.code],
    body: {
      error: { code: error.code, message: error.message, details: error.details ?? null },
      ...error.topLevel,
    },
    headers:
      error.retryAfterSeconds === null ? {} : { "retry-after": String(error.retryAfterSeconds) },
  };
}

/** Errors that Fastify throws before a route is reached, in our codes. */
const byFrameworkCode: Readonly<Record<string, readonly [ErrorCode, string]>> = {
  FST_ERR_CTP_BODY_TOO_LARGE: ["payload_too_large", "the request body is over 65,536 bytes"],
  FST_ERR_CTP_INVALID_MEDIA_TYPE: ["unsupported_media_type", sendJson],
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: ["invalid", "the body does not match its Content-Length"],
  FST_ERR_BAD_URL: ["invalid", "the URL is not valid"],
  FST_ERR_MAX_PARAM_LENGTH: ["not_found", "there is nothing here"],
};

/**
 * Any thrown value as an AppError. An unexpected one becomes `internal`, with a reference to the
 * log line and nothing of its cause.
 */
export function toAppError(error: unknown, ref: string): AppError {
  if (error instanceof AppError) return error;
  const code = error instanceof Error && "code" in error ? String(error.code) : "";
  const known = byFrameworkCode[code];
  if (known) return new AppError(known[0], known[1]);
  return new AppError("internal", "something went wrong on our side", {
    cause: error,
    details: { ref },
  });
}

/**
 * What the API answers is for its caller alone: no cache stores it, and no browser guesses its
 * type.
 */
export const apiHeaders = {
  "cache-control": "no-store",
  "x-content-type-options": "nosniff",
} as const;

/**
 * RFC 6750 §3: every 401 says how to authenticate, and names an error only where a credential was
 * sent.
 */
function challenge({ authorization }: FastifyRequest["headers"]): string {
  const scheme = 'Bearer realm="mooring"';
  return authorization === undefined ? scheme : `${scheme}, error="invalid_token"`;
}

/** Logs a bug in full under the reference that the client gets. `render` makes the body. */
export function sendError(
  log: Logger,
  error: unknown,
  ref: string,
  reply: FastifyReply,
  render: (error: AppError) => ErrorReply = errorReply,
): void {
  const appError = toAppError(error, ref);
  if (appError.code === "internal") log.error({ err: error, requestId: ref }, "request failed");
  if (appError.code === "unavailable")
    log.warn({ err: error, requestId: ref }, "request failed, service unavailable");
  const answer = render(appError);
  if (answer.status === 401) {
    void reply.header("www-authenticate", challenge(reply.request.headers));
  }
  void reply
    .code(answer.status)
    .headers({ ...apiHeaders, ...answer.headers, "x-request-id": ref })
    .type("application/json; charset=utf-8")
    .serializer(JSON.stringify)
    .send(answer.body);
}
