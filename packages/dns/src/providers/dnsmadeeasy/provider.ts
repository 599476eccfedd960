import { createHmac } from "node:crypto";
import { entryFor } from "../../foreign-text.ts";
import { toAbsolute, toRelative } from "../../name.ts";
import { absoluteTarget, readTarget, splitCaa, splitSrv, unquoteTxt } from "../../presentation.ts";
import { type DnsRecord, printCaa } from "../../record.ts";
import type { Zone } from "../../zone.ts";
import type { Explain } from "../adapter/http.ts";
import {
  boolean,
  type Decoder,
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
import { ignoreNotFound, jsonApi, requireCount } from "../adapter/json-api.ts";
import { defineBatchProvider } from "../adapter/record-provider.ts";
import { type Row, readRow } from "../adapter/rows.ts";
import { manifest } from "./manifest.ts";

const apiUrl = "https://api.dnsmadeeasy.com/V2.0";
/** Double quotes are refused; how backslashes and other scripts are stored is not documented. */
const textLimits = { forbidden: /["\\]|[^\x20-\x7e]|^\s|\s$/, mostCharacters: 2_000 };
/** The TTL of NS records, which cannot be chosen. */
const delegationTtlSeconds = 86_400;
const targetTypes = ["CNAME", "ALIAS", "NS", "MX", "SRV"];

const domain = object({ id: textOrNumber, name: text });
const servers = object({ nameServers: optional(list(object({ fqdn: text })), []) });
const wireRecord = object({
  id: entryKey,
  name: text,
  type: text,
  value: text,
  ttl: number,
  mxLevel: optional(number, 0),
  priority: optional(number, 0),
  weight: optional(number, 0),
  port: optional(number, 0),
  caaType: optional(text, ""),
  issuerCritical: optional(number, 0),
  gtdLocation: optional(text, "DEFAULT"),
  monitor: optional(boolean, false),
  failover: optional(boolean, false),
  dynamicDns: optional(boolean, false),
});
type WireRecord = ReturnType<typeof wireRecord>;

export const dnsmadeeasy = defineBatchProvider(manifest, (credentials, { http, now }) => {
  const { api_key: key = "", secret_key: secret = "" } = credentials;
  const authorize = async () => {
    const date = now().toUTCString();
    return {
      "x-dnsme-apikey": key,
      "x-dnsme-requestdate": date,
      "x-dnsme-hmac": createHmac("sha1", secret).update(date).digest("hex"),
    };
  };
  const api = jsonApi(http, { baseUrl: apiUrl, headers: {}, explain, authorize });
  const zonePath = (zone: Zone) => `/dns/managed/${encodeURIComponent(zone.id)}`;

  /** One page has everything; no client asks for a second. */
  const readAll = async <T>(path: string, item: Decoder<T>, signal: AbortSignal) => {
    const page = object({ data: list(item), totalRecords: number });
    const { data, totalRecords } = await api.read({ path }, page, signal);
    requireCount(data, totalRecords);
    return data;
  };
  return {
    textLimits,
    async listZones(signal) {
      const domains = await readAll("/dns/managed/", domain, signal);
      return domains.map(({ id, name }) => ({ id, name: name.toLowerCase(), nameservers: [] }));
    },
    async readNameservers(zone, signal) {
      const { nameServers } = await api.read({ path: zonePath(zone) }, servers, signal);
      return nameServers.map(({ fqdn }) => fqdn);
    },
    async readRows(zone, signal) {
      const listed = await readAll(`${zonePath(zone)}/records`, wireRecord, signal);
      return listed.map((record) => toRow(record, zone.name));
    },
    // Requests are few in five minutes, so that each kind of change is one request.
    async writeRecords(zone, { remove, change, add }, signal) {
      const path = `${zonePath(zone)}/records`;
      if (remove.length > 0) {
        const ids = remove.map(({ id }) => `ids=${id}`).join("&");
        await ignoreNotFound(api.write({ method: "DELETE", path: `${path}?${ids}` }, signal));
      }
      if (change.length > 0) {
        const body = change.map(({ row, record }) => ({
          id: Number(row.id),
          ...toWire(record, zone.name),
        }));
        await api.write({ method: "PUT", path: `${path}/updateMulti`, body }, signal);
      }
      if (add.length > 0) {
        const body = add.map((record) => toWire(record, zone.name));
        await api.write({ method: "POST", path: `${path}/createMulti`, body }, signal);
      }
    },
  };
});

function toWire(record: DnsRecord, zone: string): Readonly<Record<string, unknown>> {
  const { type, value, ttl, priority } = record;
  const name = toRelative(record.name, zone, "");
  const base = { name, type, ttl, gtdLocation: "DEFAULT" };
  switch (type) {
    case "TXT":
      return { ...base, value: `"${value}"` };
    case "MX":
      return { ...base, value: absoluteTarget(value), mxLevel: priority };
    case "SRV": {
      const { weight, port, target } = splitSrv(value);
      return { ...base, value: absoluteTarget(target), priority, weight, port };
    }
    case "CAA": {
      const { flags, tag, text: authority } = splitCaa(value);
      return { ...base, value: authority, caaType: tag, issuerCritical: flags };
    }
    case "NS":
      return { ...base, value: absoluteTarget(value), ttl: delegationTtlSeconds };
    case "ALIAS":
      return { ...base, type: "ANAME", value: absoluteTarget(value) };
    case "CNAME":
      return { ...base, value: absoluteTarget(value) };
    default:
      return { ...base, value };
  }
}

const readTypes: Readonly<Record<string, string>> = { ANAME: "ALIAS", HTTPRED: "REDIRECT" };

function toRow(wire: WireRecord, zone: string): Row {
  const type = entryFor(readTypes, wire.type) ?? wire.type;
  const priorities: Readonly<Record<string, number>> = { MX: wire.mxLevel, SRV: wire.priority };
  const record = {
    name: toAbsolute(wire.name, zone),
    type,
    ttl: wire.ttl,
    value: readContent(type, wire, zone),
    priority: entryFor(priorities, type) ?? null,
  };
  return readRow({ id: wire.id, raw: null, zone, record, lockedBecause: findLock(wire) });
}

/**
 * A target without a closing dot is relative, and an empty one is the zone. Long texts come in
 * parts.
 */
function readContent(type: string, wire: WireRecord, zone: string): string | null {
  const { value } = wire;
  if (type === "TXT") return unquoteTxt(value.replace(/(?<!\\)""/g, '" "'));
  if (type === "CAA") {
    return printCaa(wire.issuerCritical, wire.caaType, value.replace(/^"(.*)"$/, "$1"));
  }
  if (!targetTypes.includes(type)) return value;
  const target = readTarget(value, zone);
  return type === "SRV" ? `${wire.weight} ${wire.port} ${target}` : target;
}

/** A change would lose these settings, or the record would come and go by itself. */
function findLock({ gtdLocation, monitor, failover, dynamicDns }: WireRecord): string | null {
  if (gtdLocation !== "DEFAULT") return "it is answered by location";
  if (monitor || failover) return "DNS Made Easy monitors it and changes it on failure";
  return dynamicDns ? "it is updated by dynamic DNS" : null;
}

const explain: Explain = (answer) => {
  const body = jsonOrNull(answer);
  const said = isObject(body) ? body["error"] : null;
  const message = Array.isArray(said) ? said.join(" ") : String(said ?? "");
  return /rate limit exceeded/i.test(message) ? { kind: "rate_limited", message } : { message };
};
