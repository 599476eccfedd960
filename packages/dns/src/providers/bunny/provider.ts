import { toAbsolute, toRelative } from "../../name.ts";
import { openTarget, splitCaa, splitSrv } from "../../presentation.ts";
import type { DnsRecord } from "../../record.ts";
import { printCaa } from "../../record.ts";
import type { Zone } from "../../zone.ts";
import type { Explain } from "../adapter/http.ts";
import {
  boolean,
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
import { allPages, jsonApi } from "../adapter/json-api.ts";
import { defineRecordProvider } from "../adapter/record-provider.ts";
import { type Row, readRow } from "../adapter/rows.ts";
import { manifest } from "./manifest.ts";

const apiUrl = "https://api.bunny.net";
/** Types are numbers: the index in this list. */
const typesByNumber: readonly string[] = [
  "A",
  "AAAA",
  "CNAME",
  "TXT",
  "MX",
  "REDIRECT",
  "FLATTEN",
  "PULLZONE",
  "SRV",
  "CAA",
  "PTR",
  "SCRIPT",
  "NS",
  "SVCB",
  "HTTPS",
  "TLSA",
];

const zonePage = object({
  Items: list(
    object({
      Id: textOrNumber,
      Domain: text,
      Nameserver1: optional(text, ""),
      Nameserver2: optional(text, ""),
    }),
  ),
  HasMoreItems: optional(boolean, false),
});
const wireRecord = object({
  Id: entryKey,
  Type: number,
  Name: optional(text, ""),
  Value: optional(text, ""),
  Ttl: optional(number, 300),
  Priority: optional(number, 0),
  Weight: optional(number, 0),
  Port: optional(number, 0),
  Flags: optional(number, 0),
  Tag: optional(text, ""),
  Disabled: optional(boolean, false),
  Accelerated: optional(boolean, false),
  SmartRoutingType: optional(number, 0),
  MonitorType: optional(number, 0),
});
type WireRecord = ReturnType<typeof wireRecord>;
const zoneDetail = object({ Records: optional(list(wireRecord), []) });

export const bunny = defineRecordProvider(manifest, (credentials, { http }) => {
  const headers = { accesskey: credentials["api_key"] ?? "" };
  const api = jsonApi(http, { baseUrl: apiUrl, headers, explain });
  const zonePath = (zone: Zone) => `/dnszone/${encodeURIComponent(zone.id)}`;
  const recordsPath = (zone: Zone) => `${zonePath(zone)}/records`;

  return {
    async listZones(signal) {
      const zones = await allPages(async (cursor: number | null) => {
        const page = cursor ?? 1;
        const call = { path: "/dnszone", query: { page, perPage: 1_000 } };
        const answer = await api.read(call, zonePage, signal);
        return { items: answer.Items, next: answer.HasMoreItems ? page + 1 : null };
      });
      return zones.map(({ Id, Domain, Nameserver1, Nameserver2 }) => ({
        id: Id,
        name: Domain,
        nameservers: [Nameserver1, Nameserver2].filter((server) => server !== ""),
      }));
    },
    async readRows(zone, signal) {
      const { Records } = await api.read({ path: zonePath(zone) }, zoneDetail, signal);
      return Records.map((record) => toRow(record, Records, zone.name));
    },
    remove: (zone, { id }, signal) =>
      api.write({ method: "DELETE", path: `${recordsPath(zone)}/${id}` }, signal),
    change: (zone, { id }, record, signal) => {
      const body = { Id: Number(id), ...toWire(record, zone.name) };
      const path = `${recordsPath(zone)}/${id}`;
      return api.write({ method: "POST", path, body, idempotent: true }, signal);
    },
    // PUT creates a record in this API; sent twice it creates two.
    add: (zone, record, signal) => {
      const body = toWire(record, zone.name);
      return api.write({ method: "PUT", path: recordsPath(zone), body, idempotent: false }, signal);
    },
  };
});

function toWire(record: DnsRecord, zone: string): Readonly<Record<string, unknown>> {
  const type = record.type === "ALIAS" ? "CNAME" : record.type;
  const relative = toRelative(record.name, zone);
  const base = {
    Type: typesByNumber.indexOf(type),
    Name: relative === "@" ? "" : relative,
    Ttl: record.ttl,
    Disabled: false,
  };
  if (type === "CAA") {
    const { flags, tag, text: authority } = splitCaa(record.value);
    return { ...base, Flags: flags, Tag: tag, Value: authority };
  }
  if (type === "SRV") {
    const { weight, port, target } = splitSrv(record.value);
    return { ...base, Priority: record.priority, Weight: weight, Port: port, Value: target };
  }
  const ranked = record.priority === null ? {} : { Priority: record.priority };
  return { ...base, ...ranked, Value: record.value };
}

function toRow(wire: WireRecord, all: readonly WireRecord[], zone: string): Row {
  const type = typesByNumber[wire.Type] ?? `TYPE-${wire.Type}`;
  const priority = type === "MX" || type === "SRV" ? wire.Priority : null;
  const name = toAbsolute(wire.Name, zone);
  const record = { name, type, ttl: wire.Ttl, priority, value: readContent(type, wire) };
  return readRow({ id: wire.Id, raw: null, zone, record, lockedBecause: findLock(wire, all) });
}

/** These settings would be lost with a change, and decide what the name resolves to. */
function findLock(wire: WireRecord, all: readonly WireRecord[]): string | null {
  if (wire.Disabled) return "it is switched off at bunny.net";
  if (wire.Accelerated) return "bunny.net's CDN answers for it";
  if (wire.SmartRoutingType !== 0) return "it is part of smart routing";
  if (wire.MonitorType !== 0) return "bunny.net monitors it and takes it out of service";
  const set = all.filter(({ Name, Type }) => Name === wire.Name && Type === wire.Type);
  const isWeighted = wire.Type <= 1 && set.some(({ Weight }) => Weight !== wire.Weight);
  return isWeighted ? "it is part of a weighted set" : null;
}

function readContent(type: string, { Value, Flags, Tag, Weight, Port }: WireRecord): string {
  if (type === "TXT") return Value;
  if (type === "CAA") return printCaa(Flags, Tag, Value);
  const target = openTarget(Value);
  return type === "SRV" ? `${Weight} ${Port} ${target}` : target;
}

const explain: Explain = (answer) => {
  const body = jsonOrNull(answer);
  return isObject(body) ? { message: String(body["Message"] ?? "") } : null;
};
