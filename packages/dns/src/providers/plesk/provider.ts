import { isSubdomainOf, normalizeName } from "../../name.ts";
import { absoluteTarget, readTarget, splitCaa, splitSrv } from "../../presentation.ts";
import { type DnsRecord, printCaa } from "../../record.ts";
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
} from "../adapter/json.ts";
import { jsonApi } from "../adapter/json-api.ts";
import { defineRecordProvider } from "../adapter/record-provider.ts";
import { type Row, readRow } from "../adapter/rows.ts";
import { readServerUrl } from "../adapter/server-url.ts";
import { manifest } from "./manifest.ts";

/** The documentation gives 255 bytes; texts are bare, and what becomes of quotes is not known. */
const textLimits = { forbidden: /["\\]|[^\x20-\x7e]|^\s|\s$/, mostCharacters: 255 };

/** Of the domains below another one, so many are asked whether they have a zone of their own. */
const mostNestedZones = 10;

const domains = list(object({ name: text, ascii_name: optional(text, null) }));
/** `opt` is what stands before the value in a zone file: a priority, or the flags of a CAA. */
const wireRecord = object({
  id: entryKey,
  type: text,
  host: text,
  value: optional(text, ""),
  opt: optional(text, ""),
  ttl: optional(number, manifest.defaultTtlSeconds),
});
type WireRecord = ReturnType<typeof wireRecord>;

export const plesk = defineRecordProvider(manifest, (credentials, { http }) => {
  const { origin } = readServerUrl(credentials["server"] ?? "", {
    label: "Plesk address",
    example: "https://server.example.net:8443",
    defaultPort: 8_443,
  });
  const headers = { "x-api-key": credentials["secret_key"] ?? "" };
  const api = jsonApi(http, { baseUrl: `${origin}/api/v2`, headers, explain });
  const path = "/dns/records";

  const readRows = async (zone: Zone, signal: AbortSignal): Promise<readonly Row[]> => {
    const found = await api.read({ path, query: { domain: zone.id } }, list(wireRecord), signal);
    return found.map((one) => toRow(one, zone.name));
  };
  /** A subdomain is a domain as well, and its records usually are in the zone above. */
  const hasZone = async (zone: Zone, signal: AbortSignal): Promise<boolean> => {
    try {
      const rows = await readRows(zone, signal);
      return rows.some(({ record }) => record?.type === "NS" && record.name === zone.name);
    } catch (error) {
      if (error instanceof ProviderError && error.kind === "not_found") return false;
      throw error;
    }
  };

  return {
    textLimits,
    readNameservers: "apex",
    readRows,
    async listZones(signal) {
      const found = (await api.read({ path: "/domains" }, domains, signal)).flatMap(
        ({ name: shown, ascii_name }): readonly Zone[] => {
          const id = ascii_name ?? shown;
          const name = normalizeName(id);
          return name === null ? [] : [{ id, name, nameservers: [] }];
        },
      );
      const isNested = ({ name }: Zone) => found.some((other) => isSubdomainOf(name, other.name));
      const zones = found.filter((one) => !isNested(one));
      for (const nested of found.filter(isNested).slice(0, mostNestedZones)) {
        if (await hasZone(nested, signal)) zones.push(nested);
      }
      return zones;
    },
    remove: (_zone, { id }, signal) =>
      api.write({ method: "DELETE", path: `${path}/${id}` }, signal),
    change: (_zone, { id }, record, signal) => {
      const body = { id: Number(id), ...toWire(record) };
      return api.write({ method: "PUT", path: `${path}/${id}`, body }, signal);
    },
    add: (zone, record, signal) => {
      const query = { domain: zone.id };
      return api.write({ method: "POST", path, query, body: toWire(record) }, signal);
    },
  };
});

/** Names are full ones without the closing dot; answers have it. */
function toWire({ name: host, type, value, ttl, priority }: DnsRecord): object {
  switch (type) {
    case "MX":
      return { type, host, value: absoluteTarget(value), opt: String(priority), ttl };
    case "SRV": {
      const { weight, port, target } = splitSrv(value);
      const opt = `${priority} ${weight} ${port}`;
      return { type, host, value: absoluteTarget(target), opt, ttl };
    }
    case "CAA": {
      const { flags, tag, text: issuer } = splitCaa(value);
      return { type, host, value: issuer, opt: `${flags} ${tag}`, ttl };
    }
    case "CNAME":
    case "NS":
      return { type, host, value: absoluteTarget(value), opt: "", ttl };
    default:
      return { type, host, value, opt: "", ttl };
  }
}

function toRow(wire: WireRecord, zone: string): Row {
  const type = wire.type.toUpperCase();
  const name = normalizeName(wire.host) ?? wire.host;
  return readRow({
    id: wire.id,
    raw: null,
    zone,
    record: { name, type, ttl: wire.ttl, ...readValue(type, wire) },
    lockedBecause: /^\d+$/.test(wire.id) ? null : "Plesk gives no number for it",
  });
}

function readValue(
  type: string,
  { value, opt }: WireRecord,
): { readonly value: string | null; readonly priority: number | null } {
  const unreadable = { value: null, priority: null };
  switch (type) {
    case "MX":
      if (!/^\d{1,5}$/.test(opt)) return unreadable;
      return { value: readTarget(value, null), priority: Number(opt) };
    case "SRV": {
      const [, priority, rest] = /^(\d{1,5}) (\d{1,5} \d{1,5})$/.exec(opt) ?? [];
      if (rest === undefined) return unreadable;
      return { value: `${rest} ${readTarget(value, null)}`, priority: Number(priority) };
    }
    case "CAA": {
      const [, flags, tag] = /^(\d{1,3}) ([a-z0-9]+)$/i.exec(opt) ?? [];
      if (tag === undefined) return unreadable;
      return { value: printCaa(Number(flags), tag, value), priority: null };
    }
    case "CNAME":
    case "NS":
      return { value: readTarget(value, null), priority: null };
    default:
      return { value, priority: null };
  }
}

/** The reason is only compared: the server is one that a customer named. */
const explain: Explain = (answer) => {
  const body = jsonOrNull(answer);
  const said = isObject(body) ? String(body["message"] ?? "") : "";
  const isMissing = answer.status < 500 && /does not exist|not found/i.test(said);
  return isMissing ? { kind: "not_found" } : null;
};
