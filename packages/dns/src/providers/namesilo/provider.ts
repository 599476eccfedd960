import { entryFor } from "../../foreign-text.ts";
import { toRelative } from "../../name.ts";
import type { DnsRecord } from "../../record.ts";
import type { Zone } from "../../zone.ts";
import { ProviderError, type ProviderErrorKind } from "../adapter/errors.ts";
import { countedPages } from "../adapter/json-api.ts";
import { defineRecordProvider } from "../adapter/record-provider.ts";
import { type Row, readRow } from "../adapter/rows.ts";
import { child, findChildren, parseXml, textAt, type XmlElement } from "../adapter/xml.ts";
import { manifest } from "./manifest.ts";

const apiUrl = "https://www.namesilo.com/api";
const maxTtlSeconds = 2_592_000;
/** Texts are neither quoted nor escaped; nothing says what becomes of these characters. */
const textLimits = { forbidden: /["\\]|[^\x20-\x7e]|^\s|\s$/, mostCharacters: 2_048 };
/** The types whose form is known; others are only shown. */
const knownTypes: ReadonlySet<string> = new Set(["A", "AAAA", "CNAME", "MX", "TXT"]);

type Fields = Readonly<Record<string, string>>;

export const namesilo = defineRecordProvider(manifest, (credentials, { http }) => {
  const common = { version: "1", type: "xml", key: credentials["api_key"] ?? "" };

  /** Every call is a GET, also those that write; only reading may be repeated. */
  const call = async (
    operation: string,
    fields: Fields,
    signal: AbortSignal,
  ): Promise<XmlElement> => {
    const url = `${apiUrl}/${operation}?${new URLSearchParams({ ...common, ...fields })}`;
    const idempotent = operation === "listDomains" || operation === "dnsListRecords";
    const headers = { accept: "text/xml" };
    const answer = await http.send({ method: "GET", url, headers, idempotent }, signal);
    const reply = child(parseXml(answer.text), "reply");
    if (reply === null) throw new ProviderError("unavailable", "NameSilo's answer is empty.");
    const code = textAt(reply, "code");
    if (code !== "300") {
      const detail = child(reply, "detail")?.text.trim() ?? "";
      throw toError(code, detail.replaceAll(common.key, "…"));
    }
    return reply;
  };
  const write = async (zone: Zone, operation: string, fields: Fields, signal: AbortSignal) => {
    await call(operation, { domain: zone.id, ...fields }, signal);
  };

  return {
    textLimits,
    async listZones(signal) {
      const names = await countedPages(async (page) => {
        const fields = page === 1 ? {} : { page: String(page) };
        const reply = await call("listDomains", fields, signal);
        const items = findChildren(child(reply, "domains"), "domain").map(({ text }) =>
          text.trim(),
        );
        return { items, total: Number(child(reply, "pager", "total")?.text ?? items.length) };
      });
      // The API names the domain's live servers, not the zone's: the manifest's have to be
      // compared.
      return names.map((name) => ({ id: name, name: name.toLowerCase(), nameservers: [] }));
    },
    async readRows(zone, signal) {
      const reply = await call("dnsListRecords", { domain: zone.id }, signal);
      return findChildren(reply, "resource_record").map((one) => toRow(one, zone.name));
    },
    requireWritable: requireKnownTypes,
    remove: (zone, { id }, signal) => write(zone, "dnsDeleteRecord", { rrid: id }, signal),
    change: (zone, { id }, record, signal) =>
      write(zone, "dnsUpdateRecord", { rrid: id, ...toWire(record, zone.name) }, signal),
    add: (zone, record, signal) => {
      const fields = { rrtype: record.type, ...toWire(record, zone.name) };
      return write(zone, "dnsAddRecord", fields, signal);
    },
  };
});

/** Names are sent relative, with an empty apex, and come back in full. */
function toWire({ name, value, ttl, priority }: DnsRecord, zone: string): Fields {
  const relative = toRelative(name, zone);
  return {
    rrhost: relative === null || relative === "@" ? "" : relative,
    rrvalue: value,
    rrttl: String(Math.min(ttl, maxTtlSeconds)),
    ...(priority === null ? {} : { rrdistance: String(priority) }),
  };
}

function toRow(element: XmlElement, zone: string): Row {
  const type = textAt(element, "type");
  const content = child(element, "value")?.text ?? "";
  const plain = type === "TXT" ? content : content.trim().replace(/(?<=.)\.$/, "");
  const record = {
    name: textAt(element, "host"),
    type,
    ttl: Number(textAt(element, "ttl")),
    value: knownTypes.has(type) ? plain : null,
    priority: type === "MX" ? Number(textAt(element, "distance")) : null,
  };
  return readRow({ id: child(element, "record_id")?.text.trim() ?? "", raw: null, zone, record });
}

function requireKnownTypes(records: readonly DnsRecord[]): void {
  const unknown = records.find(({ type }) => !knownTypes.has(type));
  if (unknown === undefined) return;
  const { name, type } = unknown;
  throw new ProviderError(
    "unsupported",
    `${name}: NameSilo's API is not known to store ${type} records.`,
  );
}

/** Last verified 2026-11. */
const kindByCode: Readonly<Record<string, ProviderErrorKind>> = {
  109: "auth",
  110: "auth",
  111: "auth",
  112: "auth",
  113: "auth",
  114: "not_found",
  115: "unavailable",
  200: "not_found",
  201: "unavailable",
  400: "rate_limited",
};

/** Every answer has status 200; the code says what happened. */
function toError(code: string, detail: string): ProviderError {
  const kind =
    entryFor(kindByCode, code) ?? (/already exists|duplicate/i.test(detail) ? "conflict" : null);
  if (kind === "auth") {
    const why = code === "113" ? "cannot be used from this service's address" : "is not accepted";
    return new ProviderError("auth", `The API key ${why} (NameSilo code ${code}).`);
  }
  return new ProviderError(kind ?? "unsupported", `NameSilo refused: ${detail} (code ${code})`);
}
