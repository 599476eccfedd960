import { type Config, ConfigError, databaseUrl } from "@mooring/control/settings";
import { Argument, type Command } from "commander";
import type { RegisterAction } from "../../action.ts";
import { exitCode } from "../../action.ts";
import { processEnvironment } from "../../config.ts";
import type { Output } from "../../output.ts";
import { listenAddress, portProblem } from "../../ports.ts";
import { type EndRequest, listenForEnd, reportReady, waitForBegin } from "../../process-control.ts";
import { attempt, CommandError, requireSchema } from "../failure.ts";
import { refuseLostRootKey, requireKey } from "../secrets/root-key.ts";
import {
  type ProcessKind,
  type ProcessName,
  processKinds,
  processNames,
  withOwnLogin,
} from "./processes.ts";

/**
 * A process that has not closed by then exits: SIGTERM ends every process but an edge within 10 s.
 */
const defaultCloseWithinMs = 9_500;

export function addServe(program: Command, action: RegisterAction): void {
  const serve = program
    .command("serve")
    .description("run one of the processes, or all of them")
    .addArgument(new Argument("<process>", "what to run").choices([...processNames, "all"]))
    .addHelpText(
      "after",
      "\n`serve all` starts PostgreSQL under DATA_DIR unless DATABASE_URL names a server, brings the schema up\nto date, makes the first tenant on an empty database and runs every process, restarting what crashes.\nThe others run one process each; run as many as you need.",
    );
  action(serve, (output, [name]) => {
    const one = processNames.find((known) => known === name);
    const withHangup = one === undefined || processKinds[one].handlesHangup !== true;
    const end = listenForEnd({ withHangup });
    const run = async (input: Config): Promise<number> => {
      const config = await onThisMachine(input);
      if (one) return serveOne(one, { config, output, end });
      const { serveAll } = await import("./serve-all.ts");
      return serveAll({ config, env: processEnvironment(), output, signal: end.signal });
    };
    return attempt(output, run).finally(end.release).then(exitIfFailed);
  });
}

async function onThisMachine(config: Config): Promise<Config> {
  const host = await listenAddress(config.host);
  return { ...config, host, edgeHost: await listenAddress(config.edgeHost) };
}

/** A start that failed half way may leave listeners, timers and connections open. */
function exitIfFailed(code: number): number {
  if (code !== exitCode.done) process.exit(code);
  return code;
}

interface Serving {
  readonly config: Config;
  readonly output: Output;
  readonly end: EndRequest;
}

async function serveOne(name: ProcessName, { output, end, ...input }: Serving): Promise<number> {
  const kind = processKinds[name];
  const config = withOwnLogin(name, input.config);
  await Promise.race([Promise.all([waitForBegin(), kind.load?.()]), end.asked]);
  if (end.signal.aborted) return exitCode.done;
  if (kind.hasNoDatabase?.(config)) requireKey(config);
  else await checkDatabase(kind, config);
  const running = await start(kind, config);
  if (!reportReady()) {
    output.progress(`${name} is ready`, { process: name, state: "ready" });
  }
  await end.asked;
  const closeWithinMs = kind.closeWithinMs?.(config) ?? defaultCloseWithinMs;
  const timer = setTimeout(() => process.exit(exitCode.failed), closeWithinMs);
  await running.close();
  clearTimeout(timer);
  return exitCode.done;
}

/** An unreachable database stops only the processes that cannot start without it. */
async function checkDatabase(kind: ProcessKind, config: Config): Promise<void> {
  try {
    await requireSchema(databaseUrl(config));
    if (kind.unsealsNothing !== true) await refuseLostRootKey(config);
  } catch (error) {
    const isRefusal = error instanceof CommandError || error instanceof ConfigError;
    if (!kind.startsWithoutDatabase || isRefusal) throw error;
  }
}

/** A failed `listen` is explained by checking the ports. */
async function start(kind: ProcessKind, config: Config): ReturnType<ProcessKind["start"]> {
  try {
    return await kind.start(config);
  } catch (error) {
    if (error instanceof Error && "syscall" in error && error.syscall === "listen") {
      for (const requested of kind.ports(config)) {
        const problem = await portProblem(requested);
        if (problem) throw problem;
      }
    }
    throw error;
  }
}
