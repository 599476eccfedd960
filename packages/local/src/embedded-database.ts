import type { Output } from "@mooring/cli";
import { lockSingleInstance, type SingleInstanceLock } from "@mooring/control";
import { LocalPostgresError } from "./postgres/local-postgres-error.ts";
import { type RunningPostgres, startPostgres } from "./postgres/server.ts";

/** The data directory's own PostgreSQL, for one start of the product at a time. */
export interface EmbeddedDatabase {
  /** Up, and ours; throws when another start has it. */
  start(): Promise<void>;
  /** Lets go of it and stops it; does nothing when it was never ours. */
  leave(options: { readonly keepRunning: boolean }): Promise<void>;
}

export function embeddedDatabase(dataDir: string, output: Output): EmbeddedDatabase {
  let held: { readonly server: RunningPostgres; readonly hold: SingleInstanceLock } | null = null;
  return {
    async start() {
      output.progress("starting PostgreSQL", { state: "starting", process: "postgres" });
      const server = await startPostgres({ dataDir, log: { info: () => undefined } });
      held = { server, hold: await takeHold(server, dataDir) };
      const state = server.adopted ? "was running already" : "is ready";
      output.progress(`PostgreSQL ${state} (port ${server.port})`, {
        state: "ready",
        process: "postgres",
      });
    },
    async leave({ keepRunning }) {
      if (held === null) return;
      await held.hold.release();
      if (!keepRunning) await held.server.stop();
    },
  };
}

async function takeHold(server: RunningPostgres, dataDir: string): Promise<SingleInstanceLock> {
  const hold = await lockSingleInstance(server.url).catch(async (error: unknown) => {
    if (!server.adopted) await server.stop();
    throw error;
  });
  if (hold !== null) return hold;
  throw new LocalPostgresError(
    `Mooring is already running on the database in ${dataDir}. Stop it, or set DATA_DIR to another directory.`,
    { isBusy: true },
  );
}
