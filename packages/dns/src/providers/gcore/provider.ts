import { normalizeName } from "../../name.ts";
import { absoluteTarget, readTarget, splitCaa, splitSrv } from "../../presentation.ts";
import { type DnsRecord, printCaa } from "../../record.ts";
import type { Zone } from "../../zone.ts";
import { ProviderError } from "../adapter/errors.ts";
import type { Explain } from "../adapter/http.ts";
import {
  anything,
  boolean,
  isObject,
  jsonOrNull,
  list,
  number,
  object,
  optional,
  text,
} from "../adapter/json.ts";
import { ignoreNotFound, jsonApi, offsetPages, requireCount } from "../adapter/json-api.ts";
import { defineSetProvider } from "../adapter/record-provider.ts";
import { type Row, readRow } from "../adapter/rows.ts";
import { manifest } from "./manifest.ts";

const apiUrl = "https://api.gcore.com/dns/v2";
const zonesPerPage = 100;
/** Texts are bare. How quotes, backslashes and other scripts are stored is not documented. */
const textLimits = { forbidden: /["\\]|[^\x20-\x7e]|^\s|\s$|^$/, mostCharacters: 2_000 };

/** The fields of a value: numbers and texts, and lists of them for types that are not read. */
const content = list(anything);
type Content = readonly unknown[];
const zonePage = object({
  zones: optional(list(object({ name: text })), []),
  total_amount: number,
});
const wireValue = object({
  content,
  enabled: optional(boolean, true),
  meta: optional(anything, null),
});
type WireValue = ReturnType<typeof wireValue>;
const wireSet = object({
  name: text,
  type: text,
  ttl: optional(number, manifest.defaultTtlSeconds),
  meta: optional(anything, null),
  filters: optional(list(anything), []),
  pickers: optional(list(anything), []),
  resource_records: optional(list(wireValue), []),
});
type WireSet = ReturnType<typeof wireSet>;
const sets = object({ rrsets: optional(list(wireSet), []), total_amount: optional(number, 0) });

export const gcore = defineSetProvider<WireValue>(manifest, (credentials, { http }) => {
  const headers = { authorization: `APIKey ${credentials["api_token"]}` };
  const api = jsonApi(http, { baseUrl: apiUrl, headers, explain });
  const zonePath = (zone: Zone) => `/zones/${encodeURIComponent(zone.id)}`;

  return {
    textLimits,
    readNameservers: "apex",
    async listZones(signal) {
      const found = await offsetPages(async (offset) => {
        const query = { limit: zonesPerPage, offset };
        const answer = await api.read({ path: "/zones", query }, zonePage, signal);
        return { items: answer.zones, total: answer.total_amount };
      });
      return found.flatMap(({ name: id }) => {
        const name = normalizeName(id);
        return name === null ? [] : [{ id, name, nameservers: [] }];
      });
    },
    async readRows(zone, signal) {
      const path = `${zonePath(zone)}/rrsets`;
      const answer = await api.read({ path, query: { all: "true" } }, sets, signal);
      requireCount(answer.rrsets, answer.total_amount);
      return answer.rrsets.flatMap((set) => toRows(set, zone.name));
    },
    requireWritable,
    async writeSet(zone, { name, type, ttl, before, retain, add }, signal) {
      // A CNAME at the apex is answered with the addresses of its target.
      const wireType = type === "ALIAS" ? "CNAME" : type;
      const path = `${zonePath(zone)}/${encodeURIComponent(name)}/${wireType}`;
      const added = add.map((record) => ({ content: toContent(record), enabled: true, meta: {} }));
      const values = [...retain.map(({ raw }) => ({ ...raw, meta: raw.meta ?? {} })), ...added];
      if (values.length === 0) return ignoreNotFound(api.write({ method: "DELETE", path }, signal));
      const method = before.length === 0 ? "POST" : "PUT";
      return api.write({ method, path, body: { ttl, resource_records: values } }, signal);
    },
  };
});

function toContent(record: DnsRecord): Content {
  const { type, value, priority } = record;
  switch (type) {
    case "MX":
      return [priority, absoluteTarget(value)];
    case "SRV": {
      const { weight, port, target } = splitSrv(value);
      return [priority, weight, port, absoluteTarget(target)];
    }
    case "CAA": {
      const { flags, tag, text: authority } = splitCaa(value);
      return [flags, tag, authority];
    }
    case "CNAME":
    case "ALIAS":
    case "NS":
      return [absoluteTarget(value)];
    default:
      return [value];
  }
}

function toRows(set: WireSet, zone: string): readonly Row<WireValue>[] {
  const { ttl } = set;
  const type = set.type.toUpperCase();
  const name = normalizeName(set.name) ?? set.name;
  return set.resource_records.map((raw) => {
    const record = { name, type, ttl, ...readContent(type, raw.content) };
    return readRow({ id: null, raw, zone, record, lockedBecause: whyLocked(set, raw) });
  });
}

function whyLocked(set: WireSet, { enabled, meta }: WireValue): string | null {
  if (set.filters.length > 0 || set.pickers.length > 0 || !isEmpty(set.meta)) {
    return "Gcore chooses its answer by visitor or health";
  }
  // What is written beside a value would be lost, or decides who gets it.
  if (!isEmpty(meta)) return "it has settings that decide who gets it";
  return enabled ? null : "it is switched off";
}

function isEmpty(meta: unknown): boolean {
  return !isObject(meta) || Object.keys(meta).length === 0;
}

type Data = { readonly value: string | null; readonly priority: number | null };
const unreadable: Data = { value: null, priority: null };

/** Targets are absolute, with a closing dot or without. */
function readContent(type: string, fields: Content): Data {
  const texts = fields.filter(isPlain).map(String);
  const [first, second, third, fourth] = texts;
  if (texts.length !== fields.length || first === undefined) return unreadable;
  switch (type) {
    case "TXT":
      return { value: texts.join(""), priority: null };
    case "MX":
      if (!second) return unreadable;
      return { value: readTarget(second, null), priority: Number(first) };
    case "SRV":
      if (!fourth) return unreadable;
      return { value: `${second} ${third} ${readTarget(fourth, null)}`, priority: Number(first) };
    case "CAA":
      if (!second) return unreadable;
      return { value: printCaa(Number(first), second, third ?? ""), priority: null };
    case "CNAME":
    case "NS":
      return { value: readTarget(first, null), priority: null };
    default:
      return { value: texts.join(" "), priority: null };
  }
}

function isPlain(value: unknown): boolean {
  return typeof value === "string" || typeof value === "number";
}

function requireWritable(records: readonly DnsRecord[]): void {
  const refused = records.find(({ type, value }) => type === "SRV" && value.endsWith(" ."));
  if (refused === undefined) return;
  const message = `${refused.name}: Gcore stores no SRV record without a host.`;
  throw new ProviderError("unsupported", message);
}

const explain: Explain = (answer) => {
  const body = jsonOrNull(answer);
  if (!isObject(body)) return null;
  const message = String(body["error"] ?? body["message"] ?? "");
  return /already exists/i.test(message) ? { kind: "conflict", message } : { message };
};
