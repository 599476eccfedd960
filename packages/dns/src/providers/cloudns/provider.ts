import { toAbsolute, toRelative } from "../../name.ts";
import { absoluteTarget, readTarget, splitCaa, splitSrv } from "../../presentation.ts";
import { type DnsRecord, printCaa } from "../../record.ts";
import type { Credentials } from "../adapter/contract.ts";
import { ProviderError, type ProviderErrorKind } from "../adapter/errors.ts";
import {
  anything,
  type Decoder,
  entryKey,
  isObject,
  list,
  object,
  optional,
  text,
  textOrNumber,
} from "../adapter/json.ts";
import { allPages, jsonApi } from "../adapter/json-api.ts";
import { defineRecordProvider } from "../adapter/record-provider.ts";
import { type Row, readRow } from "../adapter/rows.ts";
import { manifest } from "./manifest.ts";

const apiUrl = "https://api.cloudns.net/dns";
/**
 * Quotes, backticks and spaces at the end are refused; backslashes and other scripts are not
 * documented.
 */
const textLimits = { forbidden: /["`\\]|[^\x20-\x7e]|^\s|\s$|^$/, mostCharacters: 2_000 };
const zonesPerPage = 50;
/** The only TTLs that there are. */
const ttls: readonly number[] = [
  60, 300, 900, 1_800, 3_600, 21_600, 43_200, 86_400, 172_800, 259_200, 604_800, 1_209_600,
  2_592_000,
];
/** Zones whose records are stored elsewhere, or that have none. */
const readOnlyZones = ["slave", "parked", "cloud"];
const targetTypes = ["CNAME", "ALIAS", "NS", "MX", "SRV"];

type Query = Readonly<Record<string, string | number>>;

const zonePage = list(object({ name: text, type: optional(text, "master") }));
const wireRecord = object({
  id: entryKey,
  type: text,
  host: optional(text, ""),
  record: optional(text, ""),
  ttl: optional(textOrNumber, "3600"),
  priority: optional(textOrNumber, "0"),
  weight: optional(textOrNumber, "0"),
  port: optional(textOrNumber, "0"),
  caa_flag: optional(textOrNumber, "0"),
  caa_type: optional(text, ""),
  caa_value: optional(text, ""),
  status: optional(textOrNumber, "1"),
  failover: optional(textOrNumber, "0"),
  "geodns-location-code": optional(text, ""),
});
type WireRecord = ReturnType<typeof wireRecord>;
/** Records by their key, but an empty list when there are none. */
const records: Decoder<readonly WireRecord[]> = (value, path) =>
  list(wireRecord)(isObject(value) ? Object.values(value) : value, path);

export const cloudns = defineRecordProvider(manifest, (credentials, { http }) => {
  const auth = readAuth(credentials);
  const api = jsonApi(http, { baseUrl: apiUrl, headers: {}, explain: () => null });

  /** Every answer has status 200; a failure says so in its body. */
  const call = async <T>(
    name: string,
    query: Query,
    decoder: Decoder<T>,
    signal: AbortSignal,
    write?: { readonly idempotent: boolean },
  ): Promise<T> => {
    const request = { path: `/${name}.json`, query: { ...query, ...auth } };
    const sent = write === undefined ? request : { ...request, method: "POST" as const, ...write };
    const answer = await api.read(sent, anything, signal);
    if (isObject(answer) && answer["status"] === "Failed") {
      throw toError(String(answer["statusDescription"] ?? ""), credentials);
    }
    return decoder(answer, "");
  };
  const write = async (name: string, query: Query, idempotent: boolean, signal: AbortSignal) => {
    await call(name, query, anything, signal, { idempotent });
  };
  return {
    textLimits,
    readNameservers: "apex",
    async listZones(signal) {
      const zones = await allPages(async (cursor: number | null) => {
        const page = cursor ?? 1;
        const query = { page, "rows-per-page": zonesPerPage };
        const items = await call("list-zones", query, zonePage, signal);
        return { items, next: items.length < zonesPerPage ? null : page + 1 };
      });
      return zones
        .filter(({ type }) => !readOnlyZones.includes(type))
        .map(({ name }) => ({ id: name, name, nameservers: [] }));
    },
    async readRows(zone, signal) {
      const listed = await call("records", { "domain-name": zone.id }, records, signal);
      return listed.map((record) => toRow(record, zone.name));
    },
    remove: (zone, { id }, signal) =>
      write("delete-record", { "domain-name": zone.id, "record-id": id }, true, signal),
    change: (zone, { id }, record, signal) => {
      const query = { "domain-name": zone.id, "record-id": id, ...toWire(record, zone.name) };
      return write("mod-record", query, true, signal);
    },
    add: (zone, record, signal) => {
      const query = { "domain-name": zone.id, ...toWire(record, zone.name) };
      return write("add-record", query, false, signal);
    },
  };
});

function readAuth(credentials: Credentials): Query {
  const { sub_auth_id: sub, auth_id: id, auth_password: password = "" } = credentials;
  if (sub !== undefined) return { "sub-auth-id": sub, "auth-password": password };
  if (id !== undefined) return { "auth-id": id, "auth-password": password };
  throw new ProviderError("auth", "API sub-user ID or API user ID is missing.");
}

function toWire(record: DnsRecord, zone: string): Query {
  const { type, value } = record;
  const relative = toRelative(record.name, zone);
  const base = {
    "record-type": type,
    host: relative === null || relative === "@" ? "" : relative,
    ttl: ttls.find((one) => one >= record.ttl) ?? 2_592_000,
  };
  const priority = record.priority ?? 0;
  switch (type) {
    case "CAA": {
      const { flags, tag, text: authority } = splitCaa(value);
      const parts = { caa_flag: flags, caa_type: tag, caa_value: authority };
      return { ...base, record: authority, ...parts };
    }
    case "SRV": {
      const { weight, port, target } = splitSrv(value);
      return { ...base, record: absoluteTarget(target), priority, weight, port };
    }
    case "MX":
      return { ...base, record: absoluteTarget(value), priority };
    case "NS":
      // A server inside the zone is refused with a closing dot.
      return { ...base, record: toRelative(value, zone) === null ? absoluteTarget(value) : value };
    case "CNAME":
    case "ALIAS":
      return { ...base, record: absoluteTarget(value) };
    default:
      return { ...base, record: value };
  }
}

function toRow(wire: WireRecord, zone: string): Row {
  const type = wire.type === "WR" || wire.type === "CLOUD_WR" ? "REDIRECT" : wire.type;
  const priority = type === "MX" || type === "SRV" ? Number(wire.priority) : null;
  const name = toAbsolute(wire.host, zone);
  const record = { name, type, ttl: Number(wire.ttl), priority, value: readContent(type, wire) };
  return readRow({ id: wire.id, raw: null, zone, record, lockedBecause: findLock(wire) });
}

function readContent(type: string, wire: WireRecord): string {
  if (type === "CAA") return printCaa(Number(wire.caa_flag), wire.caa_type, wire.caa_value);
  if (!targetTypes.includes(type)) return wire.record;
  const target = readTarget(wire.record, null);
  return type === "SRV" ? `${wire.weight} ${wire.port} ${target}` : target;
}

/** A change would lose these settings, or the record would come and go by itself. */
function findLock(wire: WireRecord): string | null {
  const location = wire["geodns-location-code"];
  if (wire.status === "0") return "it is switched off at ClouDNS";
  if (wire.failover === "1") return "ClouDNS monitors it and changes it on failure";
  return location !== "" && location !== "DEFAULT" ? "it is answered by location" : null;
}

/** Last verified 2026-11. There is no code, only a sentence. */
const kindBySentence: readonly (readonly [RegExp, ProviderErrorKind])[] = [
  [/^invalid authentication/i, "auth"],
  [/request blocked/i, "rate_limited"],
  [/missing domain-name|record-id/i, "not_found"],
  [/already exist/i, "conflict"],
];

function toError(sentence: string, credentials: Credentials): ProviderError {
  const kind = kindBySentence.find(([pattern]) => pattern.test(sentence))?.[1] ?? "unsupported";
  const said = sentence.replaceAll(credentials["auth_password"] ?? "", "[removed]");
  // More than 20 requests in a second are too many.
  return new ProviderError(kind, said, kind === "rate_limited" ? { retryAfterSeconds: 1 } : {});
}
