import { type Config, databaseUrl } from "@mooring/control/settings";
import { Argument, type Command } from "commander";
import type { RegisterAction } from "../action.ts";
import { isHeldBack, processEnvironment } from "../config.ts";
import { listenForEnd } from "../end-request.ts";
import { exitCode } from "../exit-code.ts";
import { portProblem } from "../free-ports.ts";
import type { Output } from "../output.ts";
import { mayBegin, readyMessage } from "../supervisor.ts";
import { attempt, requireSchema } from "./attempt.ts";
import { CommandError } from "./failure.ts";
import { type ProcessKind, type ProcessName, processKinds, processNames } from "./processes.ts";

/** A process that has not closed by then is ended: whoever stops it waits no longer than 10 s. */
const closeWithinMs = 9_500;

export function addServe(program: Command, action: RegisterAction): void {
  const serve = program
    .command("serve")
    .description("run one of the processes, or all of them")
    .addArgument(new Argument("<process>", "what to run").choices([...processNames, "all"]))
    .addHelpText(
      "after",
      "\n`serve all` brings the schema up to date, makes the first tenant on an empty database and\nkeeps every process running. The others do one thing each; run as many as you need.",
    );
  action(serve, (output, [name]) => {
    const end = listenForEnd();
    const run = async (config: Config): Promise<number> => {
      const one = processNames.find((known) => known === name);
      if (one) return serveOne(one, { config, output, end });
      const { serveAll } = await import("./serve-all.ts");
      return serveAll({ config, env: processEnvironment(), output, signal: end.signal });
    };
    return attempt(output, run).finally(end.release).then(endNow);
  });
}

/** A process that failed half way up may hold listeners, timers and connections that nobody ends. */
function endNow(code: number): number {
  if (code !== exitCode.done) process.exit(code);
  return code;
}

interface Serving {
  readonly config: Config;
  readonly output: Output;
  readonly end: ReturnType<typeof listenForEnd>;
}

async function serveOne(name: ProcessName, { config, output, end }: Serving): Promise<number> {
  const kind = processKinds[name];
  if (!kind) throw new CommandError(`${name} is not part of this build yet`);
  await Promise.race([Promise.all([mayBegin(isHeldBack()), kind.load?.()]), end.asked]);
  if (end.signal.aborted) return exitCode.done;
  await checkSchema(kind, config);
  const running = await start(kind, config);
  if (process.send && process.connected) process.send(readyMessage);
  else output.progress(`${name} is ready`, { process: name, state: "ready" });
  await end.asked;
  const timer = setTimeout(() => process.exit(exitCode.failed), closeWithinMs);
  await running.close();
  clearTimeout(timer);
  return exitCode.done;
}

/** A database that cannot be asked stops only those that cannot do without it. */
async function checkSchema(kind: ProcessKind, config: Config): Promise<void> {
  try {
    await requireSchema(databaseUrl(config));
  } catch (error) {
    if (!kind.startsWithoutDatabase || error instanceof CommandError) throw error;
  }
}

/** A listener that fails is explained by looking at its port again, now that it is known to fail. */
async function start(kind: ProcessKind, config: Config): ReturnType<ProcessKind["start"]> {
  try {
    return await kind.start(config);
  } catch (error) {
    if (error instanceof Error && "syscall" in error && error.syscall === "listen") {
      for (const wanted of kind.ports(config)) {
        const problem = await portProblem(wanted);
        if (problem) throw problem;
      }
    }
    throw error;
  }
}
