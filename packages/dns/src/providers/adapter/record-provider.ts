import type { Plan } from "../../plan/change.ts";
import type { DnsRecord } from "../../record.ts";
import type { Zone } from "../../zone.ts";
import {
  type AdapterContext,
  type Credentials,
  type DnsProvider,
  defineProvider,
  type ProviderAdapter,
} from "./contract.ts";
import { ignoreNotFound } from "./json-api.ts";
import type { ProviderManifest } from "./manifest.ts";
import {
  apexServers,
  listRows,
  type RecordEdits,
  type Row,
  recordEdits,
  requireTexts,
  type SetEdit,
  setEdits,
  type TextLimits,
} from "./rows.ts";

/**
 * The part of an adapter that only its provider's API decides: how zones and their entries are
 * read, and what the provider refuses to store. The rest of a DnsProvider follows from it and from
 * the writes below, and is the same for all: a plan is compared with the zone as it is now, what
 * cannot be stored is refused before the first write, and the writes are sent one after the other.
 * The signal goes to every call; the HTTP client rejects with its reason before the next request.
 */
export interface ZoneApi<Raw> {
  readonly listZones: DnsProvider["listZones"];
  /**
   * Where `listZones` does not say; `apex` where no request does and the zone's NS set is asked.
   */
  readonly readNameservers?: "apex" | NonNullable<DnsProvider["readNameservers"]>;
  /**
   * Every entry of the zone, all pages of it. An answer that is known to be incomplete is an error.
   */
  readRows(zone: Zone, signal: AbortSignal): Promise<readonly Row<Raw>[]>;
  /** What answers for names of the zone beside its entries and is shown with them: web forwards. */
  readForwards?(zone: Zone, signal: AbortSignal): Promise<readonly Row<unknown>[]>;
  /** Texts that the provider would refuse or change; absent where it stores all of them. */
  readonly textLimits?: TextLimits;
  /** Throws where one of the records that are to be written cannot be stored. */
  requireWritable?(records: readonly DnsRecord[]): void;
}

/**
 * An API that writes single records, each by its own request: removals, changes, then additions.
 */
export interface RecordApi<Raw> extends ZoneApi<Raw> {
  /** `not_found` counts as removed. */
  remove(zone: Zone, row: Row<Raw>, signal: AbortSignal): Promise<void>;
  /**
   * The record has the name and the type of the row. Absent where an API has no such request, or
   * none that can be used: the row is removed, and the record added.
   */
  change?(zone: Zone, row: Row<Raw>, record: DnsRecord, signal: AbortSignal): Promise<void>;
  add(zone: Zone, record: DnsRecord, signal: AbortSignal): Promise<void>;
  /**
   * Makes the zone's entries live, where writing them does not. It also runs when nothing was left
   * to write, because an earlier run may have been interrupted just before it.
   */
  publish?(zone: Zone, signal: AbortSignal): Promise<void>;
}

/** An API that takes all single records of a plan at once; it is not called without any. */
export interface BatchApi<Raw> extends ZoneApi<Raw> {
  writeRecords(zone: Zone, edits: RecordEdits<Raw>, signal: AbortSignal): Promise<void>;
}

/** An API that writes whole sets, one by one or all of a plan at once; not called without any. */
export type SetApi<Raw> = ZoneApi<Raw> &
  (
    | { writeSet(zone: Zone, edit: SetEdit<Raw>, signal: AbortSignal): Promise<void> }
    | { writeSets(zone: Zone, edits: readonly SetEdit<Raw>[], signal: AbortSignal): Promise<void> }
  );

type Build<Api> = (credentials: Credentials, context: AdapterContext) => Api;

/** An adapter whose API writes single records by their keys. */
export function defineRecordProvider<Raw = null>(
  manifest: ProviderManifest,
  build: Build<RecordApi<Raw>>,
): ProviderAdapter {
  return defineProvider(manifest, (...given) => createRecordProvider(manifest, build(...given)));
}

