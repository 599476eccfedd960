import type { Command } from "commander";
import { createOutput, type Output } from "./output.ts";

/**
 * The work of one command. Gets its arguments and options as given, global options included, and
 * returns the exit code.
 */
type Run = (
  output: Output,
  args: readonly string[],
  options: Readonly<Record<string, unknown>>,
) => Promise<number>;

/** Registers the work of a command; the program chooses the output and reads the exit code. */
export type RegisterAction = (command: Command, run: Run) => void;

export function createActions(onExitCode: (code: number) => void): RegisterAction {
  return (command, run) => {
    command.action(async () => {
      const options = command.optsWithGlobals();
      const isJson = options["json"] === true;
      onExitCode(await run(createOutput(isJson), command.args, options));
    });
  };
}

/** What scripts and supervisors branch on; 69 and 78 are those of sysexits.h. */
export const exitCode = {
  done: 0,
  failed: 1,
  /** The command line is wrong. */
  usage: 2,
  /** Something needed is unavailable: a database does not answer, a port is taken. */
  unavailable: 69,
  /** The configuration must be fixed before a start can succeed. */
  configuration: 78,
} as const;

export type ExitCode = (typeof exitCode)[keyof typeof exitCode];
