import { normalizeName, toAbsolute, toRelative } from "../../name.ts";
import { absoluteTarget, readTarget, splitCaa, splitSrv } from "../../presentation.ts";
import { type DnsRecord, printCaa } from "../../record.ts";
import type { Zone } from "../../zone.ts";
import { type Credentials, type DnsProvider, defineProvider } from "../adapter/contract.ts";
import { ProviderError } from "../adapter/errors.ts";
import type { ProviderHttp } from "../adapter/http.ts";
import { entryKey, list, number, object, optional, text } from "../adapter/json.ts";
import { allPages, ignoreNotFound, jsonApi } from "../adapter/json-api.ts";
import { createRecordProvider } from "../adapter/record-provider.ts";
import { type Row, readRow } from "../adapter/rows.ts";
import { classicInterface, explain, joinServiceName, splitServiceName } from "./classic.ts";
import { manifest } from "./manifest.ts";

/** Personal access tokens work with version 3 of the API, key and secret with version 1. */
export const godaddy = defineProvider(manifest, (credentials, { http }) => {
  const provider = openInterface(credentials, http);
  const { zone } = credentials;
  return zone === undefined ? provider : withHostedZone(provider, zone);
});

function openInterface(credentials: Credentials, http: ProviderHttp): DnsProvider {
  const token = credentials["personal_access_token"];
  if (token !== undefined) return currentInterface(http, token);
  const { api_key: key, api_secret: secret } = credentials;
  if (key !== undefined && secret !== undefined) return classicInterface(http, key, secret);
  throw new ProviderError(
    "auth",
    "Give a personal access token, or a classic key with its secret.",
  );
}

/**
 * A zone whose domain is registered elsewhere is in no list; that it has records says that it is
 * here.
 */
function withHostedZone(provider: DnsProvider, input: string): DnsProvider {
  const name = normalizeName(input);
  if (name === null) throw new ProviderError("auth", "The zone is not a domain name.");
  const hosted: Zone = { id: name, name, nameservers: [] };
  return {
    ...provider,
    async listZones(signal) {
      const listed = await provider.listZones(signal);
      if (listed.some((zone) => zone.name === name)) return listed;
      await provider.listRecords(hosted, signal).catch((error: unknown) => {
        const isAbsent =
          error instanceof ProviderError && ["not_found", "unsupported"].includes(error.kind);
        if (!isAbsent) throw error;
        throw new ProviderError("not_found", `This account has no zone ${name} at GoDaddy.`);
      });
      return [...listed, hosted];
    },
  };
}

const apiUrl = "https://api.godaddy.com/v3/domains";
const maxTtlSeconds = 86_400;
const textLimits = { forbidden: /^$/, mostCharacters: 512 };

const links = optional(list(object({ rel: text, href: text })), []);
const domainPage = object({
  items: list(object({ domain: text })),
  links,
});
const wireRecord = object({
  recordId: entryKey,
  name: text,
  type: text,
  data: optional(text, ""),
  ttl: number,
  priority: optional(number, null),
  service: optional(text, ""),
  protocol: optional(text, ""),
  port: optional(number, 0),
  weight: optional(number, 0),
  flag: optional(number, 0),
  tag: optional(text, ""),
});
type WireRecord = ReturnType<typeof wireRecord>;
const recordPage = object({ items: list(wireRecord), links });

/**
 * Version 3. Its PUT of one record replaces the whole zone (observed 2026-07), so a change adds the
 * new record and then deletes the old one. The old one goes first where both cannot be there at
 * once: a name has at most one CNAME, and a record is known by its name, type and data without the
 * priority.
 */
