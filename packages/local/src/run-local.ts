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
import { type Config, databaseUrl, readConfig } from "@mooring/control";
import { type Demo, demoOf } from "./demo/demo.ts";
import { type EmbeddedDatabase, embeddedDatabase } from "./embedded-database.ts";
import { LocalPostgresError } from "./postgres/local-postgres-error.ts";

interface Start {
  readonly config: Config;
  readonly env: Environment;
  readonly output: Output;
  readonly end: EndRequest;
}

/**
 * On one machine webhook receivers and origins are its neighbours, and an edge of one process is
 * quicker to start than one for every core.
 */
const localDefaults = {
  WEBHOOK_ALLOW_PRIVATE: "true",
  ORIGIN_ALLOW_PRIVATE: "true",
  EDGE_WORKERS: "1",
};

/**
 * The whole product on one machine, until it is asked to end: the embedded database unless
 * DATABASE_URL names another, every process, and a demo unless this is production. Answers the exit
 * code; the database stops last.
 */
export async function runLocal(args: readonly string[]): Promise<number> {
  const end = listenForEnd();
  const output = createOutput(args.includes("--json"));
  const env = { ...localDefaults, ...processEnvironment() };
  let config: Config | null = null;
  try {
    config = readConfig(env);
    return await serve({ config, env, output, end });
  } catch (error) {
    // Ctrl-C reaches the programs that a start runs as well, which then fail for no other reason.
    if (end.signal.aborted) return exitCode.done;
    if (!(error instanceof LocalPostgresError)) {
      return reportFailure(output, error, { databaseUrl: config ? knownUrl(config) : null });
    }
    const code = error.isBusy ? "running" : "postgres";
    output.failure([error.message], { code, message: error.message });
    return error.isBusy ? exitCode.unavailable : exitCode.configuration;
  } finally {
    end.release();
  }
}

async function serve(start: Start): Promise<number> {
  const { config, env, output, end } = start;
  const demo = config.isProduction ? null : demoOf(config);
  // Before the database: a second start on taken ports must leave the first one's alone.
  await requireFreePorts([...wantedPorts(config), ...(demo?.ports ?? [])]);
  const database = config.databaseUrl === null ? embeddedDatabase(config.dataDir, output) : null;
  try {
    return await serveAll({
      config,
      env: { ...env, ...demo?.env },
      output,
      signal: end.signal,
      local: localParts(database, demo),
    });
  } finally {
    // A watching Node starts this program again at once, which then adopts the server.
    const isRestart = isWatched() && end.reason() === "SIGTERM";
    await database?.leave({ keepRunning: isRestart });
  }
}

function localParts(database: EmbeddedDatabase | null, demo: Demo | null) {
  return {
    database: async () => database?.start(),
    companions: demo ? [demo.process] : [],
    prepare: async (...given: Parameters<Demo["prepare"]>) => demo?.prepare(...given),
    surroundings: async () => (demo ? await demo.surroundings() : null),
  };
}

function knownUrl(config: Config): string | null {
  try {
    return databaseUrl(config);
  } catch {
    return null; // there is none yet, and the error is about something else
  }
}
