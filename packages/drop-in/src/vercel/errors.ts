import { AppError, type ErrorCode, type ErrorReply, isObject } from "@mooring/control/drop-in";

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
      error: { code: isOwnConflict(error) ? "domain_already_in_use" : code, ...words(error) },
    },
    headers:
      error.retryAfterSeconds === null ? {} : { "retry-after": String(error.retryAfterSeconds) },
  };
}

/** The application has the name itself; of another's holder the error says nothing. */
function isOwnConflict({ code, details }: AppError): boolean {
  const names = isObject(details) && "connection_id" in details;
  return code === "HostnameConflict" && names;
}

function words(error: AppError) {
  if (error.code === "unauthorized") return { message: "Not authorized", invalidToken: true };
  if (error.code !== "ownership_not_found") return { message: error.message };
  const { name, expected } = error.details as { readonly name: string; readonly expected: string };
  return { message: `Domain ${name} is missing required TXT Record "${expected}"` };
}

export function noDomain(domain: string): AppError {
  return new AppError("not_found", `The domain "${domain}" is not assigned here.`);
}
