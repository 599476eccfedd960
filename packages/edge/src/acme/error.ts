import { foreignLine } from "@mooring/dns/lookup";

export type AcmeErrorKind =
  /** The CA refused; `problem` has the reason. */
  | "problem"
  /**
   * No answer: the connection failed or the time ran out. The request may have been carried out.
   */
  | "unreachable"
  /** An answer that RFC 8555 does not allow. */
  | "malformed"
  /** The certificate of the order cannot be read, or its chain does not hold. */
  | "unusable"
  /** Not complete within the time limit; the order can be resumed later. */
  | "pending"
  /** The CA does not offer what the operator has set. */
  | "misconfigured";

/** A message may contain the CA's text, but no key, nonce or token. */
export class AcmeError extends Error {
  override readonly name = "AcmeError";
  readonly kind: AcmeErrorKind;
  readonly problem: Problem | null;
  /** The `Retry-After` of the CA. */
  readonly retryAfterSeconds: number | null;

  constructor(
    kind: AcmeErrorKind,
    message: string,
    about: {
      readonly problem?: Problem | null;
      readonly retryAfterSeconds?: number | null;
      readonly cause?: unknown;
    } = {},
  ) {
    super(message, about.cause === undefined ? {} : { cause: about.cause });
    this.kind = kind;
    this.problem = about.problem ?? null;
    this.retryAfterSeconds = about.retryAfterSeconds ?? null;
  }

  get type(): string | null {
    return this.problem?.type ?? null;
  }

  get detail(): string | null {
    return this.problem?.detail ?? null;
  }
}

export function refusal(problem: Problem, retryAfterSeconds: number | null): AcmeError {
  const message = `the CA refused: ${describeProblem(problem)}`;
  return new AcmeError("problem", message, { problem, retryAfterSeconds });
}

export function isRefusal(error: unknown, name: ProblemName): boolean {
  return error instanceof AcmeError && isProblem(error.problem, name);
}

/**
 * Whether the order is lost by this error. After a rate limit, a rejected nonce, a refused account,
 * a server error or no answer it is resumed later.
 */
export function endsOrder(error: AcmeError): boolean {
  if (error.kind === "unusable") return true;
  const { kind, problem } = error;
  const passes = isRateLimit(problem) || isOfCa(problem) || isOfAccount(problem);
  return kind === "problem" && !passes;
}

/** A problem document of a CA (RFC 7807 with the subproblems of RFC 8555 §6.7.1). */
export interface Problem {
  /** `about:blank` when the CA names no type. */
  readonly type: string;
  readonly detail: string | null;
  readonly status: number | null;
  /** It was the answer to a request; otherwise it is part of an order or an authorization. */
  readonly isAnswer: boolean;
  readonly subproblems: readonly Subproblem[];
}

interface Subproblem {
  readonly type: string;
  readonly detail: string | null;
  /** The name it concerns. */
  readonly identifier: string | null;
}

/** The error codes that a connection reports for a failure at a CA. */
export type CertificateErrorCode =
  | "ca_rate_limited"
  | "ca_unavailable"
  | "caa_forbidden"
  | "certificate_failed";

/** RFC 8555 §6.7, with `alreadyReplaced` of RFC 9773 §7.4. */
export type ProblemName =
  | "accountDoesNotExist"
  | "alreadyReplaced"
  | "badNonce"
  | "caa"
  | "externalAccountRequired"
  | "invalidProfile"
  | "malformed"
  | "orderNotReady"
  | "rateLimited"
  | "unauthorized"
  | "userActionRequired";

const errorNamespace = "urn:ietf:params:acme:error:";
const maxDetailLength = 500;
const maxSubproblems = 20;

export function isProblem(problem: Problem | null, name: ProblemName): boolean {
  return problem?.type === errorNamespace + name;
}

/** Refusals of the settings: they concern every name, and the operator must act. */
const operatorProblems: readonly ProblemName[] = [
  "externalAccountRequired",
  "invalidProfile",
  "userActionRequired",
];

function isRateLimit(problem: Problem | null): boolean {
  return problem?.status === 429 || typesIn(problem).includes(`${errorNamespace}rateLimited`);
}