function currentInterface(http: ProviderHttp, token: string): DnsProvider {
  const headers = { authorization: `Bearer ${token}` };
  const api = jsonApi(http, { baseUrl: apiUrl, headers, explain });
  const recordsPath = (zone: Zone) => `/zones/${encodeURIComponent(zone.id)}/dns-records`;

  const add = (zone: Zone, record: DnsRecord, signal: AbortSignal) =>
    api.write({ method: "POST", path: recordsPath(zone), body: toWire(record, zone.name) }, signal);
  const remove = (zone: Zone, { id }: Row, signal: AbortSignal) => {
    const path = `${recordsPath(zone)}/${encodeURIComponent(id)}`;
    return api.write({ method: "DELETE", path }, signal);
  };

  return createRecordProvider(manifest, {
    textLimits,
    async listZones(signal) {
      const domains = await allPages(async (pageToken: string | null) => {
        const query = {
          pageSize: 200,
          statuses: "ACTIVE",
          ...(pageToken === null ? {} : { pageToken }),
        };
        const answer = await api.read({ path: "/domain-names", query }, domainPage, signal);
        const next = answer.links.find(({ rel }) => rel === "next");
        const token =
          next === undefined ? null : new URL(next.href, apiUrl).searchParams.get("pageToken");
        return { items: answer.items, next: token };
      });
      // The list shows the domain's present delegation, which says nothing about this zone.
      return domains.map(({ domain }) => ({ id: domain, name: domain, nameservers: [] }));
    },
    async readRows(zone, signal) {
      const records = await allPages(async (cursor: number | null) => {
        const page = cursor ?? 1;
        const call = { path: recordsPath(zone), query: { page, pageSize: 100 } };
        const answer = await api.read(call, recordPage, signal);
        const hasNext = answer.links.some(({ rel }) => rel === "next");
        return { items: answer.items, next: hasNext ? page + 1 : null };
      });
      return records.map((record) => toRow(record, zone.name));
    },
    remove,
    async change(zone, row, record, signal) {
      const isFirst = record.type === "CNAME" || row.record?.value === record.value;
      if (isFirst) await ignoreNotFound(remove(zone, row, signal));
      await add(zone, record, signal);
      if (!isFirst) await ignoreNotFound(remove(zone, row, signal));
    },
    add,
  });
}

function toWire(record: DnsRecord, zone: string): Readonly<Record<string, unknown>> {
  const { type, value, priority } = record;
  const name = toRelative(record.name, zone) ?? "@";
  const base = { type, name, ttl: Math.min(record.ttl, maxTtlSeconds) };
  switch (type) {
    case "CAA": {
      const { flags: flag, tag, text: data } = splitCaa(value);
      return { ...base, flag, tag, data };
    }
    case "SRV": {
      const { weight, port, target } = splitSrv(value);
      return {
        ...base,
        ...splitServiceName(name),
        priority,
        weight,
        port,
        data: absoluteTarget(target),
      };
    }
    case "MX":
      return { ...base, priority, data: absoluteTarget(value) };
    case "CNAME":
    case "ALIAS":
      return { ...base, data: absoluteTarget(value) };
    default:
      return { ...base, data: value };
  }
}

function toRow(wire: WireRecord, zone: string): Row {
  const { recordId: id, type, ttl } = wire;
  const isService = type === "SRV" && wire.service !== "";
  const owner = isService ? joinServiceName(wire.service, wire.protocol, wire.name) : wire.name;
  const priority = type === "MX" || type === "SRV" ? wire.priority : null;
  const record = {
    name: toAbsolute(owner, zone),
    type,
    ttl,
    priority,
    value: readContent(wire, zone),
  };
  const lockedBecause = type === "NS" ? "name servers cannot be changed by this interface" : null;
  return readRow({ id, raw: null, zone, record, lockedBecause });
}

function readContent({ type, data, weight, port, flag, tag }: WireRecord, zone: string): string {
  if (type === "TXT") return data;
  if (type === "CAA") return printCaa(flag, tag, data);
  const target = data === "@" ? zone : readTarget(data, null);
  return type === "SRV" ? `${weight} ${port} ${target}` : target;
}
