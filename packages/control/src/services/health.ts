import { translateDatabaseError } from "../db/engine/transaction.ts";
import type { Runtime } from "./runtime.ts";

/** Throws `unavailable` while the database does not answer. */
export async function checkHealth(runtime: Runtime): Promise<void> {
  await runtime.database.pool.query("select 1").catch((error: unknown) => {
    throw translateDatabaseError(error);
  });
}
