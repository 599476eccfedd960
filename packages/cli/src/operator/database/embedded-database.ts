import { setTimeout as delay } from "node:timers/promises";
import { lockSingleInstance, type SingleInstanceLock } from "@mooring/control/settings";
import {
  LocalPostgresError,
  type RunningPostgres,
  startPostgres,
  startPostgresInThread,
} from "@mooring/embedded-postgres";
import { exitCode } from "../../action.ts";
import type { Output } from "../../output.ts";
import { createRestartDelays, type RestartDelays } from "../../restart-delays.ts";
import { CommandError } from "../failure.ts";

/** The PostgreSQL server of the data directory, for one start of the service at a time. */
export interface EmbeddedDatabase {
  /** Starts or adopts the server and takes the lock; throws when another start has it. */
  start(): Promise<void>;
  /** Releases the lock and, with `andStop`, stops the server; does nothing before `start`. */
  release(options: { readonly andStop: boolean }): Promise<void>;
}

const silent = { info: () => undefined };

interface Held {
  readonly server: RunningPostgres;
  readonly lock: SingleInstanceLock;
}

/**
 * The server is a daemon and not a child. The session that has the lock shows when it ends: it is
 * then started again on the same port within two seconds, and less and less often while it does not
 * start.
 */
export function embeddedDatabase(dataDir: string, output: Output): EmbeddedDatabase {
  const released = new AbortController();
  let held: Held | null = null;
  let starting: Promise<void> | null = null;
  let watching: Promise<void> | null = null;

  const startOnce = async (): Promise<void> => {
    report(output, "starting", "starting PostgreSQL");
    held = await explained(async () => {
      const server = await startPostgresInThread({ dataDir, log: silent });
      return { server, lock: await takeLock(server, dataDir) };
    });
    const state = held.server.adopted ? "was running already" : "is ready";
    report(output, "ready", `PostgreSQL ${state} (port ${held.server.port})`);
    watching = watch(held);
  };
  const watch = async (first: Held): Promise<void> => {
    let now: Held | null = first;
    const delays = createRestartDelays();
    while (now !== null) {
      delays.ready();
      await now.lock.lost;
      if (released.signal.aborted) return;
      held = null;
      const { signal } = released;
      now = await reopen(now.server.port, delays, { dataDir, output, signal });
      held = now;
      // Asked to end while the server was starting.
      if (released.signal.aborted) await now?.lock.release();
    }
  };
  return {
    start() {
      starting ??= startOnce();
      return starting;
    },
    async release({ andStop }) {
      // A start that is under way ends first; its failure is reported by its caller.
      await starting?.catch(() => undefined);
      released.abort();
      await held?.lock.release();
      await watching;
      if (andStop) await held?.server.stop();
    },
  };
}

interface Reopening {
  readonly dataDir: string;
  readonly output: Output;
  readonly signal: AbortSignal;
}

/** Tries until the server runs; null when the service ended before. */
async function reopen(
  port: number,
  delays: RestartDelays,
  { dataDir, output, signal }: Reopening,
): Promise<Held | null> {
  let reason = "PostgreSQL ended unexpectedly";
  for (;;) {
    const restartInMs = delays.ended();
    report(output, "ended", `${reason}; starting it again in ${restartInMs / 1_000} s`);
    const isEnding = await delay(restartInMs, false, { signal }).catch(() => true);
    if (isEnding) return null;
    try {
      const server = await startPostgres({ dataDir, port, log: silent });
      const held = { server, lock: await takeLock(server, dataDir) };
      report(output, "ready", `PostgreSQL is ready again (port ${port})`);
      return held;
    } catch (error) {
      reason = error instanceof Error ? error.message : String(error);
    }
  }
}

async function takeLock(server: RunningPostgres, dataDir: string): Promise<SingleInstanceLock> {
  const lock = await lockSingleInstance(server.url).catch(async (error: unknown) => {
    if (!server.adopted) await server.stop();
    throw isWrongPassword(error) ? wrongPassword(server, error) : error;
  });
  if (lock !== null) return lock;
  throw new LocalPostgresError(
    `Mooring is already running on the database in ${dataDir}. Stop it, or set DATA_DIR to another directory.`,
    { isBusy: true },
  );
}

/** SQLSTATE invalid_password. */
function isWrongPassword(error: unknown): boolean {
  return error instanceof Error && "code" in error && error.code === "28P01";
}

function wrongPassword({ directory }: RunningPostgres, cause: unknown): LocalPostgresError {
  return new LocalPostgresError(
    `The file ${directory}/password does not contain the password of the database beside it. Restore the file from a backup.`,
    { cause },
  );
}

/** A reason that the operator can act on becomes one sentence and an exit code. */
async function explained<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof LocalPostgresError)) throw error;
    throw error.isBusy
      ? new CommandError(error.message, exitCode.unavailable, "running")
      : new CommandError(error.message, exitCode.configuration, "postgres");
  }
}

function report(output: Output, state: "starting" | "ready" | "ended", line: string): void {
  output.progress(line, { state, process: "postgres" });
}
