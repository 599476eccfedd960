import { toAbsolute, toRelative } from "../../name.ts";
import { absoluteTarget, splitCaa, splitSrv } from "../../presentation.ts";
import type { DnsRecord } from "../../record.ts";
import { printCaa } from "../../record.ts";
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
import { jsonApi, numberedPages } from "../adapter/json-api.ts";
import { defineRecordProvider } from "../adapter/record-provider.ts";
import { type Row, readRow } from "../adapter/rows.ts";
import { manifest } from "./manifest.ts";

const apiUrl = "https://api.digitalocean.com/v2";
const itemsPerPage = 200;
/** Texts are counted with their quotes; backslashes are refused. Last verified 2026-08. */
const textLimits = { forbidden: /\\/, mostCharacters: 500 };

const meta = object({ total: number });
const links = optional(
  object({ pages: optional(object({ next: optional(text, null) }), { next: null }) }),
  { pages: { next: null } },
);
const domainPage = object({ domains: list(object({ name: text })), links, meta });
const wireRecord = object({
  id: entryKey,
  type: text,
  name: text,
  data: optional(text, ""),
  ttl: number,
  priority: optional(number, null),
  port: optional(number, 0),
  weight: optional(number, 0),
  flags: optional(number, 0),
  tag: optional(text, ""),
});
type WireRecord = ReturnType<typeof wireRecord>;
const recordPage = object({ domain_records: list(wireRecord), links, meta });

export const digitalocean = defineRecordProvider(manifest, (credentials, { http }) => {
  const headers = { authorization: `Bearer ${credentials["api_token"]}` };
  const api = jsonApi(http, { baseUrl: apiUrl, headers, explain });
  const recordsPath = (zone: Zone) => `/domains/${encodeURIComponent(zone.id)}/records`;

  return {
    textLimits,
    async listZones(signal) {
      const domains = await numberedPages(async (page) => {
        const call = { path: "/domains", query: { per_page: itemsPerPage, page } };
        const answer = await api.read(call, domainPage, signal);
        return { items: answer.domains, hasMore: answer.links.pages.next !== null };
      });
      return domains.map(({ name }) => ({ id: name, name, nameservers: [] }));
    },
    async readRows(zone, signal) {
      const records = await numberedPages(async (page) => {
        const call = { path: recordsPath(zone), query: { per_page: itemsPerPage, page } };
        const answer = await api.read(call, recordPage, signal);
        const hasMore = answer.links.pages.next !== null;
        return { items: answer.domain_records, hasMore, total: answer.meta.total };
      });
      return records.map((record) => toRow(record, zone.name));
    },
    remove: (zone, { id }, signal) =>
      api.write({ method: "DELETE", path: `${recordsPath(zone)}/${id}` }, signal),
    change: (zone, { id }, record, signal) => {
      const body = toWire(record, zone.name);
      return api.write({ method: "PUT", path: `${recordsPath(zone)}/${id}`, body }, signal);
    },
    add: (zone, record, signal) => {
      const body = toWire(record, zone.name);
      return api.write({ method: "POST", path: recordsPath(zone), body }, signal);
    },
  };
});

function toWire(record: DnsRecord, zone: string): Readonly<Record<string, unknown>> {
  const { type, ttl, value, priority } = record;
  const base = { type, ttl, name: toRelative(record.name, zone) };
  switch (type) {
    case "CAA": {
      const { flags, tag, text: data } = splitCaa(value);
      const isHost = /^[a-z0-9.-]+$/i.test(data);
      return { ...base, flags, tag, data: isHost ? absoluteTarget(data) : data };
    }
    case "SRV": {
      const { weight, port, target } = splitSrv(value);
      return { ...base, priority, weight, port, data: absoluteTarget(target) };
    }
    case "MX":
      return { ...base, priority, data: absoluteTarget(value) };
    case "CNAME":
    case "NS":
      return { ...base, data: absoluteTarget(value) };
    default:
      return { ...base, data: value };
  }
}

function toRow(wire: WireRecord, zone: string): Row {
  const { id, type, ttl } = wire;
  const priority = type === "MX" || type === "SRV" ? wire.priority : null;
  const record = {
    name: toAbsolute(wire.name, zone),
    type,
    ttl,
    priority,
    value: readContent(wire, zone),
  };
  return readRow({ id, raw: null, zone, record });
}

/** Targets come without closing dot, and the zone itself as "@". */
function readContent({ type, data, flags, tag, weight, port }: WireRecord, zone: string): string {
  const target = data === "@" ? zone : data;
  if (type === "CAA") return printCaa(flags, tag, data.replace(/\.$/, ""));
  if (type === "SRV") return `${weight} ${port} ${target}`;
  return type === "TXT" ? data : target;
}

const explain: Explain = (answer) => {
  const body = jsonOrNull(answer);
  return isObject(body) ? { message: String(body["message"] ?? "") } : null;
};
