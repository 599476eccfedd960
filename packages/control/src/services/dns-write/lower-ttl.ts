import { type Plan as ChangePlan, planLowerTtl, type ZoneListing } from "@mooring/dns";
import type { Connection } from "../../domain/connections/connection.ts";
import { loweredTtlSeconds } from "../../domain/connections/cutover.ts";
import { fromDesired } from "../../domain/records/desired-records.ts";
import type { WritableZone } from "./writable-zone.ts";

/**
 * The plan, and for a name that waits for its switch a lower TTL of the records that it has at the
 * old location, so that visitors follow sooner. A revert gives them their TTL back.
 */
export function withLowerTtl(
  { cutover }: Pick<Connection, "cutover">,
  { zone, manifest }: Pick<WritableZone, "zone" | "manifest">,
  listing: ZoneListing,
  plan: ChangePlan,
): ChangePlan {
  const isWaiting = cutover?.status === "preparing" || cutover?.status === "ready";
  if (cutover === null || !isWaiting) return plan;
  const lower = planLowerTtl({
    zone: zone.name,
    manifest,
    limits: zone.limits,
    listing,
    records: cutover.old_records.map(fromDesired),
    ttlSeconds: loweredTtlSeconds,
  });
  return { ...plan, changes: [...plan.changes, ...lower] };
}
