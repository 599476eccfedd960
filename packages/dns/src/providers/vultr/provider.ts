import { toAbsolute, toRelative } from "../../name.ts";
import type { DnsRecord } from "../../record.ts";
import type { Zone } from "../../zone.ts";
import { defineProvider } from "../adapter/contract.ts";
import type { Explain } from "../adapter/http.ts";
import { isObject, jsonOrNull, list, number, object, optional, text } from "../adapter/json.ts";
import { allPages, ignoreNotFound, jsonApi, requireCount } from "../adapter/json-api.ts";
import {
  carryOut,
  listingOf,
  type Row,
  readRow,
  recordEdits,
  recordsToWrite,
  requireTexts,
} from "../adapter/rows.ts";
import { manifest } from "./manifest.ts";

const apiUrl = "https://api.vultr.com/v2";
const itemsPerPage = 500;
/** A text is put between one pair of quotes, inside which nothing is escaped. */
const textLimits = { forbidden: /["\\]/, mostCharacters: 2_000 };

const meta = object({
  total: optional(number, 0),
  links: optional(object({ next: optional(text, "") }), { next: "" }),
});
const domainPage = object({ domains: list(object({ domain: text })), meta });
const wireRecord = object({
  id: text,
  type: text,
  name: optional(text, ""),
  data: text,
  priority: optional(number, 0),
  ttl: number,
});
type WireRecord = ReturnType<typeof wireRecord>;
const recordPage = object({ records: list(wireRecord), meta });

export const vultr = defineProvider(manifest, (credentials, { http }) => {
  const headers = { authorization: `Bearer ${credentials["api_key"]}` };
  const api = jsonApi(http, { baseUrl: apiUrl, headers, explain });
  const recordsPath = (zone: Zone) => `/domains/${encodeURIComponent(zone.id)}/records`;
  const pageQuery = (cursor: string | null) => ({
    per_page: itemsPerPage,
    ...(cursor === null ? {} : { cursor }),
  });

  const readRows = async (zone: Zone, signal: AbortSignal): Promise<readonly Row[]> => {
    let stated = 0;
    const records = await allPages(async (cursor: string | null) => {
      const call = { path: recordsPath(zone), query: pageQuery(cursor) };
      const answer = await api.read(call, recordPage, signal);
      stated = answer.meta.total;
      return { items: answer.records, next: answer.meta.links.next || null };
    });
    requireCount(records, stated);
    return records.map((record) => toRow(record, zone.name));
  };

  return {
    async listZones(signal) {
      const domains = await allPages(async (cursor: string | null) => {
        const call = { path: "/domains", query: pageQuery(cursor) };
        const answer = await api.read(call, domainPage, signal);
        return { items: answer.domains, next: answer.meta.links.next || null };
      });
      return domains.map(({ domain }) => ({ id: domain, name: domain, nameservers: [] }));
    },
    async listRecords(zone, signal) {
      return listingOf(await readRows(zone, signal));
    },
    async apply(zone, plan, signal) {
      const edits = recordEdits(plan, await readRows(zone, signal), manifest.minimumTtlSeconds);
      requireTexts(recordsToWrite(edits), textLimits);
      const path = recordsPath(zone);
      await carryOut(edits, {
        remove: ({ id }) =>
          ignoreNotFound(api.write({ method: "DELETE", path: `${path}/${id}` }, signal)),
        change: ({ id }, record) => {
          const { type: _fixed, ...body } = toWire(record, zone.name);
          return api.write(
            { method: "PATCH", path: `${path}/${id}`, body, idempotent: true },
            signal,
          );
        },
        add: (record) =>
          api.write({ method: "POST", path, body: toWire(record, zone.name) }, signal),
      });
    },
  };
});

function toWire(record: DnsRecord, zone: string) {
  const { type, value, ttl, priority } = record;
  const relative = toRelative(record.name, zone);
  const name = relative === "@" ? "" : relative;
  const data = type === "TXT" ? `"${value}"` : value;
  return { type, name, data, ttl, ...(priority === null ? {} : { priority }) };
}

function toRow({ id, type, name, data, priority, ttl }: WireRecord, zone: string): Row {
  const value = type === "TXT" ? data.replace(/^"(.*)"$/s, "$1") : data.replace(/\.$/, "");
  const ranked = type === "MX" || type === "SRV" ? priority : null;
  const record = { name: toAbsolute(name, zone), type, ttl, priority: ranked, value };
  return readRow({ id, raw: null, zone, record });
}

const explain: Explain = (answer) => {
  const body = jsonOrNull(answer);
  return isObject(body) ? { message: String(body["error"] ?? "") } : null;
};
