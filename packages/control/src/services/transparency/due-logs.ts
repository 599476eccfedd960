import type { DueRows } from "@mooring/postgres";
import {
  claimLogs,
  extendLogs,
  forgetLogs,
  type LogProgress,
  listLogs as markListed,
  releaseLog,
} from "../../db/queries/transparency/logs.ts";
import type { TransparencyLog } from "../../domain/transparency/log-list.ts";
import type { Runtime } from "../runtime.ts";

/** After this long without a worker that lists it, a log's position is forgotten. */
const forgottenMs = 30 * 86_400_000;

/** The logs whose certificates have not all ended. */
function openLogs({ config, clock }: Runtime): readonly TransparencyLog[] {
  const now = clock.now();
  return config.ctLogs.filter(({ endsAt }) => endsAt === null || endsAt > now);
}

/** Brings the configured logs into the database; what no worker lists any more goes later. */
export async function listTransparencyLogs(runtime: Runtime): Promise<void> {
  const now = runtime.clock.now();
  await runtime.system((tx) => markListed(tx, openLogs(runtime), now));
  await runtime.system((tx) => forgetLogs(tx, new Date(now.getTime() - forgottenMs)));
}

/** Logs that are to be read on. */
export function dueLogs(runtime: Runtime): DueRows<LogProgress> {
  const { database } = runtime;
  return {
    table: "transparency_logs",
    idOf: ({ id }) => id,
    versionOf: ({ version }) => version,
    async claim(now, leasedUntil, limit) {
      const ids = openLogs(runtime).map(({ id }) => id);
      return ids.length === 0 ? [] : claimLogs(database, ids, { now, leasedUntil, limit });
    },
    extend: (leased, until) => extendLogs(database, leased, until),
    release: (row, dueAt) => runtime.system((tx) => releaseLog(tx, row, { error: null, dueAt })),
  };
}
