import {
  type Change,
  changeId,
  type DnsRecord,
  type Plan,
  type PlanInput,
  ProviderError,
  planChanges,
  recordKey,
  type ZoneListing,
} from "@mooring/dns";
import { selectDnsWrites } from "../../db/queries/dns-writes.ts";
import { saveZoneRead, selectZoneRead, type ZoneRead } from "../../db/queries/zones.ts";
import type { Connection } from "../../domain/connection.ts";
import { begunReplacements, footprint, namesOf, type PastWrite } from "../../domain/dns-write.ts";
import type { Runtime } from "../runtime.ts";
import type { WritableZone } from "./writable-zone.ts";

/** What was written for the connection into this very zone; oldest first. */
export async function writesTo(
  runtime: Runtime,
  connection: Connection,
  { manifest, zone }: Pick<WritableZone, "manifest" | "zone">,
): Promise<readonly PastWrite[]> {
  const writes = await runtime.system((tx) => selectDnsWrites(tx, connection.id));
  return writes.filter((write) => write.provider === manifest.slug && write.zone === zone.name);
}

/**
 * The plan for the records in the zone as it was read. What may not be written at all is in it as a
 * conflict that nobody can authorise away, so that one answer shows everything.
 */
export async function planRecords(
  runtime: Runtime,
  connection: Connection,
  target: WritableZone,
  listing: ZoneListing,
  wanted: { readonly records: readonly DnsRecord[]; readonly replace: readonly string[] },
): Promise<Plan> {
  const writes = await writesTo(runtime, connection, target);
  const zone = target.zone.name;
  const input: PlanInput = {
    zone,
    manifest: target.manifest,
    listing,
    desired: wanted.records,
    owned: [...footprint(writes).ours, ...begunReplacements(writes, runtime.clock.now())],
    allowedNames: namesOf(connection, wanted.records),
    replace: wanted.replace,
  };
  const result = planChanges(input);
  if (result.ok) return result.plan;
  const refused = result.refusals.flatMap(({ record, message }) =>
    record === null ? [] : [refusedChange(zone, record, message)],
  );
  const keys = new Set(refused.map(({ record }) => placeOf(record)));
  const others = wanted.records.filter((record) => !keys.has(placeOf(record)));
  const rest = planChanges({ ...input, desired: others });
  return { zone, changes: [...refused, ...(rest.ok ? rest.plan.changes : [])] };
}

function refusedChange(zone: string, record: DnsRecord, reason: string): Change {
  const id = changeId(zone, record, []);
  return { id, action: "conflict", record, existing: [], reason, replaceable: false };
}

/** A plan may spell CNAME as ALIAS at the apex: the same wish for its owner. */
function placeOf(record: DnsRecord): string {
  return recordKey(record.type === "ALIAS" ? { ...record, type: "CNAME" } : record);
}

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
