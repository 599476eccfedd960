import { fileURLToPath } from "node:url";
import {
  bootstrap,
  type Config,
  checkRootKeys,
  databaseUrl,
  type NewTenant,
} from "@mooring/control";
import type { Environment } from "../config.ts";
import { exitCode } from "../exit-code.ts";
import { requireFreePorts } from "../free-ports.ts";
import type { Output } from "../output.ts";
import { type ProcessEvent, ProcessFailed, runProcesses } from "../supervisor.ts";
import { banner } from "./banner.ts";
import { presentProcesses, wantedPorts } from "./processes.ts";
import { bringUpToDate, withOperator } from "./session.ts";

export interface ServeAllOptions {
  readonly config: Config;
  /** What the processes get. */
  readonly env: Environment;
  readonly output: Output;
  /** Aborted when it is to end. */
  readonly signal: AbortSignal;
}

const main = fileURLToPath(new URL("../main.ts", import.meta.url));

/**
 * The whole service over a database that is there: schema, first tenant, every process, kept
 * running until the signal. Resolves with the exit code once all processes are gone.
 */
export async function serveAll(options: ServeAllOptions): Promise<number> {
  const { config, output, signal } = options;
  await requireFreePorts(wantedPorts(config));
  const first = await prepareDatabase(config, output);
  if (signal.aborted) return exitCode.done;
  const supervisor = runProcesses({
    processes: presentProcesses().map((name) => ({ name, args: [main, "serve", name] })),
    env: options.env,
    logsTo: output.isJson ? "stderr" : "stdout",
    onEvent: (event) => tell(output, event),
  });
  const asked = untilAborted(signal);
  try {
    await Promise.race([supervisor.ready, supervisor.ended, asked]);
    if (!signal.aborted) {
      const { text, value } = banner(config, first);
      output.result(text, value);
    }
    await Promise.race([supervisor.ended, asked]);
    return exitCode.done;
  } catch (error) {
    if (!(error instanceof ProcessFailed)) throw error;
    output.failure([error.message], { code: "process", message: error.message });
    return error.exitCode;
  } finally {
    await supervisor.stop();
  }
}

/** The keys of the first tenant, when this start has made it. */
async function prepareDatabase(config: Config, output: Output): Promise<NewTenant | null> {
  const { applied, version } = await bringUpToDate(databaseUrl(config));
  if (applied.length > 0) {
    output.progress(`database schema is now at version ${version}`, { state: "migrated", version });
  }
  return withOperator(config, async (runtime) => {
    await checkRootKeys(runtime);
    return bootstrap(runtime);
  });
}

function tell(output: Output, event: ProcessEvent): void {
  const line = {
    ready: () => `${event.name} is ready`,
    killed: () => `${event.name} did not end in time and was killed`,
    ended: () =>
      event.kind === "ended"
        ? `${event.name} ended unexpectedly (${event.how}); starting it again in ${event.restartInMs / 1_000} s`
        : "",
  }[event.kind]();
  output.progress(line, { process: event.name, state: event.kind });
}

function untilAborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve();
    signal.addEventListener("abort", () => resolve(), { once: true });
  });
}
