import { Command, CommanderError } from "commander";
import manifest from "../package.json" with { type: "json" };
import { createActions } from "./action.ts";
import { addListen } from "./commands/listen/listen.ts";
import { exitCode } from "./exit-code.ts";
import { addDoctor } from "./operator/doctor.ts";
import { addKeys } from "./operator/keys.ts";
import { addMigrate } from "./operator/migrate.ts";
import { addSecrets } from "./operator/secrets.ts";
import { addServe } from "./operator/serve.ts";
import { addTenants } from "./operator/tenants.ts";
import { printHelp, printUsageError } from "./output.ts";

/** Parses a command line, runs it, and answers the exit code. */
export async function runCommand(argv: readonly string[]): Promise<number> {
  let code: number = exitCode.done;
  const program = new Command("mooring")
    .description("Mooring, an open domain-connection service: its operator's commands")
    .version(manifest.version)
    .option("--json", "answer with one JSON document instead of text")
    .configureHelp({ showGlobalOptions: true })
    .configureOutput({ writeOut: printHelp, writeErr: printUsageError })
    .showSuggestionAfterError()
    .exitOverride()
    .addHelpText("after", epilogue);
  const action = createActions((answer) => {
    code = answer;
  });
  for (const add of [addServe, addMigrate, addTenants, addKeys, addSecrets, addDoctor, addListen]) {
    add(program, action);
  }
  try {
    await program.parseAsync([...argv], { from: "user" });
    return code;
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
    return error.exitCode === 0 ? exitCode.done : exitCode.usage;
  }
}

const epilogue = `
Settings come from the environment (DATABASE_URL, SECRET_KEY, DATA_DIR, PORT, …). Without
DATABASE_URL the database that \`npm start\` runs under DATA_DIR is used.

Exit codes: ${exitCode.done} done, ${exitCode.failed} failed, ${exitCode.usage} wrong usage, ${exitCode.unavailable} something needed is away or taken, ${exitCode.configuration} bad configuration.`;
