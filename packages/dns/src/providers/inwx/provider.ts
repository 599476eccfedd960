import { normalizeName, toRelative } from "../../name.ts";
import { openTarget, plainTxt, quoteLongTxt } from "../../presentation.ts";
import type { DnsRecord } from "../../record.ts";
import type { Zone } from "../../zone.ts";
import { anything, entryKey, list, number, object, optional, text } from "../adapter/json.ts";
import { countedPages, ignoreNotFound } from "../adapter/json-api.ts";
import { defineRecordProvider } from "../adapter/record-provider.ts";
import { type Row, readRow } from "../adapter/rows.ts";
import { jsonRpc, type Params } from "./json-rpc.ts";
import { manifest } from "./manifest.ts";

/**
 * Backticks and a space at the end are refused; quotes, backslashes and other scripts are not
 * documented.
 */
const textLimits = { forbidden: /["`\\]|[^\x20-\x7e]|^\s|\s$|^$/, mostCharacters: 2_000 };
const zonesPerPage = 100;
const targetTypes = ["CNAME", "ALIAS", "NS", "MX", "SRV"];

const zonePage = object({
  count: number,
  domains: optional(list(object({ domain: text, type: optional(text, "MASTER") })), []),
});
const wireRecord = object({
  id: entryKey,
  name: text,
  type: text,
  content: optional(text, ""),
  ttl: number,
  prio: optional(number, 0),
});
type WireRecord = ReturnType<typeof wireRecord>;
const records = object({ record: optional(list(wireRecord), []) });

export const inwx = defineRecordProvider(manifest, (credentials, context) => {
  const ask = jsonRpc(credentials, context);
  const write = async (name: string, params: Params, idempotent: boolean, signal: AbortSignal) => {
    await ask(`nameserver.${name}`, params, anything, signal, idempotent);
  };
  const remove = (_zone: Zone, { id }: Row, signal: AbortSignal) =>
    write("deleteRecord", { id }, true, signal);
  const add = (zone: Zone, record: DnsRecord, signal: AbortSignal) =>
    write("createRecord", { domain: zone.id, ...toWire(record, zone.name) }, false, signal);
  return {
    textLimits,
    readNameservers: "apex",
    async listZones(signal) {
      const zones = await countedPages(async (page) => {
        const params = { page, pagelimit: zonesPerPage };
        const { count, domains } = await ask("nameserver.list", params, zonePage, signal);
        return { items: domains, total: count };
      });
      // The list names a zone in Unicode; the other calls take its A-labels.
      return zones
        .filter(({ type }) => type !== "SLAVE")
        .map(({ domain }) => ({
          id: normalizeName(domain) ?? domain,
          name: domain,
          nameservers: [],
        }));
    },
    async readRows(zone, signal) {
      const { record } = await ask("nameserver.info", { domain: zone.id }, records, signal);
      return record.map((one) => toRow(one, zone.name));
    },
    remove,
    async change(zone, row, record, signal) {
      // A change to priority 0 is accepted and has no effect.
      if (record.priority !== 0) {
        const params = { id: row.id, ...toWire(record, zone.name) };
        return write("updateRecord", params, true, signal);
      }
      await ignoreNotFound(remove(zone, row, signal));
      return add(zone, record, signal);
    },
    add,
  };
});

/** Targets have no closing dot. A text of several strings is in quotes. */
function toWire(record: DnsRecord, zone: string): Params {
  const { type, value, ttl, priority } = record;
  return {
    name: toRelative(record.name, zone),
    type,
    content: type === "TXT" ? quoteLongTxt(value) : value,
    ttl,
    ...(priority === null ? {} : { prio: priority }),
  };
}

/** Names come back in full. */
function toRow(wire: WireRecord, zone: string): Row {
  const { type, name, ttl } = wire;
  const priority = type === "MX" || type === "SRV" ? wire.prio : null;
  const record = { name, type, ttl, priority, value: readContent(wire) };
  return readRow({ id: wire.id, raw: null, zone, record });
}

function readContent({ type, content }: WireRecord): string | null {
  if (type === "TXT") return plainTxt(content);
  return targetTypes.includes(type) ? openTarget(content) : content;
}
