import { entryFor } from "../../foreign-text.ts";
import { normalizeName, toAbsolute, toRelative } from "../../name.ts";
import { parseData, plainTxt, quoteTxt } from "../../presentation.ts";
import type { DnsRecord } from "../../record.ts";
import type { Zone } from "../../zone.ts";
import { ProviderError, type ProviderErrorKind } from "../adapter/errors.ts";
import type { Explain } from "../adapter/http.ts";
import {
  anything,
  type Decoder,
  entryKey,
  isObject,
  jsonOrNull,
  list,
  number,
  object,
  optional,
  text,
} from "../adapter/json.ts";
import { type JsonCall, jsonApi, numberedPages } from "../adapter/json-api.ts";
import { defineRecordProvider } from "../adapter/record-provider.ts";
import { type Row, readRow } from "../adapter/rows.ts";
import { manifest } from "./manifest.ts";

const apiUrl = "https://api.infomaniak.com/2";
const recordsPerPage = 100;
/** Quotes and backslashes are escaped; other scripts come back as they are, or with an escape. */
const textLimits = { forbidden: /[^\x20-\x7e]|^$/, mostCharacters: 2_000 };

const envelope = object({
  result: text,
  data: optional(anything, null),
  error: optional(object({ code: optional(text, ""), description: optional(text, "") }), null),
  page: optional(number, 1),
  pages: optional(number, null),
  total: optional(number, 0),
});
const domains = list(object({ name: text }));
const zoneDetail = object({ nameservers: optional(list(text), []) });
const wireRecord = object({
  id: entryKey,
  source: optional(text, ""),
  type: text,
  ttl: optional(number, manifest.defaultTtlSeconds),
  target: optional(text, ""),
  dyndns_id: optional(anything, null),
  delegated_zone: optional(anything, null),
});
type WireRecord = ReturnType<typeof wireRecord>;

export const infomaniak = defineRecordProvider(manifest, (credentials, { http }) => {
  const headers = { authorization: `Bearer ${credentials["api_token"]}` };
  const api = jsonApi(http, { baseUrl: apiUrl, headers, explain });
  const ask = async (call: JsonCall, signal: AbortSignal) => {
    const answer = await api.read(call, envelope, signal);
    if (answer.result === "success") return answer;
    throw toError(answer.error?.code ?? "", answer.error?.description ?? "");
  };
  const listAll = <T>(
    path: string,
    perPage: number | null,
    decoder: Decoder<readonly T[]>,
    signal: AbortSignal,
  ) =>
    numberedPages(async (page) => {
      const query = { page, ...(perPage === null ? {} : { per_page: perPage }) };
      const answer = await ask({ path, query }, signal);
      const items = decoder(answer.data ?? [], "data");
      const hasMore = answer.pages === null ? items.length === perPage : page < answer.pages;
      return { items, hasMore, total: answer.total };
    });
  const zonePath = (zone: Zone) => `/zones/${encodeURIComponent(zone.id)}`;
  const recordPath = (zone: Zone, { id }: Row) =>
    `${zonePath(zone)}/records/${encodeURIComponent(id)}`;
  const write = async (
    method: "POST" | "PUT" | "DELETE",
    path: string,
    body: unknown,
    signal: AbortSignal,
  ) => {
    await ask({ method, path, ...(body === null ? {} : { body }) }, signal);
  };

  return {
    textLimits,
    async listZones(signal) {
      const listed = await listAll("/domains/domains", null, domains, signal);
      return listed.flatMap(({ name: id }) => {
        const name = normalizeName(id);
        return name === null ? [] : [{ id, name, nameservers: [] }];
      });
    },
    async readNameservers(zone, signal) {
      const { data } = await ask({ path: zonePath(zone) }, signal);
      const { nameservers } = zoneDetail(data, "data");
      return nameservers.map((server) => server.replace(/\.$/, "").toLowerCase());
    },
    async readRows(zone, signal) {
      const path = `${zonePath(zone)}/records`;
      const records = await listAll(path, recordsPerPage, list(wireRecord), signal);
      return records.map((record) => toRow(record, zone.name));
    },
    remove: (zone, row, signal) => write("DELETE", recordPath(zone, row), null, signal),
    change: (zone, row, record, signal) =>
      write("PUT", recordPath(zone, row), toData(record), signal),
    add: (zone, record, signal) => {
      const relative = toRelative(record.name, zone.name, "");
      // The apex is a dot.
      const source = relative === "" || relative === null ? "." : relative;
      const body = { type: record.type, source, ...toData(record) };
      return write("POST", `${zonePath(zone)}/records`, body, signal);
    },
  };
});

/** Targets have no closing dot, priorities are before them, texts are in quotes. */
function toData({ type, value, ttl, priority }: DnsRecord) {
  const target = type === "TXT" ? quoteTxt(value) : value;
  return { target: priority === null ? target : `${priority} ${target}`, ttl };
}

function toRow(wire: WireRecord, zone: string): Row {
  const type = wire.type.toUpperCase();
  const data = readData(type, wire.target);
  const source = wire.source === "." ? "" : wire.source;
  const record = {
    name: toAbsolute(source, zone),
    type,
    ttl: wire.ttl,
    value: data?.value ?? null,
    priority: data?.priority ?? null,
  };
  return readRow({ id: wire.id, raw: null, zone, record, lockedBecause: findLock(wire) });
}

function readData(type: string, target: string): ReturnType<typeof parseData> {
  if (type !== "TXT") return parseData(type, target, null);
  const value = plainTxt(target);
  return value === null ? null : { value, priority: null };
}

function findLock({ dyndns_id: dynamic, delegated_zone: delegated }: WireRecord) {
  if (dynamic !== null) return "it is updated by dynamic DNS";
  return delegated === null ? null : "it belongs to a delegated zone";
}

/** Last verified 2026-11. */
const kindByCode: Readonly<Record<string, ProviderErrorKind>> = {
  not_authorized: "auth",
  forbidden: "auth",
  object_not_found: "not_found",
  zone_does_not_exists: "not_found",
  too_many_requests: "rate_limited",
  validation_failed: "unsupported",
};

function toError(code: string, description: string): ProviderError {
  const kind = entryFor(kindByCode, code);
  const said = kind === "auth" || description === "" ? "." : `: ${description}`;
  return new ProviderError(kind ?? "unavailable", `Infomaniak answered ${code}${said}`);
}

const explain: Explain = (answer) => {
  const body = jsonOrNull(answer);
  const error = isObject(body) ? body["error"] : null;
  return isObject(error) ? { message: String(error["description"] ?? "") } : null;
};
