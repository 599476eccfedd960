import { type Config, databaseUrl } from "@mooring/control/settings";
import { type InspectedReplica, inspectReplica } from "@mooring/edge";
import { type Finding, fail, ok, warn } from "./finding.ts";

const check = "replica";

/**
 * Whether edges would read the replica; nothing where there is none, or no primary to compare it
 * with.
 */
export async function checkReplica(
  config: Config,
  hasDatabase: boolean,
): Promise<readonly Finding[]> {
  const { databaseReplicaUrl: url } = config;
  if (url === null || !hasDatabase) return [];
  return [judgeReplica(await inspectReplica(databaseUrl(config), url), config)];
}

export function judgeReplica(
  replica: InspectedReplica,
  { databaseReplicaMaxLagMs: maxLagMs }: Pick<Config, "databaseReplicaMaxLagMs">,
): Finding {
  const meanwhile = "edges read the primary meanwhile";
  if (replica.outcome === "unreachable") {
    const fix = "correct DATABASE_REPLICA_URL, or start the standby";
    return fail(check, `not readable, ${meanwhile}: ${replica.reason}`, fix);
  }
  if (replica.outcome === "primary") {
    const fix = "let DATABASE_REPLICA_URL name a standby of the server in DATABASE_URL";
    return fail(check, `DATABASE_REPLICA_URL is no standby; ${meanwhile}`, fix);
  }
  if (replica.lagMs === null) {
    const fix = "see pg_stat_wal_receiver on the standby";
    return warn(check, `a standby that has applied nothing yet; ${meanwhile}`, fix);
  }
  const behind = `a standby, ${(replica.lagMs / 1_000).toFixed(1)} s behind`;
  if (replica.lagMs <= maxLagMs) return ok(check, behind);
  const fix = "see pg_stat_replication on the primary: is replay paused, or the link too slow?";
  return fail(check, `${behind}; ${meanwhile}`, fix);
}
