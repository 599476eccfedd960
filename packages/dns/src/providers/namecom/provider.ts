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
import { allPages, jsonApi } from "../adapter/json-api.ts";
import { defineRecordProvider } from "../adapter/record-provider.ts";
import { type Row, readRow } from "../adapter/rows.ts";
import { manifest } from "./manifest.ts";

const apiUrl = "https://api.name.com/core/v1";
const itemsPerPage = 1_000;
const textLimits = { forbidden: /"|\s$/, mostCharacters: 512 };

const nextPage = optional(number, 0);
const domainPage = object({ domains: optional(list(object({ domainName: text })), []), nextPage });
const wireRecord = object({
  id: entryKey,
  host: optional(text, ""),
  type: text,
  answer: optional(text, ""),
  ttl: optional(number, 300),
  priority: optional(number, 0),
});
type WireRecord = ReturnType<typeof wireRecord>;
const recordPage = object({ records: optional(list(wireRecord), []), nextPage });

export const namecom = defineRecordProvider(manifest, (credentials, { http }) => {
  const pair = Buffer.from(`${credentials["username"]}:${credentials["api_token"]}`);
  const headers = { authorization: `Basic ${pair.toString("base64")}` };
  const api = jsonApi(http, { baseUrl: apiUrl, headers, explain });
  const recordsPath = (zone: Zone) => `/domains/${encodeURIComponent(zone.id)}/records`;
  const pageQuery = (page: number | null) => ({ perPage: itemsPerPage, page: page ?? 1 });

  return {
    textLimits,
    async listZones(signal) {
      const domains = await allPages(async (page: number | null) => {
        const call = { path: "/domains", query: pageQuery(page) };
        const answer = await api.read(call, domainPage, signal);
        return { items: answer.domains, next: answer.nextPage || null };
      });
      return domains.map(({ domainName }) => ({
        id: domainName,
        name: domainName,
        nameservers: [],
      }));
    },
    async readRows(zone, signal) {
      const records = await allPages(async (page: number | null) => {
        const call = { path: recordsPath(zone), query: pageQuery(page) };
        const answer = await api.read(call, recordPage, signal);
        return { items: answer.records, next: answer.nextPage || null };
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
  const { value: answer, ttl, priority } = record;
  const type = record.type === "ALIAS" ? "ANAME" : record.type;
  const host = toRelative(record.name, zone) ?? "@";
  return { host, type, answer, ttl, ...(priority === null ? {} : { priority }) };
}

function toRow(wire: WireRecord, zone: string): Row {
  const { id, answer, ttl } = wire;
  const type = wire.type === "ANAME" ? "ALIAS" : wire.type;
  const priority = type === "MX" || type === "SRV" ? wire.priority : null;
  const value = type === "TXT" ? answer : openTarget(answer);
  const record = { name: toAbsolute(wire.host, zone), type, ttl, priority, value };
  return readRow({ id, raw: null, zone, record });
}

const explain: Explain = (answer) => {
  const body = jsonOrNull(answer);
  return isObject(body) ? { message: `${body["message"] ?? ""} ${body["details"] ?? ""}` } : null;
};
