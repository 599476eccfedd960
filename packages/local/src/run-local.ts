import {
  createOutput,
  type EndRequest,
  type Environment,
  exitCode,
  isWatched,
  type LocalParts,
  type Output,
  processEnvironment,
  reportFailure,
  requireFreePorts,
  serveAll,
  wantedPorts,
} from "@mooring/cli";
import {
  type Config,
  databaseUrl,
  lockSingleInstance,
  readConfig,
  type SingleInstanceLock,
} from "@mooring/control";
import { type Demo, demoOf } from "./demo/demo.ts";
import { LocalPostgresError } from "./postgres/programs.ts";
import { type RunningPostgres, startPostgres } from "./postgres/server.ts";

/**
 * On one machine webhook receivers and origins have private addresses, an edge of one process starts
 * faster than one for every core, and Ctrl-C should not wait for an open page.
 */
const localDefaults = {
  WEBHOOK_ALLOW_PRIVATE: "true",
  ORIGIN_ALLOW_PRIVATE: "true",
  EDGE_WORKERS: "1",
  EDGE_DRAIN: "3s",
};

interface Start {
  readonly config: Config;
  readonly env: Environment;
  readonly output: Output;
  readonly end: EndRequest;
}

/**
 * Runs the whole product on one machine until it is asked to end: the embedded database unless
 * DATABASE_URL names another, every process, and a demo unless this is production. Returns the exit
 * code; the database stops last.
 */
export async function runLocal(args: readonly string[], end: EndRequest): Promise<number> {
  const output = createOutput(args.includes("--json"));
  const env = { ...localDefaults, ...processEnvironment() };
  let config: Config | null = null;
  try {
    config = readConfig(env);
    return await serve({ config, env, output, end });
  } catch (error) {
    // Ctrl-C also reaches the programs that a start runs, and makes them fail.
    if (end.signal.aborted) return exitCode.done;
    if (!(error instanceof LocalPostgresError)) {
      return reportFailure(output, error, { databaseUrl: config ? urlIfKnown(config) : null });
    }
    const code = error.isBusy ? "running" : "postgres";
    output.failure([error.message], { code, message: error.message });
    return error.isBusy ? exitCode.unavailable : exitCode.configuration;
  } finally {
    end.release();
  }
}

async function serve({ config, env, output, end }: Start): Promise<number> {
  const demo = config.isProduction ? null : demoOf(config);
  // Before the database: a second start on taken ports must not touch the server of the first.
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
    // `node --watch` sends SIGTERM before it starts this program again, which then adopts the server.
    const isRestart = isWatched() && end.reason() === "SIGTERM";
    await database?.release({ andStop: !isRestart });
  }
}

function localParts(database: EmbeddedDatabase | null, demo: Demo | null): LocalParts {
  return {
    database: async () => database?.start(),
    companions: demo ? [demo.process] : [],
    prepare: async (runtime, first) => demo?.prepare(runtime, first),
    details: async () => (demo ? await demo.details() : null),
  };
}

function urlIfKnown(config: Config): string | null {
  try {
    return databaseUrl(config);
  } catch {
    return null; // there is no URL yet, and the error has another reason
  }
}

/** The PostgreSQL server of the data directory, for one start of the product at a time. */
interface EmbeddedDatabase {
  /** Starts or adopts the server and takes the lock; throws when another start has it. */
  start(): Promise<void>;
  /** Releases the lock and, with `andStop`, stops the server; does nothing before `start`. */
  release(options: { readonly andStop: boolean }): Promise<void>;
}

function embeddedDatabase(dataDir: string, output: Output): EmbeddedDatabase {
  let running: { readonly server: RunningPostgres; readonly lock: SingleInstanceLock } | null =
    null;
  return {
    async start() {
      output.progress("starting PostgreSQL", { state: "starting", process: "postgres" });
      const server = await startPostgres({ dataDir, log: { info: () => undefined } });
      running = { server, lock: await takeLock(server, dataDir) };
      const state = server.adopted ? "was running already" : "is ready";
      output.progress(`PostgreSQL ${state} (port ${server.port})`, {
        state: "ready",
        process: "postgres",
      });
    },
    async release({ andStop }) {
      if (running === null) return;
      await running.lock.release();
      if (andStop) await running.server.stop();
    },
  };
}

async function takeLock(server: RunningPostgres, dataDir: string): Promise<SingleInstanceLock> {
  const lock = await lockSingleInstance(server.url).catch(async (error: unknown) => {
    if (!server.adopted) await server.stop();
    throw error;
  });
  if (lock !== null) return lock;
  throw new LocalPostgresError(
    `Mooring is already running on the database in ${dataDir}. Stop it, or set DATA_DIR to another directory.`,
    { isBusy: true },
  );
}
