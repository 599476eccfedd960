import { ProviderError, planChanges, type ZoneListing } from "@mooring/dns";
import { saveZoneRead, selectZoneRead, type ZoneRead } from "../../db/queries/zones.ts";
import type { Connection } from "../../domain/connection.ts";
import type { Runtime } from "../runtime.ts";
import type { WritableZone } from "./find-zone.ts";

/** A zone that stays this small for this long has been cleared out; the reading was not cut short. */
const believeAfterMs = 900_000;

/**
 * The zone as it is now. A reading that looks cut short is `unavailable`: a plan made on it could
 * take records for absent that are there, and interfaces that replace whole zones would drop them.
 */
export async function readZone(
  runtime: Runtime,
  connection: Connection,
  target: WritableZone,
  signal: AbortSignal,
): Promise<ZoneListing> {
  const { provider, zone, credentialId } = target;
  const reader = credentialId ?? connection.id;
  const listing = await provider.listRecords(zone, signal);
  if (!target.isRemote) return listing;
  const now = runtime.clock.now();
  const problem = await runtime.system(async (tx) => {
    const before = await selectZoneRead(tx, reader, zone.name);
    const { message, read } = judge(target, listing, before, now);
    if (read) await saveZoneRead(tx, reader, zone.name, read, now);
    return message;
  });
  if (problem !== null) throw new ProviderError("unavailable", problem);
  return listing;
}

interface Judgement {
  /** Why the reading is not to be trusted. */
  readonly message: string | null;
  /** What to remember of it. */
  readonly read: ZoneRead | null;
}

function judge(
  target: WritableZone,
  listing: ZoneListing,
  before: ZoneRead | null,
  now: Date,
): Judgement {
  const strange = refusal(target, listing, 0);
  if (strange !== null) return { message: strange, read: null };
  const records = listing.records.length + listing.opaque.length;
  const short = before === null ? null : refusal(target, listing, before.records);
  if (before === null || short === null) return { message: null, read: { records, short: null } };
  const since = before.short?.records === records ? before.short.since : now;
  if (now.getTime() - since.getTime() >= believeAfterMs) {
    return { message: null, read: { records, short: null } };
  }
  return { message: short, read: { records: before.records, short: { records, since } } };
}

/** A plan of nothing is refused for its reading alone. */
function refusal(
  { zone, manifest }: WritableZone,
  listing: ZoneListing,
  previousCount: number,
): string | null {
  const nothing = { desired: [], owned: [], allowedNames: [] };
  const result = planChanges({ zone: zone.name, manifest, listing, previousCount, ...nothing });
  return result.ok ? null : (result.refusals[0]?.message ?? "The reading cannot be trusted.");
}
