import { toAbsolute, toRelative } from "../../name.ts";
import { openTarget } from "../../presentation.ts";
import type { DnsRecord } from "../../record.ts";
import type { Zone } from "../../zone.ts";
import type { Explain } from "../adapter/http.ts";
import {
  entryKey,
  isObject,
  jsonOrNull,
  list,
  number,
  object,
  optional,
  text,
} from "../adapter/json.ts";
import { allPages, jsonApi, requireCount } from "../adapter/json-api.ts";
import { defineRecordProvider } from "../adapter/record-provider.ts";
import { type Row, readRow } from "../adapter/rows.ts";
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
  id: entryKey,
  type: text,
  name: optional(text, ""),
  data: text,
  priority: optional(number, 0),
  ttl: number,
});
type WireRecord = ReturnType<typeof wireRecord>;
const recordPage = object({ records: list(wireRecord), meta });

export const vultr = defineRecordProvider(manifest, (credentials, { http }) => {
  const headers = { authorization: `Bearer ${credentials["api_key"]}` };
  const api = jsonApi(http, { baseUrl: apiUrl, headers, explain });
  const recordsPath = (zone: Zone) => `/domains/${encodeURIComponent(zone.id)}/records`;
  const pageQuery = (cursor: string | null) => ({
    per_page: itemsPerPage,
    ...(cursor === null ? {} : { cursor }),
  });

  return {
    textLimits,
    async listZones(signal) {
      const domains = await allPages(async (cursor: string | null) => {
        const call = { path: "/domains", query: pageQuery(cursor) };
        const answer = await api.read(call, domainPage, signal);
        return { items: answer.domains, next: answer.meta.links.next || null };
      });
      return domains.map(({ domain }) => ({ id: domain, name: domain, nameservers: [] }));
    },
    async readRows(zone, signal) {
      let stated = 0;
      const records = await allPages(async (cursor: string | null) => {
        const call = { path: recordsPath(zone), query: pageQuery(cursor) };
        const answer = await api.read(call, recordPage, signal);
        stated = answer.meta.total;
        return { items: answer.records, next: answer.meta.links.next || null };
      });
      requireCount(records, stated);
      return records.map((record) => toRow(record, zone.name));
    },
    remove: (zone, { id }, signal) =>
      api.write({ method: "DELETE", path: `${recordsPath(zone)}/${id}` }, signal),
    change: (zone, { id }, record, signal) => {
      const { type: _fixed, ...body } = toWire(record, zone.name);
      const path = `${recordsPath(zone)}/${id}`;
      return api.write({ method: "PATCH", path, body, idempotent: true }, signal);
    },
    add: (zone, record, signal) => {
      const body = toWire(record, zone.name);
      return api.write({ method: "POST", path: recordsPath(zone), body }, signal);
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
  const value = type === "TXT" ? data.replace(/^"(.*)"$/s, "$1") : openTarget(data);
  const ranked = type === "MX" || type === "SRV" ? priority : null;
  const record = { name: toAbsolute(name, zone), type, ttl, priority: ranked, value };
  return readRow({ id, raw: null, zone, record });
}

const explain: Explain = (answer) => {
  const body = jsonOrNull(answer);
  return isObject(body) ? { message: String(body["error"] ?? "") } : null;
};
