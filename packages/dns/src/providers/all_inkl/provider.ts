import { normalizeName, toAbsolute, toRelative } from "../../name.ts";
import { absoluteTarget, readTarget } from "../../presentation.ts";
import type { DnsRecord } from "../../record.ts";
import type { Zone } from "../../zone.ts";
import { ProviderError } from "../adapter/errors.ts";
import { entryKey, list, object, optional, text, textOrNumber } from "../adapter/json.ts";
import { defineRecordProvider } from "../adapter/record-provider.ts";
import { type Row, readRow } from "../adapter/rows.ts";
import { createKas } from "./kas.ts";
import { manifest } from "./manifest.ts";

/** Texts are neither quoted nor escaped; nothing says what becomes of these characters. */
const textLimits = { forbidden: /["\\]|[^\x20-\x7e]|^\s|\s$|^$/, mostCharacters: 2_000 };
/** The types whose data is known; others are only shown. */
const knownTypes: ReadonlySet<string> = new Set(["A", "AAAA", "CNAME", "MX", "NS", "TXT"]);
const targetTypes: ReadonlySet<string> = new Set(["CNAME", "MX", "NS"]);

const domains = optional(list(object({ domain_name: optional(text, "") })), []);
const wireRecord = object({
  record_id: entryKey,
  record_name: optional(text, ""),
  record_type: text,
  record_data: optional(text, ""),
  record_aux: optional(textOrNumber, "0"),
  record_changeable: optional(text, "Y"),
  record_deleteable: optional(text, "Y"),
});
type WireRecord = ReturnType<typeof wireRecord>;
const settings = optional(list(wireRecord), []);

export const allInkl = defineRecordProvider(manifest, (credentials, context) => {
  const ask = createKas(credentials, context);
  const readSettings = async (zone: Zone, signal: AbortSignal) => {
    const params = { zone_host: absoluteTarget(zone.id) };
    return settings(await ask("get_dns_settings", params, signal), "ReturnInfo");
  };

  return {
    textLimits,
    requireWritable: requireKnownTypes,
    async listZones(signal) {
      const listed = domains(await ask("get_domains", {}, signal), "ReturnInfo");
      return listed.flatMap(({ domain_name: id }) => {
        const name = normalizeName(id);
        return name === null ? [] : [{ id, name, nameservers: [] }];
      });
    },
    async readNameservers(zone, signal) {
      const records = await readSettings(zone, signal);
      return records
        .filter((one) => one.record_type === "NS" && one.record_name === "")
        .map((one) => readTarget(one.record_data, null).toLowerCase());
    },
    async readRows(zone, signal) {
      return (await readSettings(zone, signal)).map((one) => toRow(one, zone.name));
    },
    async remove(_zone, { id }, signal) {
      await ask("delete_dns_settings", { record_id: id }, signal);
    },
    async change(zone, { id }, record, signal) {
      const params = { record_id: id, ...toWire(record, zone.name) };
      // The same once more is refused, because there is nothing to do.
      await ask("update_dns_settings", params, signal, false);
    },
    async add(zone, record, signal) {
      const params = {
        zone_host: absoluteTarget(zone.id),
        record_type: record.type,
        ...toWire(record, zone.name),
      };
      await ask("add_dns_settings", params, signal, false);
    },
  };
});

/** The apex has no name, targets end with a dot, and the priority is beside the data. */
function toWire({ name, type, value, priority }: DnsRecord, zone: string) {
  return {
    record_name: toRelative(name, zone, "") ?? "",
    record_data: targetTypes.has(type) ? absoluteTarget(value) : value,
    record_aux: priority ?? 0,
  };
}

function toRow(wire: WireRecord, zone: string): Row {
  const type = wire.record_type.toUpperCase();
  const data = wire.record_data;
  const value = targetTypes.has(type) ? readTarget(data, null) : data;
  const record = {
    name: toAbsolute(wire.record_name, zone),
    type,
    // The interface shows none.
    ttl: manifest.defaultTtlSeconds,
    value: knownTypes.has(type) ? value : null,
    priority: type === "MX" ? Number(wire.record_aux) : null,
  };
  const id = wire.record_id;
  return readRow({ id, raw: null, zone, record, lockedBecause: findLock(wire) });
}

/** What the panel made has the key 0 and cannot be changed. */
function findLock(wire: WireRecord): string | null {
  const isOurs = /^[1-9]\d*$/.test(wire.record_id);
  const isFree = wire.record_changeable === "Y" && wire.record_deleteable === "Y";
  return isOurs && isFree ? null : "it can only be changed by ALL-INKL.COM";
}

function requireKnownTypes(records: readonly DnsRecord[]): void {
  const unknown = records.find(({ type }) => !knownTypes.has(type));
  if (unknown === undefined) return;
  const { name, type } = unknown;
  const why = `how ALL-INKL.COM stores ${type} records is not known`;
  throw new ProviderError("unsupported", `${name}: ${why}, so that none is written.`);
}