/** Trouble of the CA, or of something in front of it, which answers without a problem of ACME. */
function isOfCa(problem: Problem | null): boolean {
  if (problem === null) return false;
  const isForeign = problem.isAnswer && !problem.type.startsWith(errorNamespace);
  return isForeign || (problem.status ?? 0) >= 500 || isProblem(problem, "badNonce");
}

/** The CA does not know the account, or has deactivated or revoked it (RFC 8555 §7.3.6). */
function isOfAccount(problem: Problem | null): boolean {
  if (isProblem(problem, "accountDoesNotExist")) return true;
  return problem?.isAnswer === true && isProblem(problem, "unauthorized");
}

function typesIn(problem: Problem | null): readonly string[] {
  return problem === null ? [] : [problem.type, ...problem.subproblems.map(({ type }) => type)];
}

const codesByKind: Readonly<Record<Exclude<AcmeErrorKind, "problem">, CertificateErrorCode>> = {
  unreachable: "ca_unavailable",
  misconfigured: "ca_unavailable",
  malformed: "ca_unavailable",
  unusable: "certificate_failed",
  pending: "certificate_failed",
};

/** A rate limit comes first: then only waiting helps. */
export function toErrorCode({ kind, problem }: AcmeError): CertificateErrorCode {
  if (kind !== "problem") return codesByKind[kind];
  if (isRateLimit(problem)) return "ca_rate_limited";
  const isOperators = operatorProblems.some((name) => isProblem(problem, name));
  if (isOfCa(problem) || isOfAccount(problem) || isOperators) return "ca_unavailable";
  const isCaa = typesIn(problem).includes(`${errorNamespace}caa`);
  return isCaa ? "caa_forbidden" : "certificate_failed";
}

/**
 * What a rate limit concerns. CAs tell it in words only; Let's Encrypt names the domain, the "exact
 * set" of names or the failed authorizations of one. Anything else is taken for the whole account.
 */
export function readLimitScope(problem: Problem | null): "account" | "domain" | "name" {
  const text = problem?.detail ?? "";
  if (/exact set|failed (authorizations|validations)/i.test(text)) return "name";
  return /certificates .*already issued/i.test(text) ? "domain" : "account";
}

/** Reads leniently: a malformed problem document must not hide the error. */
export function readProblem(value: unknown, httpStatus: number | null): Problem {
  const body = readRecord(value);
  const inner = body["subproblems"];
  const status = body["status"];
  return {
    type: readText(body["type"]) ?? "about:blank",
    detail: readText(body["detail"]),
    status: httpStatus ?? (typeof status === "number" ? status : null),
    isAnswer: httpStatus !== null,
    subproblems: Array.isArray(inner) ? inner.slice(0, maxSubproblems).map(readSubproblem) : [],
  };
}

/** What a CA said about a name, in its own words: bounded lines without control characters. */
export interface CaError {
  readonly type: string;
  readonly detail: string | null;
}

/**
 * What the tenant may read of a refusal; null where the CA refused the account, its settings, or
 * every order, which is for the operator. An order has one name, so a subproblem is about it.
 */
export function readCaError(error: AcmeError): CaError | null {
  const { problem } = error;
  if (problem === null || toErrorCode(error) === "ca_unavailable") return null;
  const { type, detail } = problem.subproblems[0] ?? problem;
  return { type, detail: detail ?? problem.detail };
}

/** One line for logs and operators. */
export function describeProblem(problem: Problem): string {
  const name = problem.type.replace(errorNamespace, "");
  return problem.detail === null ? name : `${name}: ${problem.detail}`;
}

function readSubproblem(value: unknown): Subproblem {
  const body = readRecord(value);
  return {
    type: readText(body["type"]) ?? "about:blank",
    detail: readText(body["detail"]),
    identifier: readText(readRecord(body["identifier"])["value"]),
  };
}

function readRecord(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null
    ? Object.fromEntries(Object.entries(value))
    : {};
}

/** Text of the CA as one bounded line without control characters. */
function readText(value: unknown): string | null {
  const line = typeof value === "string" ? foreignLine(value, maxDetailLength) : "";
  return line === "" ? null : line;
}
