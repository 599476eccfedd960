import { ApiError, ConnectionError, MooringError, TimeoutError } from "@mooring/sdk";
import { type ExitCode, exitCode } from "../action.ts";

/** Where the API is and the key that calls it. */
export interface Access {
  readonly url: string;
  readonly apiKey: string;
}

/** A failure as it is shown: what happened, what to do about it, and the JSON for scripts. */
export interface Explanation {
  readonly exitCode: ExitCode;
  readonly lines: readonly string[];
  readonly value: Readonly<Record<string, unknown>>;
}

/** An expected failure of a command; its message and hints are shown as they are. */
export class CommandFailure extends Error {
  override readonly name = "CommandFailure";
  readonly code: string;
  readonly exitCode: ExitCode;
  readonly hints: readonly string[];
  constructor(
    message: string,
    options: {
      readonly code?: string;
      readonly exitCode?: ExitCode;
      readonly hints?: readonly string[];
    } = {},
  ) {
    super(message);
    this.code = options.code ?? "failed";
    this.exitCode = options.exitCode ?? exitCode.failed;
    this.hints = options.hints ?? [];
  }
}

/** The command line parses, but its content is wrong. */
export function usageFailure(message: string, ...hints: readonly string[]): CommandFailure {
  return new CommandFailure(message, { code: "usage", exitCode: exitCode.usage, hints });
}

/** Explains an expected error; any other is a defect and is rethrown. */
export function explain(error: unknown, access: Access | null): Explanation {
  if (error instanceof CommandFailure) {
    return plain(error.code, error.exitCode, error.message, error.hints);
  }
  if (error instanceof ApiError) return refused(error, access);
  if (error instanceof ConnectionError) return unreached(error, access);
  if (error instanceof MooringError) return plain("failed", exitCode.failed, error.message, []);
  throw error;
}

function plain(
  code: string,
  exit: ExitCode,
  message: string,
  hints: readonly string[],
): Explanation {
  return { exitCode: exit, lines: [message, ...hints], value: { code, message, hints } };
}

function unreached(error: ConnectionError, access: Access | null): Explanation {
  const url = access?.url ?? "the API";
  const message =
    error instanceof TimeoutError
      ? `${url} gave ${error.message}`
      : `nothing answers at ${url}${reasonText(error)}`;
  const hints = ["is Mooring running there? Say where it is with --url or MOORING_URL"];
  return plain("unreachable", exitCode.unavailable, message, hints);
}

/** `fetch` reports only that it failed; the reason is the cause of its cause. */
function reasonText(error: Error): string {
  const { cause } = error;
  if (!(cause instanceof Error)) return "";
  const inner = cause.cause instanceof Error ? cause.cause : cause;
  const code = "code" in inner && typeof inner.code === "string" ? inner.code : inner.message;
  return ` (${code})`;
}

function refused(error: ApiError, access: Access | null): Explanation {
  const issues = listIssues(error).filter((issue) => issue !== error.message);
  const hints = [...issues, ...hintsFor(error, access)];
  return {
    exitCode: isPassing(error) ? exitCode.unavailable : exitCode.failed,
    lines: [error.message, ...hints, ...referenceLines(error)],
    value: {
      code: error.code,
      message: error.message,
      hints,
      status: error.status,
      details: error.details,
      request_id: error.requestId,
    },
  };
}

/** Whether a later attempt may succeed: the API is unreachable, overloaded or limits the rate. */
export function isPassing(error: MooringError): boolean {
  if (!(error instanceof ApiError)) return error instanceof ConnectionError;
  return error.status === 429 || (error.status >= 500 && error.code !== "provider_error");
}

function hintsFor(error: ApiError, access: Access | null): readonly string[] {
  switch (error.code) {
    case "unauthorized":
      return [wrongKey(access)];
    case "forbidden":
      return ["this key may not do that: use one with the scope, or of the other environment"];
    case "not_found":
      return [notFound(access)];
    case "QuotaExceeded":
      return error.upgradeUrl === null ? [] : [`change the plan at ${error.upgradeUrl}`];
    case "rate_limited":
      return [`wait ${error.retryAfter ?? "a few"} seconds, then try again`];
    case "ownership_not_found":
      return ["`mooring connections diagnose` says what is there instead"];
    case "unknown":
      return [`is ${access?.url ?? "--url"} the address of Mooring's API?`];
    default:
      return [];
  }
}

/** The prefix of a key is not secret and names its environment. */
function wrongKey(access: Access | null): string {
  const kind = /^sk_(test|live)_/.exec(access?.apiKey ?? "")?.[1];
  const where = access?.url ?? "there";
  return kind === undefined
    ? "a key begins with sk_test_ or sk_live_: see MOORING_API_KEY and --api-key"
    : `this ${kind} key is not known at ${where}, or was revoked: make one with \`mooring keys create\` there`;
}

function notFound(access: Access | null): string {
  const kind = /^sk_(test|live)_/.exec(access?.apiKey ?? "")?.[1];
  return kind === undefined
    ? "see the id with the list command"
    : `a ${kind} key sees the ${kind} environment only; the list command shows what is there`;
}

interface Issue {
  readonly path: string;
  readonly message: string;
}

/** `details.issues` of `invalid`, one line each. */
function listIssues({ details }: ApiError): readonly string[] {
  if (typeof details !== "object" || details === null || !("issues" in details)) return [];
  if (!Array.isArray(details.issues)) return [];
  return details.issues.filter(isIssue).map(({ path, message }) => `${path}: ${message}`);
}

function isIssue(value: unknown): value is Issue {
  if (typeof value !== "object" || value === null) return false;
  return (
    "path" in value &&
    typeof value.path === "string" &&
    "message" in value &&
    typeof value.message === "string"
  );
}

function referenceLines(error: ApiError): readonly string[] {
  const isOurs = error.status >= 500 && error.requestId !== null;
  return isOurs ? [`report this to the operator of the service: request ${error.requestId}`] : [];
}
