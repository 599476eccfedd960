import { Command, CommanderError } from "commander";
import manifest from "../package.json" with { type: "json" };
import { createActions, exitCode, type RegisterAction } from "./action.ts";
import { addApiOptions } from "./commands/api-command.ts";
import { addApps } from "./commands/applications/apps.ts";
import { addAudit } from "./commands/audit.ts";
import { addCompletion } from "./commands/completion.ts";
import { addConnections } from "./commands/connections/connections.ts";
import { addCredentials } from "./commands/credentials.ts";
import { addDomains } from "./commands/domains.ts";
import { addEmail } from "./commands/email/email.ts";
import { addSending } from "./commands/email/sending.ts";
import { addMcp } from "./commands/mcp/mcp.ts";
import { addProviders } from "./commands/providers.ts";
import { addSandbox } from "./commands/sandbox/sandbox.ts";
import { addShim } from "./commands/shim/shim.ts";
import { addTokens } from "./commands/tokens.ts";
import { addTraffic } from "./commands/traffic.ts";
import { addUsage } from "./commands/usage.ts";
import { addDeliveries } from "./commands/webhooks/deliveries.ts";
import { addListen } from "./commands/webhooks/listen.ts";
import { addWebhooks } from "./commands/webhooks/webhooks.ts";
import { createOutput, printHelp, printUsageError } from "./output.ts";
import { runIn, type Surroundings } from "./surroundings.ts";

/** Commands beside those for daily use, and what the help and a mistyped command say about them. */
export interface ProgramPart {
  /** What the program is for, at the top of its help. */
  readonly description: string;
  readonly epilogue: string;
  /** Where the commands are that this program lacks; null when it has all. */
  readonly hint: string | null;
  add(program: Command, action: RegisterAction, name: string | undefined): Promise<void>;
}

/**
 * Parses a command line, runs it in its surroundings, by default the process, and returns the exit
 * code.
 */
export function runCommand(
  argv: readonly string[],
  part: ProgramPart,
  own: Surroundings = process,
): Promise<number> {
  return runIn(own, () => parseAndRun(argv, part));
}

async function parseAndRun(argv: readonly string[], part: ProgramPart): Promise<number> {
  let code: number = exitCode.done;
  const isJson = argv.includes("--json");
  const program = new Command("mooring")
    .description(part.description)
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
    .addHelpText("after", epilogueText(part));
  const action = createActions((result) => {
    code = result;
  });
  addTenantCommands(program, action);
  await part.add(program, action, argv[0]);
  program.commandsGroup("Commands:");
  addCompletion(program, action);
  try {
    await program.parseAsync([...argv], { from: "user" });
    return code;
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
    if (error.exitCode === 0) return exitCode.done;
    if (isJson) reportUsage(error);
    else if (error.code === "commander.unknownCommand" && part.hint !== null) {
      printUsageError(`${part.hint}\n`);
    }
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
    addDeliveries,
    addListen,
    addMcp,
    addSandbox,
    addEmail,
    addSending,
    addTokens,
    addTraffic,
    addUsage,
    addAudit,
    addShim,
  ];
  for (const add of commands) add(program, action);
}

/** The parser's own message, without the "error: " that it begins with. */
function reportUsage({ message }: CommanderError): void {
  const isHelp = message === "(outputHelp)";
  const text = isHelp ? "say which command: see --help" : message.replace(/^error: /, "");
  createOutput(true).failure([text], { code: "usage", message: text });
}

function epilogueText(part: ProgramPart): string {
  return `
Daily use: set MOORING_API_KEY, and MOORING_URL unless the API is on this machine.
${part.epilogue}
Exit codes: ${exitCode.done} done, ${exitCode.failed} failed, ${exitCode.usage} wrong usage, ${exitCode.unavailable} something needed is unavailable, ${exitCode.configuration} bad configuration.`;
}
