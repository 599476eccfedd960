import { entryFor } from "../../foreign-text.ts";
import { toAbsolute, toRelative } from "../../name.ts";
import { splitCaa, splitSrv } from "../../presentation.ts";
import { type DnsRecord, printCaa } from "../../record.ts";
import type { Zone } from "../../zone.ts";
import type { Credentials } from "../adapter/contract.ts";
import { ProviderError } from "../adapter/errors.ts";
import type { Explain } from "../adapter/http.ts";
import {
  anything,
  type Decoder,
  isObject,
  jsonOrNull,
  list,
  number,
  object,
  optional,
  text,
} from "../adapter/json.ts";
import { allPages, ignoreNotFound, jsonApi } from "../adapter/json-api.ts";
import { defineSetProvider } from "../adapter/record-provider.ts";
import { type Row, readRow, type SetEdit } from "../adapter/rows.ts";
import { tokenSource } from "../adapter/session.ts";
import { manifest } from "./manifest.ts";

/** Where each cloud signs in and is managed. */
const clouds: Readonly<Record<string, { readonly login: string; readonly apiUrl: string }>> = {
  public: { login: "https://login.microsoftonline.com", apiUrl: "https://management.azure.com" },
  usgovernment: {
    login: "https://login.microsoftonline.us",
    apiUrl: "https://management.usgovcloudapi.net",
  },
  china: {
    login: "https://login.chinacloudapi.cn",
    apiUrl: "https://management.chinacloudapi.cn",
  },
};
const version = { "api-version": "2018-05-01" };

const wireZone = object({
  id: text,
  name: text,
  properties: optional(
    object({ nameServers: optional(list(text), []), zoneType: optional(text, "Public") }),
    { nameServers: [], zoneType: "Public" },
  ),
});
const zonePage = object({ value: list(wireZone), nextLink: optional(text, null) });
const set = object({
  name: text,
  type: text,
  etag: optional(text, ""),
  properties: anything,
});
const setPage = object({ value: list(set), nextLink: optional(text, null) });
const about = object({
  TTL: optional(number, 3_600),
  targetResource: optional(object({ id: optional(text, null) }), { id: null }),
  metadata: optional(anything, {}),
});

/** A value with what is needed to write its set back. */
interface Raw {
  readonly entry: Entry;
  readonly etag: string;
  readonly metadata: unknown;
}

export const azureDns = defineSetProvider<Raw>(manifest, (credentials, { http, now }) => {
  const { tenant_id: tenant = "", client_id = "", client_secret = "" } = credentials;
  const { login, apiUrl } = findCloud(credentials["cloud"] ?? "public");
  const tokens = tokenSource(http, now, () => ({
    url: `${login}/${encodeURIComponent(tenant)}/oauth2/v2.0/token`,
    form: {
      grant_type: "client_credentials",
      client_id,
      client_secret,
      scope: `${apiUrl}/.default`,
    },
  }));
  const api = jsonApi(http, {
    baseUrl: apiUrl,
    headers: {},
    explain,
    authorize: (_request, signal) => tokens.headers(signal),
  });
  const { zonesPath, onlyZone } = readScope(credentials);

  const writeSet = async (zone: Zone, edit: SetEdit<Raw>, signal: AbortSignal): Promise<void> => {
    const shape = shapeByType[edit.type];
    if (shape === undefined)
      throw new ProviderError("unsupported", `Azure DNS has no ${edit.type} records.`);
    const name = toRelative(edit.name, zone.name) ?? "@";
    const path = `${zone.id}/${edit.type}/${encodeURIComponent(name)}`;
    const old = edit.before[0]?.raw;
    // The etag must still be that of the read: a version that was not read is never overwritten.
    const headers = old === undefined ? { "if-none-match": "*" } : { "if-match": old.etag };
    const entries = [...edit.retain.map(({ raw }) => raw.entry), ...edit.add.map(shape.write)];
    if (entries.length === 0) {
      return ignoreNotFound(api.write({ method: "DELETE", path, query: version, headers }, signal));
    }
    const properties = {
      TTL: edit.ttl,
      metadata: old?.metadata ?? {},
      ...writeProperties(shape, entries),
    };
    await api.write({ method: "PUT", path, query: version, headers, body: { properties } }, signal);
  };

  return {
    async listZones(signal) {
      if (onlyZone !== null) {
        const path = `${zonesPath}/${encodeURIComponent(onlyZone)}`;
        return [toZone(await api.read({ path, query: version }, wireZone, signal))];
      }
      const first = { path: zonesPath, query: version };
      const zones = await allPages(async (link: string | null) => {
        const answer = await api.read(link === null ? first : { path: link }, zonePage, signal);
        return { items: answer.value, next: readNextPath(answer.nextLink, apiUrl) };
      });
      return zones.filter(({ properties }) => properties.zoneType === "Public").map(toZone);
    },
    async readRows(zone, signal) {
      const first = { path: `${zone.id}/recordsets`, query: version };
      const sets = await allPages(async (link: string | null) => {
        const answer = await api.read(link === null ? first : { path: link }, setPage, signal);
        return { items: answer.value, next: readNextPath(answer.nextLink, apiUrl) };
      });
      return sets.flatMap((one) => toRows(one, zone.name));
    },
    writeSet,
  };
});

function findCloud(name: string) {
  const cloud = clouds[name.toLowerCase()];
  if (cloud !== undefined) return cloud;
  throw new ProviderError("auth", `Cloud must be one of ${Object.keys(clouds).join(", ")}.`);
}

