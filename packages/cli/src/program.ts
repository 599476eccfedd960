import { Command, CommanderError } from "commander";
import manifest from "../package.json" with { type: "json" };
import { createActions } from "./action.ts";
import { addTenantCommands } from "./commands/add-commands.ts";
import { addCompletion } from "./commands/completion/completion.ts";
import { exitCode } from "./exit-code.ts";
import { createOutput, printHelp, printUsageError } from "./output.ts";

/** Parses a command line, runs it, and answers the exit code. */
export async function runCommand(argv: readonly string[]): Promise<number> {
  let code: number = exitCode.done;
  const isJson = argv.includes("--json");
  const program = new Command("mooring")
    .description("Mooring, an open domain-connection service: daily use and operation")
    .version(manifest.version)
    .option("--json", "answer with one JSON document instead of text")
    .configureHelp({ showGlobalOptions: true })
    .configureOutput({
      writeOut: printHelp,
      // With --json the error is told once, as JSON, when parsing has ended.
      writeErr: isJson ? () => undefined : printUsageError,
    })
    .showSuggestionAfterError()
    .exitOverride()
    .addHelpText("after", epilogue);
  const action = createActions((answer) => {
    code = answer;
  });
  addTenantCommands(program, action);
  // The servers behind an operator's commands take a second to load, which nobody else waits for.
  if (argv[0] === "serve") {
    const { addServe } = await import("./operator/serve.ts");
    addServe(program, action);
  } else if (!program.commands.some((command) => command.name() === argv[0])) {
    const { addOperatorCommands } = await import("./operator/add-operator-commands.ts");
    addOperatorCommands(program, action);
  }
  program.commandsGroup("Commands:");
  addCompletion(program, action);
  try {
    await program.parseAsync([...argv], { from: "user" });
    return code;
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
    if (error.exitCode === 0) return exitCode.done;
    if (isJson) tellUsage(error);
    return exitCode.usage;
  }
}

/** The parser's own words, which it begins with "error: " and ends with a suggestion. */
function tellUsage({ message }: CommanderError): void {
  const isHelp = message === "(outputHelp)";
  const text = isHelp ? "say which command: see --help" : message.replace(/^error: /, "");
  createOutput(true).failure([text], { code: "usage", message: text });
}

const epilogue = `
Daily use: set MOORING_API_KEY, and MOORING_URL unless the API is on this machine.
Operating: settings come from the environment (DATABASE_URL, SECRET_KEY, DATA_DIR, PORT, …). Without
DATABASE_URL the database that \`npm start\` runs under DATA_DIR is used.

Exit codes: ${exitCode.done} done, ${exitCode.failed} failed, ${exitCode.usage} wrong usage, ${exitCode.unavailable} something needed is away or taken, ${exitCode.configuration} bad configuration.`;
