import { Worker } from "node:worker_threads";
import { type RunningPostgres, type StartOptions, startPostgres } from "./server.ts";

/**
 * As `startPostgres`, in a thread of its own: a thread that loads a thousand modules handles no
 * event until they are loaded, and the server's programs would wait for it between their steps.
 */
export async function startPostgresInThread(
  options: Pick<StartOptions, "dataDir" | "log">,
): Promise<RunningPostgres> {
  const adoptedThere = await adoptedInThread(options.dataDir);
  // Adopts the server. Where the thread failed it fails again, with an error of this thread.
  const server = await startPostgres(options);
  return { ...server, adopted: adoptedThere ?? server.adopted };
}

/** Null when the thread failed. */
function adoptedInThread(dataDir: string): Promise<boolean | null> {
  const { promise, resolve } = Promise.withResolvers<boolean | null>();
  const thread = new Worker(new URL("./thread.ts", import.meta.url), { workerData: dataDir });
  thread.on("message", (message: unknown) => {
    // Under a watching Node a thread also posts the modules that it imports.
    if (typeof message === "boolean") resolve(message);
  });
  thread.once("error", () => resolve(null));
  thread.once("exit", () => resolve(null));
  return promise;
}