/** An adapter whose API takes all single records of a plan at once. */
export function defineBatchProvider<Raw = null>(
  manifest: ProviderManifest,
  build: Build<BatchApi<Raw>>,
): ProviderAdapter {
  return defineProvider(manifest, (...given) => createBatchProvider(manifest, build(...given)));
}

/** An adapter whose API replaces whole sets. */
export function defineSetProvider<Raw = null>(
  manifest: ProviderManifest,
  build: Build<SetApi<Raw>>,
): ProviderAdapter {
  return defineProvider(manifest, (...given) => createSetProvider(manifest, build(...given)));
}

export function createRecordProvider<Raw>(
  manifest: ProviderManifest,
  api: RecordApi<Raw>,
): DnsProvider {
  return createProvider(api, async (zone, plan, signal) => {
    const edits = await readEdits(manifest, api, zone, plan, signal);
    const remove = (row: Row<Raw>) => ignoreNotFound(api.remove(zone, row, signal));
    // Removals first: a CNAME can only be added where no other record is left.
    for (const row of edits.remove) await remove(row);
    for (const { row, record } of edits.change) {
      if (api.change !== undefined) {
        await api.change(zone, row, record, signal);
      } else {
        await remove(row);
        await api.add(zone, record, signal);
      }
    }
    for (const record of edits.add) await api.add(zone, record, signal);
    await api.publish?.(zone, signal);
  });
}

function createBatchProvider<Raw>(manifest: ProviderManifest, api: BatchApi<Raw>): DnsProvider {
  return createProvider(api, async (zone, plan, signal) => {
    const edits = await readEdits(manifest, api, zone, plan, signal);
    const { remove, change, add } = edits;
    if (remove.length + change.length + add.length === 0) return;
    await api.writeRecords(zone, edits, signal);
  });
}

export function createSetProvider<Raw>(manifest: ProviderManifest, api: SetApi<Raw>): DnsProvider {
  return createProvider(api, async (zone, plan, signal) => {
    const rows = await api.readRows(zone, signal);
    const edits = setEdits(plan, rows, minimumTtl(manifest, zone));
    if (edits.length === 0) return;
    refuseUnstorable(
      api,
      edits.flatMap(({ add }) => add),
    );
    if ("writeSets" in api) return api.writeSets(zone, edits, signal);
    for (const edit of edits) await api.writeSet(zone, edit, signal);
  });
}

function createProvider<Raw>(api: ZoneApi<Raw>, apply: DnsProvider["apply"]): DnsProvider {
  const { readNameservers } = api;
  const nameservers =
    readNameservers === "apex"
      ? async (zone: Zone, signal: AbortSignal) =>
          apexServers(await api.readRows(zone, signal), zone.name)
      : readNameservers;
  return {
    listZones: api.listZones,
    ...(nameservers === undefined ? {} : { readNameservers: nameservers }),
    async listRecords(zone, signal) {
      const rows = await api.readRows(zone, signal);
      const forwards = (await api.readForwards?.(zone, signal)) ?? [];
      return listRows([...rows, ...forwards]);
    },
    apply,
  };
}

async function readEdits<Raw>(
  manifest: ProviderManifest,
  api: ZoneApi<Raw>,
  zone: Zone,
  plan: Plan,
  signal: AbortSignal,
): Promise<RecordEdits<Raw>> {
  const rows = await api.readRows(zone, signal);
  const edits = recordEdits(plan, rows, minimumTtl(manifest, zone));
  refuseUnstorable(api, [...edits.change.map(({ record }) => record), ...edits.add]);
  return edits;
}

function refuseUnstorable(api: ZoneApi<unknown>, records: readonly DnsRecord[]): void {
  api.requireWritable?.(records);
  if (api.textLimits !== undefined) requireTexts(records, api.textLimits);
}

function minimumTtl(manifest: ProviderManifest, zone: Zone): number {
  return zone.limits?.minimumTtlSeconds ?? manifest.minimumTtlSeconds;
}
