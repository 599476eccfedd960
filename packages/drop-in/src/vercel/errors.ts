import {
  AppError,
  type ErrorCode,
  type ErrorReply,
  type Issue,
  isObject,
} from "@mooring/control/drop-in";

/** Status and code of Vercel for ours. A key that is not valid is answered with 403 there. */
const answers: Readonly<Partial<Record<ErrorCode, readonly [status: number, code: string]>>> = {
  unauthorized: [403, "forbidden"],
  forbidden: [403, "forbidden"],
  tenant_suspended: [403, "forbidden"],
  not_found: [404, "not_found"],
  invalid: [400, "bad_request"],
  HostnameConflict: [409, "domain_taken"],
  ownership_not_found: [400, "missing_txt_record"],
  QuotaExceeded: [402, "payment_required"],
  conflict: [409, "conflict"],
  rate_limited: [429, "rate_limited"],
  payload_too_large: [413, "request_entity_too_large"],
  method_not_allowed: [405, "method_not_allowed"],
  idempotency_mismatch: [422, "idempotency_mismatch"],
  idempotency_in_progress: [409, "idempotency_in_progress"],
  provider_error: [502, "bad_gateway"],
  unavailable: [503, "service_unavailable"],
};

export function errorReply(error: AppError): ErrorReply {
  const [status, code] = answers[error.code] ?? [500, "internal_server_error"];
  return {
    status,
    body: {
      error: { code: codeFor(error) ?? code, ...words(error) },
    },
    headers:
      error.retryAfterSeconds === null ? {} : { "retry-after": String(error.retryAfterSeconds) },
  };
}

/** Where the vendor tells apart what is one code here. */
function codeFor(error: AppError): string | null {
  if (isOwnConflict(error)) return "domain_already_in_use";
  const path = firstIssue(error)?.path;
  if (path === "hostname") return "invalid_domain";
  return path === "redirect_to" ? "invalid_redirect" : null;
}

function firstIssue({ code, details }: AppError): Issue | null {
  const hasIssues = code === "invalid" && isObject(details) && "issues" in details;
  return hasIssues ? ((details["issues"] as readonly Issue[])[0] ?? null) : null;
}

/** The application has the name itself; of another's holder the error says nothing. */
function isOwnConflict({ code, details }: AppError): boolean {
  const names = isObject(details) && "connection_id" in details;
  return code === "HostnameConflict" && names;
}

function words(error: AppError) {
  if (error.code === "unauthorized") return { message: "Not authorized", invalidToken: true };
  const issue = firstIssue(error);
  if (issue !== null) return { message: requestFault(issue) };
  if (error.code !== "ownership_not_found") return { message: error.message };
  const { name, expected } = error.details as { readonly name: string; readonly expected: string };
  return { message: `Domain ${name} is missing required TXT Record "${expected}"` };
}

function requestFault({ path, message }: Issue): string {
  if (message === "unknown field") {
    return `Invalid request: should NOT have additional property \`${path}\`.`;
  }
  if (path === "hostname" || path === "redirect_to") return message;
  return `Invalid request: ${path === "" ? "" : `\`${path}\` `}${message}.`;
}

export function noRoute(): AppError {
  return new AppError("not_found", "The requested API endpoint was not found.");
}

export function noDomain(domain: string): AppError {
  return new AppError("not_found", `The domain "${domain}" is not assigned here.`);
}
