import { normalizeName, toRelative } from "../../name.ts";
import { readTarget, splitSrv } from "../../presentation.ts";
import type { DnsRecord } from "../../record.ts";
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
import { countedPages, jsonApi, numberedPages } from "../adapter/json-api.ts";
import { defineRecordProvider } from "../adapter/record-provider.ts";
import { type Row, readRow } from "../adapter/rows.ts";
import { manifest } from "./manifest.ts";
import { signRequest } from "./sign-request.ts";

const apiUrl = "https://rest.websupport.sk";
const servicesPerPage = 500;
const recordsPerPage = 100;
/** Texts are bare. How quotes, backslashes and other scripts are stored is not documented. */
const textLimits = { forbidden: /["\\]|[^\x20-\x7e]|^\s|\s$|^$/, mostCharacters: 2_000 };

const servicePage = object({
  items: optional(
    list(
      object({ id: textOrNumber, serviceName: text, name: text, status: optional(text, "active") }),
    ),
    [],
  ),
  pager: optional(object({ pagesize: optional(number, null), items: optional(number, 0) }), null),
});
const wireRecord = object({
  id: entryKey,
  type: text,
  name: text,
  content: optional(text, null),
  ttl: optional(number, manifest.defaultTtlSeconds),
  priority: optional(number, null),
  weight: optional(number, null),
  port: optional(number, null),
});
type WireRecord = ReturnType<typeof wireRecord>;
const recordPage = object({ data: optional(list(wireRecord), []), totalRecords: number });

export const websupport = defineRecordProvider(manifest, (credentials, { http, now }) => {
  const keys = { apiKey: credentials["api_key"] ?? "", secret: credentials["secret"] ?? "" };
  const api = jsonApi(http, {
    baseUrl: apiUrl,
    headers: { "accept-language": "en_us" },
    explain,
    authorize: async (request) => signRequest(request, keys, now()),
  });
  const recordsPath = (zone: Zone) => `/v2/service/${encodeURIComponent(zone.id)}/dns/record`;

  return {
    textLimits,
    readNameservers: "apex",
    async listZones(signal) {
      let received = 0;
      const services = await numberedPages(async (page) => {
        const query = { page, pagesize: servicesPerPage };
        const { items, pager } = await api.read(
          { path: "/v1/user/self/service", query },
          servicePage,
          signal,
        );
        received += items.length;
        const isFull = items.length >= (pager?.pagesize ?? servicesPerPage);
        const hasMore = items.length > 0 && (isFull || received < (pager?.items ?? 0));
        return { items, hasMore };
      });
      // A hosting is a service, too; only that of a domain has a zone.
      return services.flatMap(({ id, serviceName, status, name: domain }) => {
        const name = normalizeName(domain);
        const isZone = serviceName === "domain" && status === "active";
        return name === null || !isZone ? [] : [{ id, name, nameservers: [] }];
      });
    },
    async readRows(zone, signal) {
      const records = await countedPages(async (page) => {
        const call = { path: recordsPath(zone), query: { page, rowsPerPage: recordsPerPage } };
        const { data, totalRecords } = await api.read(call, recordPage, signal);
        return { items: data, total: totalRecords };
      });
      return records.map((record) => toRow(record, zone.name));
    },
    requireWritable,
    remove: (zone, { id }, signal) =>
      api.write({ method: "DELETE", path: `${recordsPath(zone)}/${id}` }, signal),
    change: (zone, { id }, record, signal) => {
      // The type cannot be sent again.
      const { type: _, ...body } = toWire(record, zone.name);
      return api.write({ method: "PUT", path: `${recordsPath(zone)}/${id}`, body }, signal);
    },
    add: (zone, record, signal) => {
      const body = toWire(record, zone.name);
      return api.write({ method: "POST", path: recordsPath(zone), body }, signal);
    },
  };
});

/** Names are sent relative and come back in full; targets have no closing dot. */
function toWire(record: DnsRecord, zone: string): Readonly<Record<string, unknown>> {
  const { type, value, ttl, priority } = record;
  const base = { type, name: toRelative(record.name, zone) ?? "@", ttl };
  if (type === "SRV") {
    const { weight, port, target } = splitSrv(value);
    return { ...base, content: target, priority, weight, port };
  }
  return { ...base, content: value, ...(priority === null ? {} : { priority }) };
}

function toRow(wire: WireRecord, zone: string): Row {
  const { id, name, ttl } = wire;
  const type = wire.type.toUpperCase();
  const priority = type === "MX" || type === "SRV" ? (wire.priority ?? 0) : null;
  const record = { name, type, ttl, priority, value: readContent(wire, type) };
  return readRow({ id, raw: null, zone, record });
}

/** Of a CAA record only a part is shown. */
function readContent({ content, weight, port }: WireRecord, type: string): string | null {
  if (content === null || type === "CAA") return null;
  if (type === "SRV") return `${weight ?? 0} ${port ?? 0} ${readTarget(content, null)}`;
  return ["CNAME", "NS", "MX"].includes(type) ? readTarget(content, null) : content;
}

/** A type that it does not store is accepted and dropped. */
const storedTypes: readonly string[] = ["A", "AAAA", "CNAME", "MX", "SRV", "TXT"];

function requireWritable(records: readonly DnsRecord[]): void {
  const refused = records.find(
    ({ type, value }) =>
      !storedTypes.includes(type) || (type !== "TXT" && /(?:^| )\.$/.test(value)),
  );
  if (refused === undefined) return;
  const { name, type, value } = refused;
  const what = storedTypes.includes(type) ? `${type} record ${value}` : `${type} record`;
  throw new ProviderError("unsupported", `${name}: Websupport's API stores no ${what}.`);
}

/** Version 1 answers with a message, version 2 with a title. */
const explain: Explain = (answer) => {
  const body = jsonOrNull(answer);
  if (!isObject(body)) return null;
  const message = String(body["title"] ?? body["message"] ?? "");
  return /already exists/i.test(message) ? { kind: "conflict", message } : { message };
};
