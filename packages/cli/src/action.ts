import type { Command } from "commander";
import { createOutput, type Output } from "./output.ts";

/** A command's work: its arguments and options as given, global ones included, and the exit code as its answer. */
export type Run = (
  output: Output,
  args: readonly string[],
  options: Readonly<Record<string, unknown>>,
) => Promise<number>;

/** How a command hands its work to the program, which knows the output and keeps the exit code. */
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
