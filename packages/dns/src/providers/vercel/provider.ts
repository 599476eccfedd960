import { toAbsolute, toRelative } from "../../name.ts";
import { openTarget, parseData, splitSrv } from "../../presentation.ts";
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

const apiUrl = "https://api.vercel.com";
const itemsPerPage = 100;
/** The service type of domains that Vercel's own name servers answer for. */
const servedHere = "zeit.world";

const pagination = optional(object({ next: optional(number, null) }), { next: null });
const domainPage = object({
  domains: list(
    object({
      name: text,
      serviceType: optional(text, servedHere),
      intendedNameservers: optional(list(text), []),
    }),
  ),
  pagination,
});
const wireRecord = object({
  id: entryKey,
  name: optional(text, ""),
  type: text,
  value: optional(text, ""),
  ttl: optional(number, 60),
  mxPriority: optional(number, null),
  priority: optional(number, null),
  creator: optional(text, ""),
});
type WireRecord = ReturnType<typeof wireRecord>;
const recordPage = object({ records: list(wireRecord), pagination });

export const vercel = defineRecordProvider(manifest, (credentials, { http }) => {
  const headers = { authorization: `Bearer ${credentials["api_token"]}` };
  const api = jsonApi(http, { baseUrl: apiUrl, headers, explain });
  const team = credentials["team_id"];
  const scope = team === undefined ? {} : { teamId: team };
  const recordsPath = ({ id }: Zone) => `/v2/domains/${encodeURIComponent(id)}/records`;
  const pageQuery = (until: number | null) => ({
    ...scope,
    limit: itemsPerPage,
    ...(until === null ? {} : { until }),
  });

  return {
    async listZones(signal) {
      const domains = await allPages(async (until: number | null) => {
        const call = { path: "/v5/domains", query: pageQuery(until) };
        const answer = await api.read(call, domainPage, signal);
        return { items: answer.domains, next: answer.pagination.next };
      });
      return (
        domains
          .filter(({ serviceType }) => serviceType === servedHere)
          // `nameservers` is what the registry says at present, also when that is another provider.
          .map(({ name, intendedNameservers }) => ({
            id: name,
            name,
            nameservers: intendedNameservers,
          }))
      );
    },
    async readRows(zone, signal) {
      const records = await allPages(async (until: number | null) => {
        const path = `/v5/domains/${encodeURIComponent(zone.id)}/records`;
        const answer = await api.read({ path, query: pageQuery(until) }, recordPage, signal);
        return { items: answer.records, next: answer.pagination.next };
      });
      // Vercel's defaults give way to any record of the customer at the same name.
      return records
        .filter(({ creator }) => creator !== "system")
        .map((record) => toRow(record, zone.name));
    },
    remove: (zone, { id }, signal) =>
      api.write({ method: "DELETE", path: `${recordsPath(zone)}/${id}`, query: scope }, signal),
    change: (zone, { id }, record, signal) => {
      const { type: _fixed, ...body } = toWire(record, zone.name);
      const path = `/v1/domains/records/${id}`;
      return api.write({ method: "PATCH", path, query: scope, body, idempotent: true }, signal);
    },
    add: (zone, record, signal) => {
      const body = toWire(record, zone.name);
      return api.write({ method: "POST", path: recordsPath(zone), query: scope, body }, signal);
    },
  };
});

function toWire(record: DnsRecord, zone: string) {
  const { type, value, ttl, priority } = record;
  const relative = toRelative(record.name, zone);
  const base = { type, name: relative === "@" ? "" : relative, ttl };
  // A service has its own object and no value beside it.
  if (type === "SRV") return { ...base, srv: { priority, ...splitSrv(value) } };
  return type === "MX" ? { ...base, value, mxPriority: priority } : { ...base, value };
}

function toRow(wire: WireRecord, zone: string): Row {
  const { id, type, ttl } = wire;
  const data = type === "SRV" ? parseData(type, wire.value, null) : null;
  const value = type === "TXT" ? wire.value : (data?.value ?? openTarget(wire.value));
  const ranked = type === "MX" ? (wire.mxPriority ?? wire.priority) : null;
  const priority = type === "SRV" ? (data?.priority ?? wire.priority) : ranked;
  const record = { name: toAbsolute(wire.name, zone), type, ttl, priority, value };
  return readRow({ id, raw: null, zone, record });
}

const explain: Explain = (answer) => {
  const body = jsonOrNull(answer);
  const error = isObject(body) && isObject(body["error"]) ? body["error"] : null;
  return error === null ? null : { message: String(error["message"] ?? "") };
};