/** A role on one zone does not cover lists: that zone is read by its name, in its group. */
function readScope(credentials: Credentials): {
  readonly zonesPath: string;
  readonly onlyZone: string | null;
} {
  const { subscription_id: subscription = "", resource_group: group, zone } = credentials;
  if (zone !== undefined && group === undefined) {
    throw new ProviderError("auth", "Give the resource group of the zone beside its name.");
  }
  const inside = group === undefined ? "" : `/resourceGroups/${encodeURIComponent(group)}`;
  const scope = `/subscriptions/${encodeURIComponent(subscription)}${inside}`;
  return { zonesPath: `${scope}/providers/Microsoft.Network/dnsZones`, onlyZone: zone ?? null };
}

function toZone({ id, name, properties }: ReturnType<typeof wireZone>): Zone {
  const nameservers = properties.nameServers.map((host) => host.replace(/\.$/, ""));
  return { id, name: name.toLowerCase(), nameservers };
}

/** The next page is given as a full address; the token must not follow it to another host. */
function readNextPath(link: string | null, apiUrl: string): string | null {
  if (link === null) return null;
  if (!link.startsWith(`${apiUrl}/`)) {
    throw new ProviderError("unavailable", "Azure named a next page on another host.");
  }
  return link.slice(apiUrl.length);
}

function toRows(
  { name, type: kind, etag, properties }: ReturnType<typeof set>,
  zone: string,
): readonly Row<Raw>[] {
  const type = kind.slice(kind.lastIndexOf("/") + 1).toUpperCase();
  const { TTL: ttl, targetResource, metadata } = about(properties, "properties");
  const owner = toAbsolute(name, zone);
  const shape = entryFor(shapeByType, type);
  const lockedBecause = targetResource.id === null ? null : "it is an alias of an Azure resource";
  const raw = { entry: {}, etag, metadata };
  if (shape === undefined || lockedBecause !== null || !isObject(properties)) {
    const record = { name: owner, type, ttl, value: null };
    return [readRow({ id: null, raw, zone, record, lockedBecause })];
  }
  return readEntries(shape, properties).map((entry) => {
    const record = { name: owner, type, ttl, ...shape.read(entry) };
    return readRow({ id: null, raw: { ...raw, entry }, zone, record });
  });
}

/** The body is wrapped in `error` or is the error itself. */
const explain: Explain = (answer) => {
  const body = jsonOrNull(answer);
  if (!isObject(body)) return null;
  const error = isObject(body["error"]) ? body["error"] : body;
  const message = `${error["code"] ?? ""} ${error["message"] ?? ""}`;
  return /CNAME/.test(message) && answer.status === 400
    ? { kind: "conflict", message }
    : { message };
};

/** One value of a set as Azure sends it; returned unchanged when the set is rewritten. */
export type Entry = Readonly<Record<string, unknown>>;

interface EntryContent {
  readonly value: string;
  readonly priority: number | null;
}

interface Shape {
  /** The property of a set that holds its values. */
  readonly property: string;
  readonly read: (entry: unknown) => EntryContent;
  readonly write: (record: DnsRecord) => Entry;
}

const bare = (host: string) => host.replace(/\.$/, "");

function simple(property: string, field: string): Shape {
  const decoder = object({ [field]: text });
  return {
    property,
    read: (entry) => ({ value: bare(decoder(entry, property)[field] ?? ""), priority: null }),
    write: ({ value }) => ({ [field]: value }),
  };
}

const mx = object({ preference: number, exchange: text });
const srv = object({ priority: number, weight: number, port: number, target: text });
const caa = object({ flags: number, tag: text, value: text });
const txt = object({ value: list(text) });

const shapeByType: Readonly<Record<string, Shape>> = {
  A: simple("ARecords", "ipv4Address"),
  AAAA: simple("AAAARecords", "ipv6Address"),
  CNAME: simple("CNAMERecord", "cname"),
  NS: simple("NSRecords", "nsdname"),
  MX: {
    property: "MXRecords",
    read: (entry) => {
      const { preference, exchange } = mx(entry, "MXRecords");
      return { value: bare(exchange), priority: preference };
    },
    write: ({ value, priority }) => ({ preference: priority, exchange: value }),
  },
  SRV: {
    property: "SRVRecords",
    read: (entry) => {
      const { priority, weight, port, target } = srv(entry, "SRVRecords");
      return { value: `${weight} ${port} ${bare(target)}`, priority };
    },
    write: ({ value, priority }) => ({ priority, ...splitSrv(value) }),
  },
  CAA: {
    property: "caaRecords",
    read: (entry) => {
      const { flags, tag, value } = caa(entry, "caaRecords");
      return { value: printCaa(flags, tag, value), priority: null };
    },
    write: ({ value }) => {
      const { flags, tag, text: authority } = splitCaa(value);
      return { flags, tag, value: authority };
    },
  },
  TXT: {
    property: "TXTRecords",
    read: (entry) => ({ value: txt(entry, "TXTRecords").value.join(""), priority: null }),
    write: ({ value }) => ({ value: splitStrings(value) }),
  },
};

/**
 * Strings of at most 255 bytes that end between characters, since each is sent as separate text.
 */
function splitStrings(value: string): readonly string[] {
  const strings: string[] = [];
  let current = "";
  for (const character of value) {
    if (Buffer.byteLength(current + character) > 255) {
      strings.push(current);
      current = "";
    }
    current += character;
  }
  return [...strings, current];
}

const one: Decoder<Entry> = (value, path) => (isObject(value) ? value : object({})(value, path));

/** The values of a set; a CNAME has one, not in a list. */
function readEntries(shape: Shape, properties: Entry): readonly Entry[] {
  const values = properties[shape.property];
  if (isObject(values)) return [values];
  return optional(list(one), [])(values, shape.property);
}

function writeProperties(shape: Shape, entries: readonly Entry[]): Entry {
  return { [shape.property]: shape.property === "CNAMERecord" ? entries[0] : entries };
}
