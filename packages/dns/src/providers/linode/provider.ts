import { toAbsolute, toRelative } from "../../name.ts";
import { openTarget, splitCaa, splitSrv } from "../../presentation.ts";
import type { DnsRecord } from "../../record.ts";
import { printCaa } from "../../record.ts";
import type { Zone } from "../../zone.ts";
import { ProviderError } from "../adapter/errors.ts";
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
  textOrNumber,
} from "../adapter/json.ts";
import { jsonApi, numberedPages } from "../adapter/json-api.ts";
import { defineRecordProvider } from "../adapter/record-provider.ts";
import { isUsableKey, type Row, readRow } from "../adapter/rows.ts";
import { manifest } from "./manifest.ts";

const apiUrl = "https://api.linode.com/v4";
const pageSize = 500;
/** Other TTLs are rounded up to the next of these. */
const ttlSteps: readonly number[] = [
  30, 120, 300, 3_600, 7_200, 14_400, 28_800, 57_600, 86_400, 172_800, 345_600, 604_800, 1_209_600,
  2_419_200,
];

const paging = { pages: number, results: number };
const domainPage = object({
  data: list(object({ id: textOrNumber, domain: text, type: optional(text, "master") })),
  ...paging,
});
const wireRecord = object({
  id: entryKey,
  type: text,
  name: optional(text, ""),
  target: optional(text, ""),
  ttl_sec: optional(number, 0),
  priority: optional(number, 0),
  weight: optional(number, 0),
  port: optional(number, 0),
  service: optional(text, ""),
  protocol: optional(text, ""),
  tag: optional(text, ""),
});
type WireRecord = ReturnType<typeof wireRecord>;
const recordPage = object({ data: list(wireRecord), ...paging });

export const linode = defineRecordProvider(manifest, (credentials, { http }) => {
  const headers = { authorization: `Bearer ${credentials["api_token"]}` };
  const api = jsonApi(http, { baseUrl: apiUrl, headers, explain });
  const recordsPath = (zone: Zone) => `/domains/${encodeURIComponent(zone.id)}/records`;
  const put = (zone: Zone, id: string, record: DnsRecord, signal: AbortSignal) => {
    const body = toWire(record, zone.name);
    return api.write({ method: "PUT", path: `${recordsPath(zone)}/${id}`, body }, signal);
  };

  return {
    async listZones(signal) {
      const domains = await numberedPages(async (page) => {
        const call = { path: "/domains", query: { page, page_size: pageSize } };
        const answer = await api.read(call, domainPage, signal);
        return { items: answer.data, hasMore: page < answer.pages };
      });
      return domains
        .filter(({ type }) => type === "master")
        .map(({ id, domain }) => ({ id, name: domain, nameservers: [] }));
    },
    async readRows(zone, signal) {
      const records = await numberedPages(async (page) => {
        const query = { page, page_size: pageSize };
        const answer = await api.read({ path: recordsPath(zone), query }, recordPage, signal);
        return { items: answer.data, hasMore: page < answer.pages, total: answer.results };
      });
      return records.map((record) => toRow(record, zone.name));
    },
    remove: (zone, { id }, signal) =>
      api.write({ method: "DELETE", path: `${recordsPath(zone)}/${id}` }, signal),
    change: (zone, { id }, record, signal) => put(zone, id, record, signal),
    async add(zone, record, signal) {
      const body = toWire(record, zone.name);
      const call = { method: "POST", path: recordsPath(zone), body } as const;
      const made = await api.read(call, wireRecord, signal);
      // The API was observed to ignore the TTL of a new record; a second write sets it.
      const isRight = made.ttl_sec === stepUp(record.ttl);
      if (!isRight && isUsableKey(made.id)) await put(zone, made.id, record, signal);
    },
  };
});

function stepUp(ttl: number): number {
  return ttlSteps.find((step) => step >= ttl) ?? 2_419_200;
}

function toWire(record: DnsRecord, zone: string): Readonly<Record<string, unknown>> {
  const { type, value, priority } = record;
  const relative = toRelative(record.name, zone);
  const name = relative === "@" ? "" : relative;
  const base = { type, name, ttl_sec: stepUp(record.ttl) };
  if (type === "CAA") {
    const { flags, tag, text: target } = splitCaa(value);
    if (flags !== 0) throw new ProviderError("unsupported", "Linode's CAA records have no flags.");
    return { ...base, tag, target };
  }
  // The root as a mail exchanger is an empty target here; it comes back so from a service, too.
  if (type === "MX") return { ...base, priority, target: value === "." ? "" : value };
  if (type !== "SRV") return { ...base, target: value };
  const [service = "", protocol = "", ...rest] = (name ?? "").split(".");
  const { weight, port, target } = splitSrv(value);
  const labels = { service: service.slice(1), protocol: protocol.slice(1), name: rest.join(".") };
  return { ...base, ...labels, priority, weight, port, target };
}

function toRow(wire: WireRecord, zone: string): Row {
  const { id, type } = wire;
  const isRoot = wire.target === "" && (type === "MX" || type === "SRV");
  const target = isRoot ? "." : openTarget(wire.target);
  const ttl = wire.ttl_sec === 0 ? manifest.defaultTtlSeconds : wire.ttl_sec;
  const priority = type === "MX" || type === "SRV" ? wire.priority : null;
  const record = { name: toAbsolute(joinOwner(wire), zone), type, ttl, priority };
  if (type === "CAA")
    return row(id, zone, { ...record, value: printCaa(0, wire.tag, wire.target) });
  const plain = type === "TXT" ? wire.target : target;
  const value = type === "SRV" ? `${wire.weight} ${wire.port} ${target}` : plain;
  return row(id, zone, { ...record, value });
}

function row(id: string, zone: string, record: Parameters<typeof readRow>[0]["record"]): Row {
  return readRow({ id, raw: null, zone, record });
}

/** Service and protocol are separate fields, without their underscores. */
function joinOwner({ type, name, service, protocol }: WireRecord): string {
  if (type !== "SRV" || service === "" || name.startsWith("_")) return name;
  return [`_${service}`, `_${protocol}`, ...(name === "" ? [] : [name])].join(".");
}

const explain: Explain = (answer) => {
  const body = jsonOrNull(answer);
  const errors = isObject(body) && Array.isArray(body["errors"]) ? body["errors"] : [];
  const first: unknown = errors[0];
  return isObject(first) ? { message: String(first["reason"] ?? "") } : null;
};
