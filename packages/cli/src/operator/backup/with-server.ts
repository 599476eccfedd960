import { type Config, databaseUrl } from "@mooring/control";
import type { Output } from "../../output.ts";
import { embeddedDatabase } from "../database/embedded-database.ts";
import { CommandError } from "../failure.ts";

/**
 * Runs `work` while the database answers: that of DATABASE_URL, or the embedded one of DATA_DIR.
 * The latter is started when no service runs it, and stopped at the end; with `isInUse` it must
 * exist, and that of a running service is used, otherwise it must not be in use.
 */
export async function withServer<T>(
  config: Config,
  output: Output,
  { isInUse }: { readonly isInUse: boolean },
  work: () => Promise<T>,
): Promise<T> {
  if (config.databaseUrl !== null) return work();
  // Refuses a directory without a database: a start would make an empty one.
  if (isInUse) databaseUrl(config);
  const database = embeddedDatabase(config.dataDir, output);
  try {
    await database.start();
  } catch (error) {
    const isRunning = error instanceof CommandError && error.code === "running";
    if (isInUse && isRunning) return work();
    throw error;
  }
  try {
    return await work();
  } finally {
    await database.release({ andStop: true });
  }
}
