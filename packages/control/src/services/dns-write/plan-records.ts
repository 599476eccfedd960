import {
  type Change,
  type Plan as ChangePlan,
  changeId,
  type DnsRecord,
  type PlanInput,
  ProviderError,
  planChanges,
  recordKey,
  type ZoneListing,
} from "@mooring/dns";
import { selectDnsWrites } from "../../db/queries/dns-writes/dns-writes.ts";
import { saveZoneRead, selectZoneRead, type ZoneRead } from "../../db/queries/dns-writes/zones.ts";
import type { Connection } from "../../domain/connections/connection.ts";
import {
  begunChanges,
  begunReplacements,
  footprint,
  type PastWrite,
  provenNames,
} from "../../domain/records/dns-write.ts";
import type { Runtime } from "../runtime.ts";
import { noteUse, notingFailure } from "./note-use.ts";
import type { WritableZone } from "./writable-zone.ts";

/** The connection's own writes to this zone, oldest first. */
export async function writesTo(
  runtime: Runtime,
  connection: Connection,
  { manifest, zone }: Pick<WritableZone, "manifest" | "zone">,
): Promise<readonly PastWrite[]> {
  const writes = await runtime.system((tx) => selectDnsWrites(tx, connection.id));
  return writes.filter((write) => write.provider === manifest.slug && write.zone === zone.name);
}

/**
 * Plans the records against the zone as it was read. A record that may not be written at all
 * becomes a conflict that cannot be authorised, so that one reply shows everything.
 */
export async function planRecords(
  runtime: Runtime,
  connection: Connection,
  target: WritableZone,
  listing: ZoneListing,
  requested: { readonly records: readonly DnsRecord[]; readonly replace: readonly string[] },
): Promise<ChangePlan> {
  const writes = await writesTo(runtime, connection, target);
  const application = await runtime.applications.load(connection.applicationId);
  const zone = target.zone.name;
  const input: PlanInput = {
    zone,
    manifest: target.manifest,
    limits: target.zone.limits,
    listing,
    desired: requested.records,
    owned: [...footprint(writes).ours, ...begunReplacements(writes, runtime.clock.now())],
    allowedNames: provenNames(connection, requested.records),
    // Where names may stay behind a CDN, its proxy stays as the customer has it.
    retainsSettings: application?.proxied === "accept",
    replace: [
      ...requested.replace,
      ...begunChanges(writes, runtime.clock.now()).map(({ id }) => id),
    ],
  };
  const result = planChanges(input);
  if (result.ok) return result.plan;
  const refused = result.refusals.flatMap(({ record, message }) =>
    record === null ? [] : [refusedChange(zone, record, message)],
  );
  const keys = new Set(refused.map(({ record }) => aliasKey(record)));
  const others = requested.records.filter((record) => !keys.has(aliasKey(record)));
  const rest = planChanges({ ...input, desired: others });
  return { zone, changes: [...refused, ...(rest.ok ? rest.plan.changes : [])] };
}

function refusedChange(zone: string, record: DnsRecord, reason: string): Change {
  const id = changeId(zone, record, []);
  const conflict = "not_writable";
  return { id, action: "conflict", conflict, record, existing: [], reason, replaceable: false };
}

/** A plan may spell CNAME as ALIAS at the apex; both count as the same record. */
function aliasKey(record: DnsRecord): string {
  return recordKey(record.type === "ALIAS" ? { ...record, type: "CNAME" } : record);
}

/** A zone that is still this small after this long was emptied by its owner, not read in part. */
const acceptShrunkAfterMs = 900_000;

/**
 * Reads the zone. A listing that seems incomplete is refused as `unavailable`: a plan made from it
 * could treat present records as absent, and APIs that replace whole zones would delete them.
 */
export async function readZone(
  runtime: Runtime,
  connection: Connection,
  target: WritableZone,
  signal: AbortSignal,
): Promise<ZoneListing> {
  const { provider, zone, credentialId } = target;
  const reader = credentialId ?? connection.id;
  const use = credentialId === null ? null : { credentialId, connectionId: connection.id };
  const listing = await notingFailure(runtime, use, () => provider.listRecords(zone, signal));
  // Only a credential that reads the zone is known to work for it.
  if (use !== null) await noteUse(runtime, use, null);
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
  /** Why the listing is not trusted. */
  readonly message: string | null;
  /** What to store about it. */
  readonly read: ZoneRead | null;
}

function judge(
  target: WritableZone,
  listing: ZoneListing,
  before: ZoneRead | null,
  now: Date,
): Judgement {
  const invalid = refusal(target, listing, 0);
  if (invalid !== null) return { message: invalid, read: null };
  const records = listing.records.length + listing.opaque.length;
  const short = before === null ? null : refusal(target, listing, before.records);
  if (before === null || short === null) return { message: null, read: { records, short: null } };
  const since = before.short?.records === records ? before.short.since : now;
  if (now.getTime() - since.getTime() >= acceptShrunkAfterMs) {
    return { message: null, read: { records, short: null } };
  }
  return { message: short, read: { records: before.records, short: { records, since } } };
}

/** An empty plan is refused only because of the listing. */
function refusal(
  { zone, manifest }: WritableZone,
  listing: ZoneListing,
  previousCount: number,
): string | null {
  const nothing = { desired: [], owned: [], allowedNames: [] };
  const result = planChanges({ zone: zone.name, manifest, listing, previousCount, ...nothing });
  return result.ok ? null : (result.refusals[0]?.message ?? "The reading cannot be trusted.");
}
