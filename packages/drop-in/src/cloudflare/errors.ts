import {
  AppError,
  type ErrorCode,
  type ErrorReply,
  type Issue,
  isObject,
} from "@mooring/control/drop-in";

/**
 * The vendor's codes for custom hostnames. Products branch on them, and some on the words, so the
 * words of those are the vendor's own.
 */
const codes = {
  generic: 1000,
  unreadable: 1400,
  quota: 1405,
  duplicate: 1406,
  hostname: 1407,
  origin: 1415,
  notFound: 1436,
  noFallbackOrigin: 1551,
  noRoute: 7000,
  noZone: 7003,
  scope: 9109,
  rate: 971,
} as const;

const statuses: Readonly<Partial<Record<ErrorCode, number>>> = {
  unauthorized: 401,
  forbidden: 403,
  tenant_suspended: 403,
  not_found: 404,
  invalid: 400,
  HostnameConflict: 409,
  ownership_not_found: 409,
  QuotaExceeded: 403,
  conflict: 409,
  rate_limited: 429,
  payload_too_large: 413,
  unsupported_media_type: 415,
  method_not_allowed: 405,
  idempotency_mismatch: 422,
  idempotency_in_progress: 409,
  provider_error: 502,
  unavailable: 503,
};

/** What is missing, where the caller of a verb knows better than the verb. */
export function missing(what: "zone" | "fallbackOrigin", name: string): AppError {
  return what === "zone"
    ? new AppError(
        "not_found",
        `Could not route to /zones/${name}, perhaps your object identifier is invalid?`,
        { details: { code: codes.noZone } },
      )
    : new AppError("not_found", "The fallback origin was not found.", {
        details: { code: codes.noFallbackOrigin },
      });
}

export function noRoute(): AppError {
  return new AppError("not_found", "No route for that URI", { details: { code: codes.noRoute } });
}

export function errorReply(error: AppError): ErrorReply {
  return {
    status: statuses[error.code] ?? 500,
    body: { result: null, success: false, errors: [makeNote(error)], messages: [] },
    headers:
      error.retryAfterSeconds === null ? {} : { "retry-after": String(error.retryAfterSeconds) },
  };
}

/** The vendor's client repeats a request that is answered with 409, unless a header forbids it. */
export function replyHeaders(status: number): Readonly<Record<string, string>> {
  return status === 409 ? { "x-should-retry": "false" } : {};
}

function makeNote(error: AppError) {
  const known = codeIn(error.details);
  if (known !== null) return { code: known, message: error.message };
  switch (error.code) {
    case "unauthorized":
      return { code: codes.generic, message: "Invalid API Token" };
    case "forbidden":
    case "tenant_suspended":
      return {
        code: codes.scope,
        message: `Unauthorized to access requested resource: ${error.message}`,
      };
    case "not_found":
      return { code: codes.notFound, message: "The custom hostname was not found." };
    case "HostnameConflict":
      return { code: codes.duplicate, message: conflictText(error) };
    case "QuotaExceeded":
      return { code: codes.quota, message: `Quota exceeded. ${sentence(error.message)}` };
    case "rate_limited":
      return {
        code: codes.rate,
        message: "Please wait and consider throttling your request speed",
      };
    case "invalid":
      return invalidNote(error);
    default:
      return { code: codes.generic, message: error.message };
  }
}

/** Says of another's hostname only that it is one. */
function conflictText({ details }: AppError): string {
  const isOwn = isObject(details) && "connection_id" in details;
  return isOwn
    ? "Duplicate custom hostname found."
    : "The custom hostname is in use by another account.";
}

function invalidNote({ details, message }: AppError) {
  const [issue] = issuesIn(details);
  const reason = sentence(issue?.message ?? message);
  switch (issue?.path) {
    case "":
      return {
        code: codes.unreadable,
        message: `Unable to decode the JSON request body. ${reason}`,
      };
    case "hostname":
      return { code: codes.hostname, message: `Invalid custom hostname. ${reason}` };
    case "custom_origin_server":
    case "origin":
    case "origin_url":
      return { code: codes.origin, message: `Invalid custom origin hostname. ${reason}` };
    default:
      return { code: codes.generic, message };
  }
}

function issuesIn(details: unknown): readonly Issue[] {
  const hasIssues = isObject(details) && "issues" in details;
  return hasIssues ? (details["issues"] as readonly Issue[]) : [];
}

function codeIn(details: unknown): number | null {
  const code = isObject(details) ? details["code"] : null;
  return typeof code === "number" ? code : null;
}

function sentence(text: string): string {
  return `${text.slice(0, 1).toUpperCase()}${text.slice(1)}${text.endsWith(".") ? "" : "."}`;
}
