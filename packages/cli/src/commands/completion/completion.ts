import { Argument, type Command } from "commander";
import type { RegisterAction } from "../../action.ts";
import { exitCode } from "../../exit-code.ts";
import { examples } from "../examples.ts";
import { completionScript, shells } from "./scripts.ts";
import { completedCommands } from "./tree.ts";

/** Must be registered last: it knows the commands that are there when it runs. */
export function addCompletion(program: Command, action: RegisterAction): void {
  const completion = program
    .command("completion")
    .description("print what teaches your shell to complete these commands")
    .addArgument(new Argument("<shell>", "yours").choices(shells));
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
