import {
  type Config,
  createLogger,
  databaseUrl,
  type MigrationReport,
  migrate,
  type OpenedRuntime,
  openRuntime,
  readConfig,
  schemaVersions,
} from "@mooring/control";
import { processEnvironment } from "../config.ts";
import { exitCode } from "../exit-code.ts";
import type { Output } from "../output.ts";
import { CommandError, reportFailure } from "./failure.ts";

type Runtime = OpenedRuntime["runtime"];

/** Runs an operator's command and turns whatever it throws into lines and an exit code. */
export async function attempt(
  output: Output,
  work: (config: Config) => Promise<number>,
): Promise<number> {
  let url: string | null = null;
  try {
    const config = readConfig(processEnvironment());
    url = config.DATABASE_URL ?? urlIfKnown(config);
    return await work(config);
  } catch (error) {
    return reportFailure(output, error, { databaseUrl: url });
  }
}

/** The same for a command that calls verbs on the database. */
export function withDatabase(
  output: Output,
  work: (runtime: Runtime) => Promise<number>,
): Promise<number> {
  return attempt(output, async (config) => {
    await requireSchema(databaseUrl(config));
    return withOperator(config, work);
  });
}

/** Verbs under the operator's role; logs go to stderr, which leaves stdout to the result. */
export async function withOperator<T>(
  config: Config,
  work: (runtime: Runtime) => Promise<T>,
): Promise<T> {
  const opened = await openRuntime(config, {
    url: databaseUrl(config),
    role: "mooring_operator",
    name: "operator",
    log: createLogger({ level: "warn", name: "operator", destination: process.stderr }),
  });
  try {
    return await work(opened.runtime);
  } finally {
    await opened.close();
  }
}

/** Migrates; what the migrations refuse is told in their own words, without a stack. */
export async function bringUpToDate(url: string): Promise<MigrationReport> {
  try {
    return await migrate(url);
  } catch (error) {
    const isRefusal = error instanceof Error && !("code" in error);
    throw isRefusal ? new CommandError(error.message, exitCode.configuration) : error;
  }
}

/** A database that is behind would fail in the middle of something; one that is ahead still serves. */
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
    return null; // the command says so itself, if it needs one
  }
}
