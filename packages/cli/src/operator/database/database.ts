import {
  type Config,
  createLogger,
  databaseUrl,
  loginRoles,
  type MigrationReport,
  migrate,
  type OpenedRuntime,
  openRuntime,
  provideLogin,
} from "@mooring/control";
import { parseDatabaseUrl } from "@mooring/control/settings";
import type { Command } from "commander";
import { exitCode, type RegisterAction } from "../../action.ts";
import type { Output } from "../../output.ts";
import { attempt, CommandError, requireSchema } from "../failure.ts";
import { ownUrl, requestedProcesses } from "../serve/processes.ts";
import { withServedAddress } from "./served-address.ts";

export function addMigrate(program: Command, action: RegisterAction): void {
  const command = program
    .command("migrate")
    .description("bring the database schema up to date; safe to run from several places at once");
  action(command, (output) =>
    attempt(output, async (config) => {
      const { applied, version } = await bringUpToDate(databaseUrl(config));
      await provideLogins(config, output);
      const done = applied.length === 0 ? "nothing to do" : `applied ${applied.join(", ")}`;
      output.result(`${done}; the schema is at version ${version}`, { applied, version });
      return exitCode.done;
    }),
  );
}

/** The logins of the processes whose URLs this process is given, with the roles that each needs. */
export async function provideLogins(config: Config, output: Output): Promise<void> {
  for (const name of requestedProcesses(config)) {
    const url = ownUrl(name, config);
    if (url === null) continue;
    await provideLogin(databaseUrl(config), name, url);
    const { user } = parseDatabaseUrl(url);
    output.progress(`${name}: ${user} may act as ${loginRoles[name].join(" and ")}`, {
      login: user,
      process: name,
      roles: loginRoles[name],
    });
  }
}

type Runtime = OpenedRuntime["runtime"];

/** Runs an operator's command that calls verbs on the database; errors become an exit code. */
export function withDatabase(
  output: Output,
  work: (runtime: Runtime) => Promise<number>,
): Promise<number> {
  return attempt(output, async (config) => {
    await requireSchema(databaseUrl(config));
    return withOperator(withServedAddress(config), work);
  });
}

/**
 * Opens a runtime, by default with the operator's role. Logs go to stderr, since stdout carries the
 * result.
 */
export async function withOperator<T>(
  config: Config,
  work: (runtime: Runtime) => Promise<T>,
  role: "mooring_operator" | "mooring_api" = "mooring_operator",
): Promise<T> {
  const opened = await openRuntime(config, {
    url: databaseUrl(config),
    role,
    name: "operator",
    log: createLogger({ level: "warn", name: "operator", destination: process.stderr }),
  });
  try {
    return await work(opened.runtime);
  } finally {
    await opened.close();
  }
}

/** Migrates; a refusal of the migrations is shown with its message, without a stack. */
export async function bringUpToDate(url: string): Promise<MigrationReport> {
  try {
    return await migrate(url);
  } catch (error) {
    const isRefusal = error instanceof Error && !("code" in error);
    throw isRefusal ? new CommandError(error.message, exitCode.configuration) : error;
  }
}
