import { createHash } from "node:crypto";
import { toAbsolute, toRelative } from "../../name.ts";
import { parseData, presentData } from "../../presentation.ts";
import type { DnsRecord } from "../../record.ts";
import type { Zone } from "../../zone.ts";
import { ProviderError } from "../adapter/errors.ts";
import type { Explain } from "../adapter/http.ts";
import {
  decodeJson,
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
import { jsonApi } from "../adapter/json-api.ts";
import { defineRecordProvider } from "../adapter/record-provider.ts";
import { type Row, readRow } from "../adapter/rows.ts";
import { manifest } from "./manifest.ts";

const endpoints: ReadonlyMap<string, string> = new Map([
  ["ovh-eu", "https://eu.api.ovh.com/1.0"],
  ["ovh-ca", "https://ca.api.ovh.com/1.0"],
  ["ovh-us", "https://api.us.ovhcloud.com/1.0"],
]);
/** Records are read one by one; more at a time runs into throttling. */
const readsAtATime = 8;
/** Row types that only the panel knows; in DNS they are TXT. */
const panelTexts: readonly string[] = ["SPF", "DKIM", "DMARC"];
/** Those of them whose text is checked field by field, and is refused in quotes. */
const unquotedTexts: readonly string[] = ["DKIM", "DMARC"];

const wireRecord = object({
  id: entryKey,
  fieldType: text,
  subDomain: optional(text, ""),
  target: text,
  ttl: optional(number, 0),
});
const zoneDetail = object({ nameServers: optional(list(text), []) });
type WireRecord = ReturnType<typeof wireRecord>;
/** What a change leaves as it is. */
type FieldType = string;

export const ovh = defineRecordProvider<FieldType>(manifest, (credentials, { http, now }) => {
  const baseUrl = endpoints.get(credentials["endpoint"] ?? "");
  if (baseUrl === undefined) {
    throw new ProviderError("auth", `Endpoint must be one of ${[...endpoints.keys()].join(", ")}.`);
  }
  const keys = {
    applicationKey: credentials["application_key"] ?? "",
    applicationSecret: credentials["application_secret"] ?? "",
    consumerKey: credentials["consumer_key"] ?? "",
  };
  let clockAhead: number | null = null;
  const serverTime = async (signal: AbortSignal): Promise<number> => {
    const ours = Math.floor(now().getTime() / 1_000);
    if (clockAhead === null) {
      const request = { method: "GET", url: `${baseUrl}/auth/time` } as const;
      clockAhead = decodeJson(await http.send(request, signal, explain), number) - ours;
    }
    return ours + clockAhead;
  };
  const api = jsonApi(http, {
    baseUrl,
    headers: {},
    explain,
    authorize: async (request, signal) => signOvh(request, keys, await serverTime(signal)),
  });
  const zonePath = (zone: Zone) => `/domain/zone/${encodeURIComponent(zone.id)}`;
  const recordsPath = (zone: Zone) => `${zonePath(zone)}/record`;

  return {
    async listZones(signal) {
      const names = await api.read({ path: "/domain/zone" }, list(text), signal);
      return names.map((name) => ({ id: name, name, nameservers: [] }));
    },
    async readNameservers(zone, signal) {
      return (await api.read({ path: zonePath(zone) }, zoneDetail, signal)).nameServers;
    },
    async readRows(zone, signal) {
      const ids = await api.read({ path: `${zonePath(zone)}/record` }, list(textOrNumber), signal);
      const rows: Row<FieldType>[] = [];
      for (let at = 0; at < ids.length; at += readsAtATime) {
        const some = ids.slice(at, at + readsAtATime).map(async (id) => {
          const record = await api.read(
            { path: `${zonePath(zone)}/record/${id}` },
            wireRecord,
            signal,
          );
          return toRow(record, zone.name);
        });
        rows.push(...(await Promise.all(some)));
      }
      return rows;
    },
    remove: (zone, { id }, signal) =>
      api.write({ method: "DELETE", path: `${recordsPath(zone)}/${id}` }, signal),
    change: (zone, { id, raw }, record, signal) => {
      const { fieldType: _fixed, ...fields } = toWire(record, zone.name);
      const body = unquotedTexts.includes(raw) ? { ...fields, target: record.value } : fields;
      return api.write({ method: "PUT", path: `${recordsPath(zone)}/${id}`, body }, signal);
    },
    add: (zone, record, signal) => {
      const body = toWire(record, zone.name);
      return api.write({ method: "POST", path: recordsPath(zone), body }, signal);
    },
    publish: (zone, signal) => {
      const path = `${zonePath(zone)}/refresh`;
      return api.write({ method: "POST", path, idempotent: true }, signal);
    },
  };
});

function toWire(record: DnsRecord, zone: string) {
  const relative = toRelative(record.name, zone);
  const subDomain = relative === "@" ? "" : relative;
  return { fieldType: record.type, subDomain, target: presentData(record), ttl: record.ttl };
}

function toRow(
  { id, fieldType, subDomain, target, ttl }: WireRecord,
  zone: string,
): Row<FieldType> {
  const type = panelTexts.includes(fieldType) ? "TXT" : fieldType;
  const isRaw = type === "TXT" && !target.startsWith('"');
  const data = isRaw ? { value: target, priority: null } : parseData(type, target, zone);
  const time = ttl === 0 ? manifest.defaultTtlSeconds : ttl;
  const record = {
    name: toAbsolute(subDomain, zone),
    type,
    ttl: time,
    value: data?.value ?? null,
    priority: data?.priority ?? null,
  };
  return readRow({ id, raw: fieldType, zone, record });
}

const explain: Explain = (answer) => {
  const body = jsonOrNull(answer);
  if (!isObject(body)) return null;
  const code = String(body["errorCode"] ?? "");
  const message = `${body["message"] ?? ""} ${code}`;
  const isAuth = code === "INVALID_SIGNATURE" || code === "QUERY_TIME_OUT";
  return isAuth ? { kind: "auth", message } : { message };
};

export interface OvhKeys {
  readonly applicationKey: string;
  readonly applicationSecret: string;
  readonly consumerKey: string;
}

export interface OvhRequest {
  readonly method: string;
  /** The full address with its query, exactly as it is sent. */
  readonly url: string;
  readonly body: string;
}

/** `timestamp` is the server's time in seconds; a clock that differs much is refused. */
export function signOvh(
  { method, url, body }: OvhRequest,
  keys: OvhKeys,
  timestamp: number,
): Readonly<Record<string, string>> {
  const parts = [keys.applicationSecret, keys.consumerKey, method, url, body, timestamp];
  const digest = createHash("sha1").update(parts.join("+"), "utf8").digest("hex");
  return {
    "x-ovh-application": keys.applicationKey,
    "x-ovh-consumer": keys.consumerKey,
    "x-ovh-timestamp": String(timestamp),
    "x-ovh-signature": `$1$${digest}`,
  };
}
