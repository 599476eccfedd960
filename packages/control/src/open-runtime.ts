import { createGuard } from "@mooring/egress";
import { createVault } from "@mooring/vault";
import type { Config } from "./config.ts";
import { startDatabaseClock } from "./db/clock.ts";
import { assertConfined, type DatabaseRole, openDatabase } from "./db/pool.ts";
import type { Clock } from "./domain/clock.ts";
import { createLogger, type Logger } from "./log.ts";
import { loadPlans } from "./plans-file.ts";
import { loadRootKeys } from "./root-keys.ts";
import type { Runtime } from "./services/runtime.ts";
import { createTokenKeys } from "./services/tokens/token-keys.ts";

/** What tests put in place of the real thing. */
export interface RuntimeOptions {
  readonly clock?: Clock;
  readonly log?: Logger;
}

export interface OpenedRuntime {
  readonly runtime: Runtime;
  close(): Promise<void>;
}

/** Everything a process shares, opened and checked: database role, keys, plans, clock. */
export async function openRuntime(
  config: Config,
  options: RuntimeOptions & {
    readonly url: string;
    readonly role: DatabaseRole;
    readonly name: string;
  },
): Promise<OpenedRuntime> {
  const log = options.log ?? createLogger({ level: config.LOG_LEVEL, name: options.name });
  const vault = createVault(loadRootKeys(config));
  const plans = loadPlans(config);
  const database = openDatabase({
    url: options.url,
    role: options.role,
    onError: (error) => log.warn({ err: error }, "idle database connection lost"),
  });
  try {
    await assertConfined(database);
    const measured = options.clock ? null : await startDatabaseClock(database);
    const clock = options.clock ?? measured;
    if (!clock) throw new Error("no clock");
    const tokenKeys = createTokenKeys({ clock, database, vault });
    const egress = createGuard({ allow: config.EGRESS_ALLOW });
    return {
      runtime: { config, database, clock, vault, log, plans, tokenKeys, egress },
      async close() {
        measured?.close();
        await database.close();
      },
    };
  } catch (error) {
    await database.close();
    throw error;
  }
}
