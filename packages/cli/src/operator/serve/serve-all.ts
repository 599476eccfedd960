import { flushCompileCache } from "node:module";
import { fileURLToPath } from "node:url";
import type { Config } from "@mooring/control/settings";
import { exitCode } from "../../action.ts";
import type { Environment } from "../../config.ts";
import type { Output } from "../../output.ts";
import { requireFreePorts } from "../../ports.ts";
import {
  type ChildCommand,
  type ProcessEvent,
  ProcessFailed,
  runProcesses,
  type Supervisor,
} from "../../supervisor.ts";
import { type EmbeddedDatabase, embeddedDatabase } from "../database/embedded-database.ts";
import { banner, type LocalDetails } from "./banner.ts";
import type { PrepareLocal } from "./prepare-database.ts";
import { edgeCloseWithinMs, requestedPorts, requestedProcesses } from "./processes.ts";

export interface ServeAllOptions {
  readonly config: Config;
  /** The environment of the processes. */
  readonly env: Environment;
  readonly output: Output;
  /** Aborted to end the service. */
  readonly signal: AbortSignal;
  /** What a start on one machine adds. */
  readonly local?: LocalParts;
}

export interface LocalParts {
  /** Asked at the end: whether the embedded database stays up for a start that follows at once. */
  readonly keepsDatabase: () => boolean;
  /** Further processes to supervise. */
  readonly companions: readonly ChildCommand[];
  /** Runs with the operator's role, after the first tenant exists and before any process begins. */
  readonly prepare: PrepareLocal;
  /** Facts for the banner, once everything is up. */
  readonly details: () => Promise<LocalDetails | null>;
}

const main = fileURLToPath(new URL("../../main.ts", import.meta.url));

/**
 * Runs the whole service until the signal: starts the embedded database unless DATABASE_URL names
 * another, migrates the schema, creates the first tenant, supervises every process. Resolves with
 * the exit code after all processes have ended; the database stops last.
 */
export async function serveAll(options: ServeAllOptions): Promise<number> {
  const { config, output, local } = options;
  // Before the database: a second start on taken ports must not touch the server of the first.
  await requireFreePorts(requestedPorts(config));
  const database = config.databaseUrl === null ? embeddedDatabase(config.dataDir, output) : null;
  try {
    return await serveOver(database, options);
  } finally {
    await database?.release({ andStop: !local?.keepsDatabase() });
  }
}

async function serveOver(
  database: EmbeddedDatabase | null,
  options: ServeAllOptions,
): Promise<number> {
  const { config, output, signal } = options;
  // It starts while this process loads; a failure is thrown where the database is prepared.
  void database?.start().catch(() => undefined);
  const { consoleUrl, prepareDatabase } = await import("./prepare-database.ts");
  // At the first start nothing is compiled yet: the processes take what this one has compiled.
  flushCompileCache();
  const prepared = Promise.withResolvers<void>();
  const supervisor = superviseFrom(options, prepared.promise);
  const asked = untilAborted(signal);
  try {
    const prepareLocal = options.local?.prepare;
    const first = await prepareDatabase({ config, output, embedded: database, prepareLocal });
    if (signal.aborted) return exitCode.done;
    prepared.resolve();
    await Promise.race([supervisor.ready, supervisor.ended, asked]);
    if (!signal.aborted) {
      const details = (await options.local?.details()) ?? null;
      // Never in production, where what a start prints ends in logs.
      const hasLink = !config.isProduction && (first !== null || options.local !== undefined);
      const link = hasLink ? await consoleUrl(config, first) : null;
      const { text, value } = banner(config, first, details, link);
      output.result(text, value);
    }
    await Promise.race([supervisor.ended, asked]);
    return exitCode.done;
  } catch (error) {
    if (!(error instanceof ProcessFailed)) throw error;
    // Ctrl-C reaches the children too, and one may end before this process handles it.
    if (signal.aborted) return exitCode.done;
    output.failure([error.message], { code: "process", message: error.message });
    return error.exitCode;
  } finally {
    await supervisor.stop();
  }
}

/** The processes load their modules, about a second, while the database starts. */
function superviseFrom(
  { config, env, output, local }: ServeAllOptions,
  begin: Promise<void>,
): Supervisor {
  const own = requestedProcesses(config).map((name) => ({ name, args: [main, "serve", name] }));
  return runProcesses({
    processes: [...own, ...(local?.companions ?? [])],
    env,
    begin,
    logsTo: output.isJson ? "stderr" : "stdout",
    onEvent: (event) => reportEvent(output, event),
    stopWithinMs: edgeCloseWithinMs(config) + 1_000,
  });
}

function reportEvent(output: Output, event: ProcessEvent): void {
  const line = {
    ready: () => `${event.name} is ready`,
    killed: () => `${event.name} did not end in time and was killed`,
    ended: () =>
      event.kind === "ended"
        ? `${event.name} ended unexpectedly (${event.how}); starting it again in ${event.restartInMs / 1_000} s`
        : "",
    replaced: () => `${event.name} has a successor`,
    left: () => `${event.name} has ended after its successor took over`,
  }[event.kind]();
  output.progress(line, { process: event.name, state: event.kind });
}

function untilAborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve();
    signal.addEventListener("abort", () => resolve(), { once: true });
  });
}
