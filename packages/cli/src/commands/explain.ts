import { ApiError, ConnectionError, MooringError, TimeoutError } from "@mooring/sdk";
import { type ExitCode, exitCode } from "../exit-code.ts";
import { type Access, ClientError } from "./client.ts";

/** A failure in words: what happened, what to do about it, and what scripts read. */
export interface Explained {
  readonly exitCode: ExitCode;
  readonly lines: readonly string[];
  readonly value: Readonly<Record<string, unknown>>;
}

/** What a command finds wrong with what it was given, or with what it found. */
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

/** The command line is right in form and wrong in content. */
export function usageFailure(message: string, ...hints: readonly string[]): CommandFailure {
  return new CommandFailure(message, { code: "usage", exitCode: exitCode.usage, hints });
}

/** An error that is none of ours is a defect, and is thrown on. */
export function explain(error: unknown, access: Access | null): Explained {
  if (error instanceof ClientError) {
    return plain("usage", exitCode.usage, error.message, error.hints);
  }
  if (error instanceof CommandFailure) {
    return plain(error.code, error.exitCode, error.message, error.hints);
  }
  if (error instanceof ApiError) return refused(error, access);
  if (error instanceof ConnectionError) return unreached(error, access);
  if (error instanceof MooringError) return plain("failed", exitCode.failed, error.message, []);
  throw error;
}

function plain(code: string, exit: ExitCode, message: string, hints: readonly string[]): Explained {
  return { exitCode: exit, lines: [message, ...hints], value: { code, message, hints } };
}

function unreached(error: ConnectionError, access: Access | null): Explained {
  const url = access?.url ?? "the API";
  const message =
    error instanceof TimeoutError
      ? `${url} gave ${error.message}`
      : `nothing answers at ${url}${reasonOf(error)}`;
  const hints = ["is Mooring running there? Say where it is with --url or MOORING_URL"];
  return plain("unreachable", exitCode.unavailable, message, hints);
}

/** `fetch` says only that it failed; why stands in the cause of the cause. */
function reasonOf(error: Error): string {
  const { cause } = error;
  if (!(cause instanceof Error)) return "";
  const inner = cause.cause instanceof Error ? cause.cause : cause;
  const code = "code" in inner && typeof inner.code === "string" ? inner.code : inner.message;
  return ` (${code})`;
}

function refused(error: ApiError, access: Access | null): Explained {
  const issues = issuesOf(error).filter((issue) => issue !== error.message);
  const hints = [...issues, ...hintsFor(error, access)];
  return {
    exitCode: isPassing(error) ? exitCode.unavailable : exitCode.failed,
    lines: [error.message, ...hints, ...referenceOf(error)],
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

/** A key's prefix is no secret, and says which side of the wall it is from. */
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
function issuesOf({ details }: ApiError): readonly string[] {
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

function referenceOf(error: ApiError): readonly string[] {
  const isOurs = error.status >= 500 && error.requestId !== null;
  return isOurs ? [`tell the operator of the service: request ${error.requestId}`] : [];
}
