import { Argument, type Command, type Option } from "commander";
import { exitCode, type RegisterAction } from "../action.ts";
import { examples } from "./api-command.ts";

/**
 * `mooring completion SHELL` prints a static script made from the tree of commands: Tab then starts
 * no process. Register it last, so that the tree is complete.
 */
export function addCompletion(program: Command, action: RegisterAction): void {
  const completion = program
    .command("completion")
    .description("print the script that completes these commands in your shell")
    .addArgument(new Argument("<shell>", "the shell to complete in").choices(shells));
  examples(
    completion,
    "source <(mooring completion bash)",
    "mooring completion zsh > ~/.zfunc/_mooring",
    "mooring completion fish > ~/.config/fish/completions/mooring.fish",
  );
  action(completion, async (output, [name]) => {
    const shell = shells.find((one) => one === name) ?? "bash";
    const script = completionScript(shell, completedCommands(program));
    output.result(script.trimEnd(), { shell, script });
    return exitCode.done;
  });
}

/** A command as a shell completes it. */
interface CompletedCommand {
  /** The words of the command line that name it, without the program. */
  readonly path: readonly string[];
  readonly description: string;
  readonly children: readonly CompletedChild[];
  /** The choices of its arguments. */
  readonly choices: readonly string[];
  readonly options: readonly CompletedOption[];
}

interface CompletedChild {
  readonly name: string;
  readonly description: string;
}

interface CompletedOption {
  readonly flag: string;
  readonly description: string;
  readonly takesValue: boolean;
  readonly choices: readonly string[];
  /** Its value is a file. */
  readonly isFile: boolean;
}

/** Every command of the tree with its options and those of its parents; the program comes first. */
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
  description: "how to use it",
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

export const shells = ["bash", "zsh", "fish"] as const;
type Shell = (typeof shells)[number];

/** The script that completes these commands in a shell; it runs nothing but the shell. */
export function completionScript(shell: Shell, commands: readonly CompletedCommand[]): string {
  switch (shell) {
    case "bash":
      return bash(commands);
    case "zsh":
      return zsh(commands);
    case "fish":
      return fish(commands);
  }
}

/** Safe inside single quotes of every shell. */
function quoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}

function uniqueOptions(commands: readonly CompletedCommand[]): readonly CompletedOption[] {
  const all = commands.flatMap(({ options }) => options);
  return [...new Map(all.map((option) => [option.flag, option])).values()];
}

/**
 * The words before the cursor, without options and their values, name a command as long as it has
 * such a child; the others are arguments.
 */
function bash(commands: readonly CompletedCommand[]): string {
  const valued = uniqueOptions(commands).filter(({ takesValue }) => takesValue);
  return `# bash completion of mooring; load it with: source <(mooring completion bash)
_mooring() {
  local word path="" skip=0 i
  local cur="\${COMP_WORDS[COMP_CWORD]}" prev="\${COMP_WORDS[COMP_CWORD-1]}"
  COMPREPLY=()
  for ((i = 1; i < COMP_CWORD; i++)); do
    word="\${COMP_WORDS[i]}"
    if ((skip)); then skip=0; continue; fi
    case "$word" in
      ${valued.map(({ flag }) => flag).join("|")}) skip=1 ;;
      -*) ;;
      *) case "$path/$word" in
${pathPatterns(commands)}
        esac ;;
    esac
  done
  case "$path:$prev" in
${valueCases(commands)}
  esac
  ((skip)) && return
  local words=""
  case "$path" in
${wordCases(commands)}
  esac
  COMPREPLY=($(compgen -W "$words" -- "$cur"))
}
complete -F _mooring mooring
`;
}

function commandKey({ path }: CompletedCommand): string {
  return path.map((name) => `/${name}`).join("");
}

function pathPatterns(commands: readonly CompletedCommand[]): string {
  return commands
    .filter(({ path }) => path.length > 0)
    .map((command) => `          ${quoted(commandKey(command))}) path="$path/$word" ;;`)
    .join("\n");
}

/** Completes the value of an option: from its choices, or a file. */
function valueCases(commands: readonly CompletedCommand[]): string {
  return commands
    .flatMap((command) =>
      command.options.flatMap(({ flag, choices, isFile }) => {
        const label = `    ${quoted(`${commandKey(command)}:${flag}`)})`;
        if (isFile) return [`${label} COMPREPLY=($(compgen -f -- "$cur")); return ;;`];
        if (choices.length === 0) return [];
        const words = quoted(choices.join(" "));
        return [`${label} COMPREPLY=($(compgen -W ${words} -- "$cur")); return ;;`];
      }),
    )
    .join("\n");
}

