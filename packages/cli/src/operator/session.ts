import {
  type Config,
  createLogger,
  databaseUrl,
  type MigrationReport,
  migrate,
  type OpenedRuntime,
  openRuntime,
} from "@mooring/control";
import { exitCode } from "../exit-code.ts";
import type { Output } from "../output.ts";
import { attempt, requireSchema } from "./attempt.ts";
import { CommandError } from "./failure.ts";

type Runtime = OpenedRuntime["runtime"];

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
