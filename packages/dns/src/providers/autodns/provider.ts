import { normalizeName, toAbsolute, toRelative } from "../../name.ts";
import { absoluteTarget, parseData, plainTxt, readTarget } from "../../presentation.ts";
import type { DnsRecord } from "../../record.ts";
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
import { jsonApi, offsetPages } from "../adapter/json-api.ts";
import { defineBatchProvider } from "../adapter/record-provider.ts";
import { type Row, readRow } from "../adapter/rows.ts";
import { manifest } from "./manifest.ts";

const apiUrl = "https://api.autodns.com/v1";
/** The context of AutoDNS itself; resellers have others. */
const defaultContext = "4";
const zonesPerPage = 100;
/** Texts are bare. How quotes, backslashes and other scripts are stored is not documented. */
const textLimits = { forbidden: /["\\]|[^\x20-\x7e]|^\s|\s$|^$/, mostCharacters: 2_000 };
const targetTypes = ["CNAME", "ALIAS", "NS", "MX"];

const zonePage = object({
  object: object({ summary: number }),
  data: optional(list(object({ origin: text, virtualNameServer: optional(text, "") })), []),
});
const wireRecord = object({
  name: optional(text, ""),
  type: text,
  value: text,
  ttl: optional(number, null),
  pref: optional(number, null),
});
type WireRecord = ReturnType<typeof wireRecord>;
const wireZone = object({
  soa: optional(object({ ttl: optional(number, manifest.defaultTtlSeconds) }), null),
  nameServers: optional(list(object({ name: text })), []),
  main: optional(object({ address: optional(text, ""), ttl: optional(number, null) }), null),
  wwwInclude: optional(boolean, false),
  resourceRecords: optional(list(wireRecord), []),
});
type WireZone = ReturnType<typeof wireZone>;
const zoneAnswer = object({ data: optional(list(wireZone), []) });

/** Entries have no key: one is removed by all of its fields, and a plan is one request. */
export const autodns = defineBatchProvider<WireRecord>(manifest, (credentials, { http }) => {
  const { username = "", password = "", context = defaultContext } = credentials;
  const login = Buffer.from(`${username}:${password}`).toString("base64");
  const headers = { authorization: `Basic ${login}`, "x-domainrobot-context": context };
  const api = jsonApi(http, { baseUrl: apiUrl, headers, explain });

  /** A zone is known by its name and by the first of its servers. */
  const readZone = async (zone: Zone, signal: AbortSignal): Promise<WireZone> => {
    const [origin = "", server = ""] = zone.id.split("@");
    const path = `/zone/${encodeURIComponent(origin)}/${encodeURIComponent(server)}`;
    const [found] = (await api.read({ path }, zoneAnswer, signal)).data;
    if (found === undefined) {
      throw new ProviderError("not_found", `AutoDNS has no zone ${zone.name} for this user.`);
    }
    return found;
  };

  return {
    textLimits,
    async listZones(signal) {
      const found = await offsetPages(async (offset) => {
        const view = { limit: zonesPerPage, offset, children: false };
        const call = { method: "POST", path: "/zone/_search", body: { view } } as const;
        const answer = await api.read({ ...call, idempotent: true }, zonePage, signal);
        return { items: answer.data, total: answer.object.summary };
      });
      return found.flatMap(({ origin, virtualNameServer }) => {
        const name = normalizeName(origin);
        // Without a server there is no address by which it could be read.
        if (name === null || virtualNameServer === "") return [];
        return [{ id: `${origin}@${virtualNameServer}`, name, nameservers: [] }];
      });
    },
    async readNameservers(zone, signal) {
      const { nameServers } = await readZone(zone, signal);
      return nameServers.map(({ name }) => normalizeName(name) ?? name);
    },
    async readRows(zone, signal) {
      const found = await readZone(zone, signal);
      const ttl = found.soa?.ttl ?? manifest.defaultTtlSeconds;
      const records = found.resourceRecords.map((one) => toRow(one, zone.name, ttl));
      return [...mainRows(found, zone.name, ttl), ...records];
    },
    requireWritable,
    async writeRecords(zone, { remove, change, add }, signal) {
      const [origin = ""] = zone.id.split("@");
      const path = `/zone/${encodeURIComponent(origin)}/_stream`;
      const rems = [...remove, ...change.map(({ row }) => row)].map(({ raw }) => withoutNull(raw));
      const adds = [...change.map(({ record }) => record), ...add].map((record) =>
        toWire(record, zone.name),
      );
      await api.read({ method: "POST", path, body: { adds, rems } }, anything, signal);
    },
  };
});

/** What is removed has to be spelt as it is listed. */
function withoutNull(raw: WireRecord): Readonly<Record<string, unknown>> {
  return Object.fromEntries(Object.entries(raw).filter(([, value]) => value !== null));
}

function toWire(record: DnsRecord, zone: string): Readonly<Record<string, unknown>> {
  const { type, ttl, priority } = record;
  const relative = toRelative(record.name, zone);
  const name = relative === null || relative === "@" ? "" : relative;
  const hasTarget = targetTypes.includes(type) || type === "SRV";
  const value = hasTarget ? absoluteTarget(record.value) : record.value;
  return { name, type, ttl, value, ...(priority === null ? {} : { pref: priority }) };
}

function toRow(wire: WireRecord, zone: string, defaultTtl: number): Row<WireRecord> {
  const type = wire.type.toUpperCase();
  const record = {
    name: toAbsolute(wire.name, zone),
    type,
    ttl: wire.ttl ?? defaultTtl,
    ...readContent(wire, type, zone),
  };
  return readRow({ id: null, raw: wire, zone, record });
}

/** Targets without a closing dot are inside the zone. */
function readContent({ value, pref }: WireRecord, type: string, zone: string) {
  if (type === "TXT") return { value: plainTxt(value), priority: null };
  if (type === "SRV") {
    // The priority is the field, or else the first of four numbers.
    const data = /^\d+ \d+ \d+ /.test(value) ? value : `${pref ?? ""} ${value}`;
    return parseData("SRV", data, zone) ?? { value: null, priority: null };
  }
  if (!targetTypes.includes(type)) return { value, priority: null };
  return { value: readTarget(value, zone), priority: type === "MX" ? (pref ?? 0) : null };
}

/** The main address of a zone is a field of it, for the apex and perhaps `www`. */
function mainRows(found: WireZone, zone: string, defaultTtl: number): readonly Row<WireRecord>[] {
  const { main, wwwInclude } = found;
  if (main === null || main.address === "") return [];
  const names = wwwInclude ? ["", "www"] : [""];
  return names.map((name) => {
    const raw = { name, type: "A", value: main.address, ttl: main.ttl, pref: null };
    const record = {
      name: toAbsolute(name, zone),
      type: "A",
      ttl: main.ttl ?? defaultTtl,
      value: main.address,
    };
    const lockedBecause = "it is the main address of the zone, which is changed in AutoDNS";
    return readRow({ id: null, raw, zone, record, lockedBecause });
  });
}

/** Verified 2022-03 by another client. */
function requireWritable(records: readonly DnsRecord[]): void {
  const refused = records.find(({ type, value }) => type === "MX" && value === ".");
  if (refused === undefined) return;
  const message = `${refused.name}: AutoDNS stores no MX record without a host.`;
  throw new ProviderError("unsupported", message);
}

/** EF02022 is a record that is there already. */
const explain: Explain = (answer) => {
  const body = jsonOrNull(answer);
  if (!isObject(body)) return null;
  const listed: readonly unknown[] = Array.isArray(body["messages"]) ? body["messages"] : [];
  const messages = [body["status"], ...listed].filter(isObject);
  const codes = messages.map(({ code }) => String(code ?? ""));
  const said = messages.map((one) => `${one["text"] ?? ""} (${one["code"] ?? ""})`);
  const message = said.join(" ");
  return codes.includes("EF02022") ? { kind: "conflict", message } : { message };
};
