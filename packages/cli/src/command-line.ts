import { operatorCommands } from "./operator/operator-commands.ts";
import { endWithReader } from "./output.ts";
import { runCommand } from "./program.ts";

/** Runs `mooring` with all its commands in this process, and returns the exit code. */
export function runCommandLine(args: readonly string[]): Promise<number> {
  endWithReader();
  return runCommand(args, operatorCommands);
}
