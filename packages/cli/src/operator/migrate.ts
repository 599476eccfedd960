import { databaseUrl } from "@mooring/control";
import type { Command } from "commander";
import type { RegisterAction } from "../action.ts";
import { exitCode } from "../exit-code.ts";
import { attempt } from "./attempt.ts";
import { bringUpToDate } from "./session.ts";

export function addMigrate(program: Command, action: RegisterAction): void {
  const command = program
    .command("migrate")
    .description("bring the database schema up to date; safe to run from several places at once");
  action(command, (output) =>
    attempt(output, async (config) => {
      const { applied, version } = await bringUpToDate(databaseUrl(config));
      const done = applied.length === 0 ? "nothing to do" : `applied ${applied.join(", ")}`;
      output.result(`${done}; the schema is at version ${version}`, { applied, version });
      return exitCode.done;
    }),
  );
}
