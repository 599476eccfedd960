import { describeProblem, isProblem, type Problem, type ProblemName } from "./problem.ts";

export type AcmeErrorKind =
  /** The CA said no; `problem` tells why. */
  | "problem"
  /** No answer: the connection failed or the time ran out. The request may have been carried out. */
  | "unreachable"
  /** An answer that RFC 8555 does not allow. */
  | "malformed"
  /** Still under way when the time for waiting ran out; the same order can be gone on with later. */
  | "pending";

/** Messages name the CA's own words at most; they hold no key, nonce or token. */
export class AcmeError extends Error {
  override readonly name = "AcmeError";
  readonly kind: AcmeErrorKind;
  readonly problem: Problem | null;
  /** How long the CA asked to be left alone. */
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
 * Whether an order that met this error is lost. A rate limit, a rejected nonce, trouble at the CA's
 * side or no answer leave it as it was: it is gone on with later, without a new one.
 */
export function endsOrder(error: AcmeError): boolean {
  const { kind, problem } = error;
  const status = problem?.status ?? 0;
  const passes = status === 429 || status >= 500;
  return (
    kind === "problem" && !passes && !transientProblems.some((name) => isProblem(problem, name))
  );
}

const transientProblems: readonly ProblemName[] = [
  "badNonce",
  "rateLimited",
  "accountDoesNotExist",
];
