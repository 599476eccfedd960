import { Command, CommanderError } from "commander";
import manifest from "../package.json" with { type: "json" };
import { createActions, exitCode, type RegisterAction } from "./action.ts";
import { addApiOptions } from "./commands/api-command.ts";
import { addApps } from "./commands/apps.ts";
import { addCompletion } from "./commands/completion.ts";
import { addConnections } from "./commands/connections/connections.ts";
import { addCredentials } from "./commands/credentials.ts";
import { addDomains } from "./commands/domains.ts";
import { addEmail } from "./commands/email.ts";
import { addListen } from "./commands/listen.ts";
import { addProviders } from "./commands/providers.ts";
import { addSandbox } from "./commands/sandbox.ts";
import { addSending } from "./commands/sending.ts";
import { addTokens } from "./commands/tokens.ts";
import { addUsage } from "./commands/usage.ts";
import { addWebhooks } from "./commands/webhooks.ts";
import { createOutput, printHelp, printUsageError } from "./output.ts";

/** Parses a command line, runs it, and returns the exit code. */
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
      // With --json the error is written once, as JSON, after parsing.
      writeErr: isJson ? () => undefined : printUsageError,
    })
    .showSuggestionAfterError()
    .exitOverride()
    .addHelpText("after", epilogue);
  const action = createActions((result) => {
    code = result;
  });
  addTenantCommands(program, action);
  // The modules of the operator's commands take a second to load, so they are loaded only when needed.
  if (argv[0] === "serve") {
    const { addServe } = await import("./operator/serve.ts");
    addServe(program, action);
  } else if (!program.commands.some((command) => command.name() === argv[0])) {
    await addOperatorCommands(program, action);
  }
  program.commandsGroup("Commands:");
  addCompletion(program, action);
  try {
    await program.parseAsync([...argv], { from: "user" });
    return code;
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
    if (error.exitCode === 0) return exitCode.done;
    if (isJson) reportUsage(error);
    return exitCode.usage;
  }
}

/** Daily use by a tenant, over the API. */
export function addTenantCommands(program: Command, action: RegisterAction): void {
  addApiOptions(program);
  program.commandsGroup("Daily use, over the API:");
  const commands = [
    addConnections,
    addDomains,
    addApps,
    addCredentials,
    addProviders,
    addWebhooks,
    addListen,
    addSandbox,
    addEmail,
    addSending,
    addTokens,
    addUsage,
  ];
  for (const add of commands) add(program, action);
}

/** Operation on the server, over the database. */
async function addOperatorCommands(program: Command, action: RegisterAction): Promise<void> {
  program.commandsGroup("Operating an installation, over its database:");
  const { addServe } = await import("./operator/serve.ts");
  const { addMigrate } = await import("./operator/database.ts");
  const { addKeys, addTenants } = await import("./operator/tenants.ts");
  const { addSecrets } = await import("./operator/secrets.ts");
  const { addDomainConnect } = await import("./operator/domain-connect.ts");
  const { addConsole } = await import("./operator/console.ts");
  const { addDoctor } = await import("./operator/doctor.ts");
  const { addParked } = await import("./operator/parked.ts");
  const tenants = [addTenants, addKeys, addConsole, addSecrets, addDomainConnect];
  const all = [addServe, addMigrate, ...tenants, addParked, addDoctor];
  for (const add of all) add(program, action);
}

/** The parser's own message, without the "error: " that it begins with. */
function reportUsage({ message }: CommanderError): void {
  const isHelp = message === "(outputHelp)";
  const text = isHelp ? "say which command: see --help" : message.replace(/^error: /, "");
  createOutput(true).failure([text], { code: "usage", message: text });
}

const epilogue = `
Daily use: set MOORING_API_KEY, and MOORING_URL unless the API is on this machine.
Operating: settings come from the environment (DATABASE_URL, SECRET_KEY, DATA_DIR, PORT, …). Without
DATABASE_URL the database that \`serve all\` or \`npm start\` runs under DATA_DIR is used.

Exit codes: ${exitCode.done} done, ${exitCode.failed} failed, ${exitCode.usage} wrong usage, ${exitCode.unavailable} something needed is unavailable, ${exitCode.configuration} bad configuration.`;
