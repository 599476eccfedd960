import type { Command } from "commander";

/** Lines to copy, below a command's help; text that is no command line begins with #. */
export function examples(command: Command, ...lines: readonly string[]): Command {
  const shown = lines.map((line) => (line.startsWith("#") ? `  ${line}` : `  $ ${line}`));
  return command.addHelpText("after", `\nExamples:\n${shown.join("\n")}`);
}