function wordCases(commands: readonly CompletedCommand[]): string {
  return commands
    .map((command) => {
      const words = [
        ...command.children.map(({ name }) => name),
        ...command.choices,
        ...command.options.map(({ flag }) => flag),
      ];
      return `    ${quoted(commandKey(command))}) words=${quoted(words.join(" "))} ;;`;
    })
    .join("\n");
}

function zsh(commands: readonly CompletedCommand[]): string {
  const valued = uniqueOptions(commands).filter(({ takesValue }) => takesValue);
  return `#compdef mooring
# zsh completion of mooring; load it with: source <(mooring completion zsh)
_mooring() {
  local word path_key="" skip=0 i
  for ((i = 2; i < CURRENT; i++)); do
    word="\${words[i]}"
    if ((skip)); then skip=0; continue; fi
    case "$word" in
      ${valued.map(({ flag }) => flag).join("|")}) skip=1 ;;
      -*) ;;
      *) case "$path_key/$word" in
${pathPatterns(commands).replaceAll("path=", "path_key=").replaceAll("$path/", "$path_key/")}
        esac ;;
    esac
  done
  case "$path_key:\${words[CURRENT-1]}" in
${zshValueCases(commands)}
  esac
  ((skip)) && return
  local -a entries
  case "$path_key" in
${zshWordCases(commands)}
  esac
  _describe -t commands mooring entries
}
if [ "$funcstack[1]" = "_mooring" ]; then _mooring "$@"; else compdef _mooring mooring; fi
`;
}

function zshValueCases(commands: readonly CompletedCommand[]): string {
  return commands
    .flatMap((command) =>
      command.options.flatMap(({ flag, choices, isFile }) => {
        const label = `    ${quoted(`${commandKey(command)}:${flag}`)})`;
        if (isFile) return [`${label} _files; return ;;`];
        if (choices.length === 0) return [];
        return [`${label} compadd -- ${choices.map(quoted).join(" ")}; return ;;`];
      }),
    )
    .join("\n");
}

/** `_describe` takes `word:description`; a colon inside the word is escaped. */
function zshWordCases(commands: readonly CompletedCommand[]): string {
  return commands
    .map((command) => {
      const entries = [
        ...command.children.map(({ name, description }) => [name, description] as const),
        ...command.choices.map((choice) => [choice, ""] as const),
        ...command.options.map(({ flag, description }) => [flag, description] as const),
      ].map(([word, description]) => quoted(`${word.replaceAll(":", "\\:")}:${description}`));
      return `    ${quoted(commandKey(command))}) entries=(${entries.join(" ")}) ;;`;
    })
    .join("\n");
}

function fish(commands: readonly CompletedCommand[]): string {
  const valued = uniqueOptions(commands).filter(({ takesValue }) => takesValue);
  return `# fish completion of mooring; load it with: mooring completion fish | source
function __mooring_path
  set -l key ''
  set -l skip 0
  for word in (commandline -opc)[2..-1]
    if test $skip = 1
      set skip 0
      continue
    end
    switch $word
      case ${valued.map(({ flag }) => flag).join(" ")}
        set skip 1
      case '-*'
      case '*'
        switch "$key/$word"
          case ${commands
            .filter(({ path }) => path.length > 0)
            .map((one) => quoted(commandKey(one)))
            .join(" ")}
            set key "$key/$word"
        end
    end
  end
  echo $key
end
complete -c mooring -f
${commands.flatMap(fishLines).join("\n")}
`;
}

function fishLines(command: CompletedCommand): string[] {
  const start = `complete -c mooring -n ${quoted(`test (__mooring_path) = "${commandKey(command)}"`)}`;
  return [
    ...command.children.map(
      ({ name, description }) => `${start} -a ${name} -d ${quoted(description)}`,
    ),
    ...(command.choices.length > 0 ? [`${start} -a ${quoted(command.choices.join(" "))}`] : []),
    ...command.options.map(({ flag, description, takesValue, choices, isFile }) => {
      const value = isFile
        ? " -r -F"
        : choices.length > 0
          ? ` -x -a ${quoted(choices.join(" "))}`
          : takesValue
            ? " -x"
            : "";
      return `${start} -l ${flag.replace(/^--/, "")}${value} -d ${quoted(description)}`;
    }),
  ];
}
