import type { Command, Option } from "commander";

/** A command as a shell completes it. */
export interface CompletedCommand {
  /** The words that lead to it, without the program's own name. */
  readonly path: readonly string[];
  readonly description: string;
  readonly children: readonly CompletedChild[];
  /** The words that an argument is chosen from. */
  readonly choices: readonly string[];
  readonly options: readonly CompletedOption[];
}

export interface CompletedChild {
  readonly name: string;
  readonly description: string;
}

export interface CompletedOption {
  readonly flag: string;
  readonly description: string;
  readonly takesValue: boolean;
  readonly choices: readonly string[];
  /** Its value is a file. */
  readonly isFile: boolean;
}

/** Every command of the tree with its own and its parents' options; the program itself comes first. */
export function completedCommands(
  command: Command,
  path: readonly string[] = [],
  inherited: readonly CompletedOption[] = [],
): readonly CompletedCommand[] {
  const options = [...command.options.filter(({ hidden }) => !hidden).map(completed), ...inherited];
  const children = command.commands;
  const own: CompletedCommand = {
    path,
    description: command.description(),
    children: children.map((child) => ({ name: child.name(), description: child.description() })),
    choices: command.registeredArguments.flatMap(({ argChoices }) => argChoices ?? []),
    options: [...options, help],
  };
  return [
    own,
    ...children.flatMap((child) => completedCommands(child, [...path, child.name()], options)),
  ];
}

const help: CompletedOption = {
  flag: "--help",
  description: "how it is used",
  takesValue: false,
  choices: [],
  isFile: false,
};

function completed(option: Option): CompletedOption {
  return {
    flag: option.long ?? option.short ?? "",
    description: option.description,
    takesValue: option.required || option.optional,
    choices: option.argChoices ?? [],
    isFile: option.flags.includes("<file>"),
  };
}
