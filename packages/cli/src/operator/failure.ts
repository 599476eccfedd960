import { AppError, ConfigError, databaseProblem, redact } from "@mooring/control/settings";
import { type ExitCode, exitCode } from "../exit-code.ts";
import { PortError } from "../free-ports.ts";
import type { Output } from "../output.ts";

/** Where an error happened, as far as it helps to explain it. */
export interface FailureContext {
  readonly databaseUrl?: string | null;
}

/** A failure that is complete in itself: its message is shown as it is, without a stack. */
export class CommandError extends Error {
  override readonly name = "CommandError";
  readonly exitCode: ExitCode;
  constructor(message: string, code: ExitCode = exitCode.failed) {
    super(message);
    this.exitCode = code;
  }
}

interface Explained {
  readonly exitCode: ExitCode;
  readonly code: string;
  readonly lines: readonly string[];
}

/** Says what went wrong, in as many lines as there are problems, and answers the exit code. */
export function reportFailure(
  output: Output,
  error: unknown,
  context: FailureContext = {},
): ExitCode {
  const explained = explain(error, context);
  const lines = explained.lines.map(redact);
  output.failure(lines, { code: explained.code, message: lines.join("\n"), problems: lines });
  return explained.exitCode;
}

function explain(error: unknown, context: FailureContext): Explained {
  if (error instanceof ConfigError) {
    return { exitCode: exitCode.configuration, code: "configuration", lines: error.problems };
  }
  if (error instanceof PortError) {
    const line = `${error.message}: ${error.mend}`;
    return { exitCode: exitCode.unavailable, code: "port", lines: [line] };
  }
  if (error instanceof CommandError) {
    return { exitCode: error.exitCode, code: "failed", lines: [error.message] };
  }
  return explainDatabase(error, context) ?? explainVerb(error);
}

/** A connection that failed, also where a verb has said "not available" because of it. */
function explainDatabase(error: unknown, context: FailureContext): Explained | null {
  const url = context.databaseUrl;
  if (!url) return null;
  const cause = error instanceof AppError ? error.cause : error;
  const found = databaseProblem(cause, url);
  if (!found) return null;
  const line = `DATABASE_URL: ${found.problem}: ${found.fix}`;
  return { exitCode: exitCode.unavailable, code: "database", lines: [line] };
}

function explainVerb(error: unknown): Explained {
  if (error instanceof AppError) {
    const code = error.code === "unavailable" ? exitCode.unavailable : exitCode.failed;
    return { exitCode: code, code: error.code, lines: [error.message] };
  }
  const text = error instanceof Error ? (error.stack ?? error.message) : String(error);
  return { exitCode: exitCode.failed, code: "internal", lines: [text] };
}
