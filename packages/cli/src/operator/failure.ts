import {
  AppError,
  type Config,
  ConfigError,
  databaseProblem,
  databaseUrl,
  readConfig,
  redact,
  schemaVersions,
} from "@mooring/control/settings";
import { type ExitCode, exitCode } from "../action.ts";
import { processEnvironment } from "../config.ts";
import type { Output } from "../output.ts";
import { PortError } from "../ports.ts";

/** Facts that help to explain an error. */
export interface FailureContext {
  readonly databaseUrl?: string | null;
}

/** An expected failure: its message is shown as it is, without a stack. */
export class CommandError extends Error {
  override readonly name = "CommandError";
  readonly exitCode: ExitCode;
  /** For programs that read the JSON output. */
  readonly code: string;
  constructor(message: string, exit: ExitCode = exitCode.failed, code = "failed") {
    super(message);
    this.exitCode = exit;
    this.code = code;
  }
}

interface Explanation {
  readonly exitCode: ExitCode;
  readonly code: string;
  readonly lines: readonly string[];
}

/** Writes one line for each problem and returns the exit code. */
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

function explain(error: unknown, context: FailureContext): Explanation {
  if (error instanceof ConfigError) {
    return { exitCode: exitCode.configuration, code: "configuration", lines: error.problems };
  }
  if (error instanceof PortError) {
    const line = `${error.message}: ${error.fix}`;
    return { exitCode: exitCode.unavailable, code: "port", lines: [line] };
  }
  if (error instanceof CommandError) {
    return { exitCode: error.exitCode, code: error.code, lines: [error.message] };
  }
  return explainDatabase(error, context) ?? explainVerb(error);
}

/** A failed connection to the database, also as the cause of a verb's "unavailable". */
function explainDatabase(error: unknown, context: FailureContext): Explanation | null {
  const url = context.databaseUrl;
  if (!url) return null;
  const cause = error instanceof AppError ? error.cause : error;
  const found = databaseProblem(cause, url);
  if (!found) return null;
  const line = `DATABASE_URL: ${found.problem}: ${found.fix}`;
  return { exitCode: exitCode.unavailable, code: "database", lines: [line] };
}

function explainVerb(error: unknown): Explanation {
  if (error instanceof AppError) {
    const code = error.code === "unavailable" ? exitCode.unavailable : exitCode.failed;
    return { exitCode: code, code: error.code, lines: [error.message] };
  }
  const text = error instanceof Error ? (error.stack ?? error.message) : String(error);
  return { exitCode: exitCode.failed, code: "internal", lines: [text] };
}

/** Runs an operator's command and turns its error into lines and an exit code. */
export async function attempt(
  output: Output,
  work: (config: Config) => Promise<number>,
): Promise<number> {
  let url: string | null = null;
  try {
    const config = readConfig(processEnvironment());
    url = config.databaseUrl ?? urlIfKnown(config);
    return await work(config);
  } catch (error) {
    return reportFailure(output, error, { databaseUrl: url });
  }
}

/**
 * Refuses a database with an older schema, on which statements would fail. A newer one still
 * serves.
 */
export async function requireSchema(url: string): Promise<void> {
  const { expected, actual } = await schemaVersions(url);
  if (actual >= expected) return;
  const state = actual === 0 ? "is empty" : `has schema version ${actual}`;
  throw new CommandError(
    `the database ${state} and this release needs version ${expected}: run \`mooring migrate\``,
    exitCode.configuration,
  );
}

function urlIfKnown(config: Config): string | null {
  try {
    return databaseUrl(config);
  } catch {
    return null; // a command that needs the URL reports this itself
  }
}
