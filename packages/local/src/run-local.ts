import {
  createOutput,
  type EndRequest,
  type Environment,
  exitCode,
  isWatched,
  listenForEnd,
  type Output,
  processEnvironment,
  reportFailure,
  requireFreePorts,
  serveAll,
  wantedPorts,
} from "@mooring/cli";
import { type Config, databaseUrl, type Hold, holdDatabase, readConfig } from "@mooring/control";
import { LocalPostgresError } from "./postgres/local-postgres-error.ts";
import { type RunningPostgres, startPostgres } from "./postgres/server.ts";

interface Start {
  readonly config: Config;
  readonly env: Environment;
  readonly output: Output;
  readonly end: EndRequest;
}

/** On one machine webhook receivers and origins are its neighbours. */
const localDefaults = { WEBHOOK_ALLOW_PRIVATE: "true", ORIGIN_ALLOW_PRIVATE: "true" };

/**
 * The whole product on one machine, until it is asked to end: the embedded database unless
 * DATABASE_URL names another, and every process. Answers the exit code; the database stops last.
 */
export async function runLocal(args: readonly string[]): Promise<number> {
  const end = listenForEnd();
  const output = createOutput(args.includes("--json"));
  const env = { ...localDefaults, ...processEnvironment() };
  let config: Config | null = null;
  try {
    config = readConfig(env);
    // Before the database: a second start on taken ports must leave the first one's alone.
    await requireFreePorts(wantedPorts(config));
    const start: Start = { config, env, output, end };
    return config.DATABASE_URL === null ? await withDatabase(start) : await serve(start);
  } catch (error) {
    // Ctrl-C reaches the programs that a start runs as well, which then fail for no other reason.
    if (end.signal.aborted) return exitCode.done;
    if (!(error instanceof LocalPostgresError)) {
      return reportFailure(output, error, { databaseUrl: config ? knownUrl(config) : null });
    }
    output.failure([error.message], { code: "postgres", message: error.message });
    return exitCode.configuration;
  } finally {
    end.release();
  }
}

function serve({ config, env, output, end }: Start): Promise<number> {
  return serveAll({ config, env, output, signal: end.signal });
}

async function withDatabase(start: Start): Promise<number> {
  const { config, output, end } = start;
  output.progress("starting PostgreSQL", { state: "starting", process: "postgres" });
  const server = await startPostgres({ dataDir: config.DATA_DIR, log: { info: () => undefined } });
  const hold = await holdDatabase(server.url).catch(async (error: unknown) => {
    if (!server.adopted) await server.stop();
    throw error;
  });
  if (hold === null) {
    const message = `Mooring is already running on the database in ${config.DATA_DIR}. Stop it, or set DATA_DIR to another directory.`;
    output.failure([message], { code: "running", message });
    return exitCode.unavailable;
  }
  try {
    if (end.signal.aborted) return exitCode.done;
    const state = server.adopted ? "was running already" : "is ready";
    output.progress(`PostgreSQL ${state} (port ${server.port})`, {
      state: "ready",
      process: "postgres",
    });
    return await serve(start);
  } finally {
    await leave(start, server, hold);
  }
}

/** A watching Node starts this program again at once, which then adopts the server. */
async function leave({ end }: Start, server: RunningPostgres, hold: Hold): Promise<void> {
  await hold.release();
  if (isWatched() && end.reason() === "SIGTERM") return;
  await server.stop();
}

function knownUrl(config: Config): string | null {
  try {
    return databaseUrl(config);
  } catch {
    return null; // there is none yet, and the error is about something else
  }
}
