import { splitCaa, splitSrv } from "../../presentation.ts";
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
} from "../adapter/json.ts";
import { ignoreNotFound, jsonApi } from "../adapter/json-api.ts";
import { defineRecordProvider } from "../adapter/record-provider.ts";
import { type Row, readRow } from "../adapter/rows.ts";
import { manifest } from "./manifest.ts";

const apiUrl = "https://api.netlify.com/api/v1";

const zones = list(object({ id: text, name: text, dns_servers: optional(list(text), []) }));
const wireRecord = object({
  id: entryKey,
  hostname: text,
  type: text,
  value: optional(text, ""),
  ttl: optional(number, 3_600),
  priority: optional(number, null),
  weight: optional(number, 0),
  port: optional(number, 0),
  flag: optional(number, 0),
  tag: optional(text, ""),
  managed: optional(boolean, false),
});
type WireRecord = ReturnType<typeof wireRecord>;

/** The API cannot change a record: a new one is created and the old one deleted. */
export const netlify = defineRecordProvider(manifest, (credentials, { http }) => {
  const headers = { authorization: `Bearer ${credentials["api_token"]}` };
  const api = jsonApi(http, { baseUrl: apiUrl, headers, explain });
  const account = credentials["account_slug"];
  const recordsPath = (zone: Zone) => `/dns_zones/${encodeURIComponent(zone.id)}/dns_records`;
  const remove = (zone: Zone, { id }: Row, signal: AbortSignal) =>
    api.write({ method: "DELETE", path: `${recordsPath(zone)}/${id}` }, signal);
  const add = (zone: Zone, record: DnsRecord, signal: AbortSignal) =>
    api.write({ method: "POST", path: recordsPath(zone), body: toWire(record) }, signal);

  return {
    async listZones(signal) {
      const query = account === undefined ? {} : { account_slug: account };
      const found = await api.read({ path: "/dns_zones", query }, zones, signal);
      return found.map(({ id, name, dns_servers }) => ({ id, name, nameservers: dns_servers }));
    },
    async readRows(zone, signal) {
      const records = await api.read({ path: recordsPath(zone) }, list(wireRecord), signal);
      return records.map((record) => toRow(record, zone.name));
    },
    remove,
    async change(zone, row, record, signal) {
      // The old one is deleted first where both cannot be there at once, and the name is briefly
      // empty: a name has at most one CNAME, and no record twice with different TTLs.
      const isFirst = record.type === "CNAME" || row.record?.value === record.value;
      if (isFirst) await ignoreNotFound(remove(zone, row, signal));
      await add(zone, record, signal);
      if (!isFirst) await ignoreNotFound(remove(zone, row, signal));
    },
    add,
  };
});

function toWire(record: DnsRecord): Readonly<Record<string, unknown>> {
  const { type, name: hostname, value, ttl, priority } = record;
  const base = { type, hostname, ttl };
  if (type === "CAA") {
    const { flags: flag, tag, text: authority } = splitCaa(value);
    return { ...base, flag, tag, value: authority };
  }
  if (type === "SRV") {
    const { weight, port, target } = splitSrv(value);
    return { ...base, priority, weight, port, value: target };
  }
  return priority === null ? { ...base, value } : { ...base, value, priority };
}

function toRow(wire: WireRecord, zone: string): Row {
  const { id, hostname: name, type, ttl } = wire;
  const priority = type === "MX" || type === "SRV" ? wire.priority : null;
  const record = { name, type, ttl, priority, value: readContent(wire) };
  const lockedBecause = wire.managed ? "Netlify manages it" : null;
  return readRow({ id, raw: null, zone, record, lockedBecause });
}

function readContent({ type, value, flag, tag, weight, port }: WireRecord): string {
  if (type === "CAA") return printCaa(flag, tag, value);
  return type === "SRV" ? `${weight} ${port} ${value}` : value;
}

const explain: Explain = (answer) => {
  const body = jsonOrNull(answer);
  return isObject(body) ? { message: String(body["message"] ?? "") } : null;
};
