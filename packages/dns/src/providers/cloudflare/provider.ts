import { quoteTxt, splitCaa, splitSrv, unquoteTxt } from "../../presentation.ts";
import { type DnsRecord, printCaa, type RecordSetting } from "../../record.ts";
import type { Explain } from "../adapter/http.ts";
import {
  anything,
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
import { jsonApi, numberedPages } from "../adapter/json-api.ts";
import { defineBatchProvider } from "../adapter/record-provider.ts";
import { type Row, readRow } from "../adapter/rows.ts";
import { manifest } from "./manifest.ts";

const apiUrl = "https://api.cloudflare.com/client/v4";
/** The value 1 means "automatic", which is served as five minutes. */
const automaticTtl = 1;
const automaticTtlSeconds = 300;
const maxTtlSeconds = 86_400;

const proxied: RecordSetting = {
  key: "proxied",
  note: "Cloudflare's proxy answers for it at present; proxying will be switched off for this name.",
  retained: "Cloudflare's proxy answers for it at present, and stays switched on for this name.",
};

const pageInfo = object({ total_pages: optional(number, 1), total_count: optional(number, 0) });
const zonePage = object({
  result: list(
    object({
      id: text,
      name: text,
      type: optional(text, "full"),
      name_servers: optional(list(text), []),
    }),
  ),
  result_info: pageInfo,
});
const wireRecord = object({
  id: entryKey,
  type: text,
  name: text,
  content: optional(text, ""),
  ttl: number,
  priority: optional(number, null),
  proxied: optional(boolean, false),
  data: anything,
  meta: optional(object({ read_only: optional(boolean, false) }), { read_only: false }),
});
type WireRecord = ReturnType<typeof wireRecord>;
/** Other types have fields of the same names with other types; only these two are decoded. */
const caaData = object({ flags: number, tag: text, value: text });
const srvData = object({ priority: number, weight: number, port: number, target: text });
const recordPage = object({ result: list(wireRecord), result_info: pageInfo });

export const cloudflare = defineBatchProvider(manifest, (credentials, { http }) => {
  const headers = { authorization: `Bearer ${credentials["api_token"]}` };
  const api = jsonApi(http, { baseUrl: apiUrl, headers, explain });

  return {
    async listZones(signal) {
      const zones = await numberedPages(async (page) => {
        const call = { path: "/zones", query: { page, per_page: 50 } };
        const answer = await api.read(call, zonePage, signal);
        return { items: answer.result, hasMore: page < answer.result_info.total_pages };
      });
      // Partial and secondary zones are answered from elsewhere; writing here would change nothing.
      return zones
        .filter(({ type }) => type === "full")
        .map(({ id, name, name_servers }) => ({ id, name, nameservers: name_servers }));
    },
    async readRows(zone, signal) {
      const records = await numberedPages(async (page) => {
        const path = `/zones/${encodeURIComponent(zone.id)}/dns_records`;
        const answer = await api.read({ path, query: { page, per_page: 100 } }, recordPage, signal);
        const { total_pages: pages, total_count: total } = answer.result_info;
        return { items: answer.result, hasMore: page < pages, total };
      });
      return records.map((record) => toRow(record, zone.name));
    },
    async writeRecords(zone, { remove, change, add }, signal) {
      // One transaction, run in the order deletes, patches, posts.
      const body = {
        deletes: remove.map(({ id }) => ({ id })),
        patches: change.map(({ row, record }) => ({ id: row.id, ...toWire(record) })),
        posts: add.map(toWire),
      };
      const path = `/zones/${encodeURIComponent(zone.id)}/dns_records/batch`;
      await api.write({ method: "POST", path, body }, signal);
    },
  };
});

function toWire(record: DnsRecord): Readonly<Record<string, unknown>> {
  const type = record.type === "ALIAS" ? "CNAME" : record.type;
  const base = { type, name: record.name, ttl: Math.min(record.ttl, maxTtlSeconds) };
  switch (record.type) {
    case "CAA": {
      const { flags, tag, text: value } = splitCaa(record.value);
      return { ...base, data: { flags, tag, value } };
    }
    case "SRV":
      return { ...base, data: { priority: record.priority, ...splitSrv(record.value) } };
    case "MX":
      return { ...base, content: record.value, priority: record.priority };
    case "TXT":
      return { ...base, content: quoteTxt(record.value) };
    case "NS":
      return { ...base, content: record.value };
    default:
      // A proxied record answers with the proxy's addresses and hides the target; only one that
      // replaces a proxied one and keeps its setting, or is restored, is proxied.
      return record.setting?.key === proxied.key
        ? { ...base, ttl: automaticTtl, content: record.value, proxied: true }
        : { ...base, content: record.value, proxied: false };
  }
}

function toRow(wire: WireRecord, zone: string): Row {
  const { id, type, name } = wire;
  const ttl = wire.ttl === automaticTtl ? automaticTtlSeconds : wire.ttl;
  const record = { name, type, ttl, ...readContent(wire) };
  const lockedBecause = wire.meta.read_only ? "Cloudflare manages it" : null;
  const setting = wire.proxied ? proxied : null;
  return readRow({ id, raw: null, zone, record, lockedBecause, setting });
}

function readContent({ type, content, priority, data }: WireRecord): {
  readonly value: string | null;
  readonly priority: number | null;
} {
  switch (type) {
    case "TXT":
      return { value: content.startsWith('"') ? unquoteTxt(content) : content, priority: null };
    case "CAA": {
      const { flags, tag, value } = caaData(data, "data");
      return { value: printCaa(flags, tag, value), priority: null };
    }
    case "SRV": {
      const { weight, port, target, priority: rank } = srvData(data, "data");
      return { value: `${weight} ${port} ${target}`, priority: rank };
    }
    default:
      return { value: content, priority: type === "MX" ? priority : null };
  }
}

const explain: Explain = (answer) => {
  const body = jsonOrNull(answer);
  const errors = isObject(body) && Array.isArray(body["errors"]) ? body["errors"] : [];
  const found: unknown = errors[0];
  if (!isObject(found)) return null;
  const kind = kindByCode[Number(found["code"])];
  const message = String(found["message"] ?? "");
  return kind === undefined ? { message } : { kind, message };
};

const kindByCode: Readonly<Record<number, "auth" | "not_found" | "rate_limited" | "conflict">> = {
  971: "rate_limited",
  1000: "auth",
  6003: "auth",
  7003: "not_found",
  9109: "auth",
  10000: "auth",
  81053: "conflict",
  81054: "conflict",
  81056: "conflict",
};
