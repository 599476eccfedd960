import {
  type Change,
  changeId,
  type DnsRecord,
  type Plan,
  type PlanInput,
  planChanges,
  recordKey,
  type ZoneListing,
} from "@mooring/dns";
import { selectDnsWrites } from "../../db/queries/dns-writes.ts";
import type { Connection } from "../../domain/connection.ts";
import { begunReplacements, footprint, namesOf, type PastWrite } from "../../domain/dns-write.ts";
import type { Runtime } from "../runtime.ts";
import type { WritableZone } from "./find-zone.ts";

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
