/** A problem document of a CA (RFC 7807 with the subproblems of RFC 8555 §6.7.1). */
export interface Problem {
  /** `about:blank` when the CA answered an error without saying which. */
  readonly type: string;
  readonly detail: string | null;
  readonly status: number | null;
  readonly subproblems: readonly Subproblem[];
}

export interface Subproblem {
  readonly type: string;
  readonly detail: string | null;
  /** The name it is about. */
  readonly identifier: string | null;
}

/** The error codes of a connection that a CA's refusal can turn into. */
export type CertificateErrorCode = "ca_rate_limited" | "caa_forbidden" | "certificate_failed";

/** RFC 8555 §6.7, with `alreadyReplaced` of RFC 9773 §7.4. */
export type ProblemName =
  | "accountDoesNotExist"
  | "alreadyReplaced"
  | "alreadyRevoked"
  | "badNonce"
  | "caa"
  | "malformed"
  | "orderNotReady"
  | "rateLimited"
  | "unauthorized";

const errorNamespace = "urn:ietf:params:acme:error:";
const maxDetailLength = 500;
const maxSubproblems = 20;

export function isProblem(problem: Problem | null, name: ProblemName): boolean {
  return problem?.type === errorNamespace + name;
}

/** A rate limit wins over what else is said: waiting is then the only cure. */
export function errorCodeOf(problem: Problem | null): CertificateErrorCode {
  if (problem === null) return "certificate_failed";
  const types = [problem.type, ...problem.subproblems.map(({ type }) => type)];
  if (problem.status === 429 || types.includes(`${errorNamespace}rateLimited`))
    return "ca_rate_limited";
  return types.includes(`${errorNamespace}caa`) ? "caa_forbidden" : "certificate_failed";
}

/** Takes what can be used of it; a CA's mistake in an error must not hide the error. */
export function readProblem(value: unknown, httpStatus: number | null): Problem {
  const body = recordOf(value);
  const inner = body["subproblems"];
  const status = body["status"];
  return {
    type: textOf(body["type"]) ?? "about:blank",
    detail: textOf(body["detail"]),
    status: httpStatus ?? (typeof status === "number" ? status : null),
    subproblems: Array.isArray(inner) ? inner.slice(0, maxSubproblems).map(readSubproblem) : [],
  };
}

/** One line for logs and operators. */
export function describeProblem(problem: Problem): string {
  const name = problem.type.replace(errorNamespace, "");
  return problem.detail === null ? name : `${name}: ${problem.detail}`;
}

function readSubproblem(value: unknown): Subproblem {
  const body = recordOf(value);
  return {
    type: textOf(body["type"]) ?? "about:blank",
    detail: textOf(body["detail"]),
    identifier: textOf(recordOf(body["identifier"])["value"]),
  };
}

function recordOf(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null
    ? Object.fromEntries(Object.entries(value))
    : {};
}

/** Foreign text: one line, bounded, nothing a terminal would obey. */
function textOf(value: unknown): string | null {
  if (typeof value !== "string" || value === "") return null;
  return value.slice(0, maxDetailLength).replaceAll(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]+/gu, " ");
}
