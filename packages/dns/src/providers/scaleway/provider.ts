import { toAbsolute, toRelative } from "../../name.ts";
import { absoluteTarget, parseData, presentData } from "../../presentation.ts";
import type { DnsRecord } from "../../record.ts";
import type { Zone } from "../../zone.ts";
import type { Explain } from "../adapter/http.ts";
import {
  anything,
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
import { defineBatchProvider } from "../adapter/record-provider.ts";
import { type Row, readRow } from "../adapter/rows.ts";
import { manifest } from "./manifest.ts";

const apiUrl = "https://api.scaleway.com/domain/v2beta1";

const zonePage = object({
  total_count: number,
  dns_zones: list(
    object({ domain: text, subdomain: optional(text, ""), ns: optional(list(text), []) }),
  ),
});
const wireRecord = object({
  id: entryKey,
  name: optional(text, ""),
  type: text,
  data: text,
  ttl: number,
  geo_ip_config: optional(anything, null),
  weighted_config: optional(anything, null),
  view_config: optional(anything, null),
  http_service_config: optional(anything, null),
});
type WireRecord = ReturnType<typeof wireRecord>;
const recordPage = object({ total_count: number, records: list(wireRecord) });

export const scaleway = defineBatchProvider(manifest, (credentials, { http }) => {
  const headers = { "x-auth-token": credentials["secret_key"] ?? "" };
  const api = jsonApi(http, { baseUrl: apiUrl, headers, explain });
  const project = credentials["project_id"];
  const recordsPath = (zone: Zone) => `/dns-zones/${encodeURIComponent(zone.id)}/records`;

  return {
    async listZones(signal) {
      let received = 0;
      const zones = await allPages(async (cursor: number | null) => {
        const page = cursor ?? 1;
        const query = {
          page,
          page_size: 100,
          ...(project === undefined ? {} : { project_id: project }),
        };
        const answer = await api.read({ path: "/dns-zones", query }, zonePage, signal);
        received += answer.dns_zones.length;
        const isLast = received >= answer.total_count || answer.dns_zones.length === 0;
        return { items: answer.dns_zones, next: isLast ? null : page + 1 };
      });
      return zones.map(({ domain, subdomain, ns: nameservers }) => {
        const name = subdomain === "" ? domain : `${subdomain}.${domain}`;
        return { id: name, name, nameservers: nameservers.map((host) => host.replace(/\.$/, "")) };
      });
    },
    async readRows(zone, signal) {
      let [stated, received] = [0, 0];
      const records = await allPages(async (cursor: number | null) => {
        const page = cursor ?? 1;
        const call = { path: recordsPath(zone), query: { page, page_size: 1_000 } };
        const answer = await api.read(call, recordPage, signal);
        stated = answer.total_count;
        received += answer.records.length;
        const isLast = received >= stated || answer.records.length === 0;
        return { items: answer.records, next: isLast ? null : page + 1 };
      });
      requireCount(records, stated);
      return records.map((record) => toRow(record, zone.name));
    },
    async writeRecords(zone, { remove, change, add }, signal) {
      const wired = (record: DnsRecord) => [toWire(record, zone.name)];
      const changes = [
        ...remove.map(({ id }) => ({ delete: { id } })),
        ...change.map(({ row, record }) => ({ set: { id: row.id, records: wired(record) } })),
        ...add.map((record) => ({ add: { records: wired(record) } })),
      ];
      const body = { return_all_records: false, disallow_new_zone_creation: true, changes };
      await api.write({ method: "PATCH", path: recordsPath(zone), body }, signal);
    },
  };
});

/** A mail exchanger's priority is sent apart, a service's in the text; both come in the text. */
function toWire(record: DnsRecord, zone: string): Readonly<Record<string, unknown>> {
  const { type, ttl, value, priority } = record;
  const relative = toRelative(record.name, zone);
  const base = { name: relative === "@" ? "" : relative, type, ttl };
  if (type === "MX") return { ...base, data: absoluteTarget(value), priority };
  return { ...base, data: presentData(record), priority: 0 };
}

function toRow(wire: WireRecord, zone: string): Row {
  const { id, type, ttl, data } = wire;
  const isBare = type === "TXT" && !data.startsWith('"');
  const parsed = isBare ? { value: data, priority: null } : parseData(type, data, zone);
  const record = {
    name: toAbsolute(wire.name, zone),
    type,
    ttl,
    value: parsed?.value ?? null,
    priority: parsed?.priority ?? null,
  };
  return readRow({ id, raw: null, zone, record, lockedBecause: findLock(wire) });
}

/** A `set` would replace these by the one plain value. */
function findLock(wire: WireRecord): string | null {
  if (wire.geo_ip_config !== null) return "it answers by the visitor's country";
  if (wire.weighted_config !== null) return "it answers by weights";
  if (wire.view_config !== null) return "it answers by the visitor's network";
  return wire.http_service_config === null ? null : "it answers by the health of its targets";
}

const explain: Explain = (answer) => {
  const body = jsonOrNull(answer);
  return isObject(body)
    ? { message: `${body["type"] ?? ""} ${body["message"] ?? body["reason"] ?? ""}` }
    : null;
};
