import { fileURLToPath } from "node:url";
import {
  bootstrap,
  type Config,
  checkRootKeys,
  databaseUrl,
  type NewTenant,
  type OpenedRuntime,
} from "@mooring/control";
import type { Environment } from "../config.ts";
import { exitCode } from "../exit-code.ts";
import { requireFreePorts } from "../free-ports.ts";
import type { Output } from "../output.ts";
import {
  type ChildCommand,
  type ProcessEvent,
  ProcessFailed,
  runProcesses,
  type Supervisor,
} from "../supervisor.ts";
import { banner, type Surroundings } from "./banner.ts";
import { presentProcesses, wantedPorts } from "./processes.ts";
import { bringUpToDate, withOperator } from "./session.ts";

export interface ServeAllOptions {
  readonly config: Config;
  /** What the processes get. */
  readonly env: Environment;
  readonly output: Output;
  /** Aborted when it is to end. */
  readonly signal: AbortSignal;
  /** What a start on one machine adds. */
  readonly local?: LocalParts;
}

export interface LocalParts {
  /** Brings up the database, while the processes load. */
  readonly database: () => Promise<void>;
  /** Processes beside the service's own. */
  readonly companions: readonly ChildCommand[];
  /** Under the operator's role, once the first tenant is there and before any process begins. */
  readonly prepare: (runtime: OpenedRuntime["runtime"], first: NewTenant | null) => Promise<void>;
  /** What to tell besides, once everything is up. */
  readonly surroundings: () => Promise<Surroundings | null>;
}

const main = fileURLToPath(new URL("../main.ts", import.meta.url));

/**
 * The whole service over a database that is there: schema, first tenant, every process, kept
 * running until the signal. Resolves with the exit code once all processes are gone.
 */
export async function serveAll(options: ServeAllOptions): Promise<number> {
  const { config, output, signal } = options;
  await requireFreePorts(wantedPorts(config));
  const prepared = Promise.withResolvers<void>();
  const supervisor = superviseFrom(options, prepared.promise);
  const asked = untilAborted(signal);
  try {
    const first = await prepareDatabase(options);
    if (signal.aborted) return exitCode.done;
    prepared.resolve();
    await Promise.race([supervisor.ready, supervisor.ended, asked]);
    if (!signal.aborted) {
      const { text, value } = banner(config, first, (await options.local?.surroundings()) ?? null);
      output.result(text, value);
    }
    await Promise.race([supervisor.ended, asked]);
    return exitCode.done;
  } catch (error) {
    if (!(error instanceof ProcessFailed)) throw error;
    // Ctrl-C reaches the children too, and one of them may be the quicker.
    if (signal.aborted) return exitCode.done;
    output.failure([error.message], { code: "process", message: error.message });
    return error.exitCode;
  } finally {
    await supervisor.stop();
  }
}

/** Loading takes the processes a second, which is spent while the database is brought up. */
function superviseFrom({ env, output, local }: ServeAllOptions, begin: Promise<void>): Supervisor {
  const own = presentProcesses().map((name) => ({ name, args: [main, "serve", name] }));
  return runProcesses({
    processes: [...own, ...(local?.companions ?? [])],
    env,
    begin,
    logsTo: output.isJson ? "stderr" : "stdout",
    onEvent: (event) => tell(output, event),
  });
}

/** The keys of the first tenant, when this start has made it. */
async function prepareDatabase(options: ServeAllOptions): Promise<NewTenant | null> {
  const { config, output, local } = options;
  await local?.database();
  const { applied, version } = await bringUpToDate(databaseUrl(config));
  if (applied.length > 0) {
    output.progress(`database schema is now at version ${version}`, { state: "migrated", version });
  }
  return withOperator(config, async (runtime) => {
    await checkRootKeys(runtime);
    const first = await bootstrap(runtime);
    await local?.prepare(runtime, first);
    return first;
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
