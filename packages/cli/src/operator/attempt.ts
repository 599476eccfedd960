import { type Config, databaseUrl, readConfig, schemaVersions } from "@mooring/control/settings";
import { processEnvironment } from "../config.ts";
import { exitCode } from "../exit-code.ts";
import type { Output } from "../output.ts";
import { CommandError, reportFailure } from "./failure.ts";

/** Runs an operator's command and turns whatever it throws into lines and an exit code. */
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
