import { openDatabase } from "../../db/engine/pool.ts";
import { type LogHealth, resumeLog, selectLogHealth } from "../../db/queries/transparency/logs.ts";
import type { Runtime } from "../runtime.ts";

/** How each log is doing that workers read, for operators. */
export function listLogHealth(runtime: Runtime): Promise<readonly LogHealth[]> {
  return runtime.system((tx) => selectLogHealth(tx, runtime.clock.now()));
}

/** The same over a database that no process of this one has opened. */
export async function inspectLogs(url: string, now: Date): Promise<readonly LogHealth[]> {
  const database = openDatabase({ url, role: "mooring_worker" });
  try {
    return await database.system((tx) => selectLogHealth(tx, now));
  } finally {
    await database.close();
  }
}

/** A stopped log is read again from its present head on; false where no such log is stopped. */
export function resumeStoppedLog(runtime: Runtime, id: string): Promise<boolean> {
  return runtime.system((tx) => resumeLog(tx, id, runtime.clock.now()));
}
