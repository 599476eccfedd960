import { entryFor } from "../../foreign-text.ts";
import { absoluteTarget, parseData, presentData } from "../../presentation.ts";
import type { DnsRecord } from "../../record.ts";
import type { Zone } from "../../zone.ts";
import { ProviderError, type ProviderErrorKind } from "../adapter/errors.ts";
import type { Explain } from "../adapter/http.ts";
import { boolean, type Decoder, object, text } from "../adapter/json.ts";
import { allPages } from "../adapter/json-api.ts";
import { defineSetProvider } from "../adapter/record-provider.ts";
import { type Row, readRow, type SetEdit } from "../adapter/rows.ts";
import { encode, signAws } from "../adapter/sigv4.ts";
import {
  child,
  escapeXml,
  findChildren,
  parseXml,
  textAt,
  type XmlElement,
} from "../adapter/xml.ts";
import { manifest } from "./manifest.ts";

const apiUrl = "https://route53.amazonaws.com/2013-04-01";
const namespace = "https://route53.amazonaws.com/doc/2013-04-01/";
/** The service is global and signed for this region. */
const scope = { region: "us-east-1", service: "route53" };

/** A deletion must repeat value and TTL as they are stored. */
interface Raw {
  readonly value: string;
  readonly ttl: number;
}

export const route53 = defineSetProvider<Raw>(manifest, (credentials, { http, now }) => {
  const keys = {
    accessKeyId: credentials["access_key_id"] ?? "",
    secretAccessKey: credentials["secret_access_key"] ?? "",
    sessionToken: credentials["session_token"] ?? null,
  };
  const given = credentials["hosted_zone_id"];
  const onlyZone = given === undefined ? null : bareId(given);

  const send = async (
    method: "GET" | "POST",
    path: string,
    query: Readonly<Record<string, string>>,
    body: string,
    signal: AbortSignal,
  ): Promise<XmlElement> => {
    const pairs = Object.entries(query).map(([key, value]) => `${encode(key)}=${encode(value)}`);
    const url = `${apiUrl}${path}${pairs.length === 0 ? "" : `?${pairs.join("&")}`}`;
    const headers = { ...signAws({ method, url, body }, keys, scope, now()), accept: "text/xml" };
    const content = body === "" ? {} : { body };
    const typed = body === "" ? headers : { ...headers, "content-type": "text/xml" };
    return parseXml(
      (await http.send({ method, url, headers: typed, ...content }, signal, explain)).text,
    );
  };

  const oneZone = async (id: string, signal: AbortSignal): Promise<Zone> => {
    const answer = await send("GET", `/hostedzone/${encode(id)}`, {}, "", signal);
    const servers = findChildren(child(answer, "DelegationSet", "NameServers"), "NameServer");
    return {
      id,
      name: bareName(textAt(answer, "HostedZone", "Name")),
      nameservers: servers.map(({ text }) => bareName(text)),
    };
  };

  return {
    async listZones(signal) {
      if (onlyZone !== null) return [await oneZone(onlyZone, signal)];
      const zones = await allPages(async (marker: string | null) => {
        const query = { maxitems: "100", ...(marker === null ? {} : { marker }) };
        const answer = await send("GET", "/hostedzone", query, "", signal);
        const isTruncated = textAt(answer, "IsTruncated") === "true";
        const items = findChildren(child(answer, "HostedZones"), "HostedZone");
        return { items, next: isTruncated ? textAt(answer, "NextMarker") : null };
      });
      // The servers are read for the one zone that matters; of two with a name they tell which is
      // live.
      return zones
        .filter((zone) => child(zone, "Config", "PrivateZone")?.text !== "true")
        .map((zone) => ({
          id: bareId(textAt(zone, "Id")),
          name: bareName(textAt(zone, "Name")),
          nameservers: [],
        }));
    },
    async readNameservers(zone, signal) {
      return (await oneZone(zone.id, signal)).nameservers;
    },
    async readRows(zone, signal) {
      const sets = await allPages(async (cursor: Readonly<Record<string, string>> | null) => {
        const path = `/hostedzone/${encode(zone.id)}/rrset`;
        const answer = await send("GET", path, { maxitems: "300", ...cursor }, "", signal);
        const items = findChildren(child(answer, "ResourceRecordSets"), "ResourceRecordSet");
        return { items, next: nextSet(answer) };
      });
      return sets.flatMap((set) => toRows(set, zone.name));
    },
    async writeSets(zone, edits, signal) {
      await send("POST", `/hostedzone/${encode(zone.id)}/rrset/`, {}, writeBatch(edits), signal);
    },
  };
});

/** The API and its tools show an id with its path, and so it is pasted. */
function bareId(id: string): string {
  return id.replace(/^\/?hostedzone\//, "");
}

function nextSet(answer: XmlElement): Readonly<Record<string, string>> | null {
  if (textAt(answer, "IsTruncated") !== "true") return null;
  const identifier = child(answer, "NextRecordIdentifier")?.text;
  return {
    name: textAt(answer, "NextRecordName"),
    type: textAt(answer, "NextRecordType"),
    ...(identifier === undefined ? {} : { identifier }),
  };
}

/** One batch is one transaction. */
function writeBatch(edits: readonly SetEdit<Raw>[]): string {
  const changes = edits.map((edit) =>
    edit.type === "ALIAS" ? aliasEdit(edit) : writeChange(edit),
  );
  return `<?xml version="1.0" encoding="UTF-8"?><ChangeResourceRecordSetsRequest xmlns="${namespace}"><ChangeBatch><Changes>${changes.join("")}</Changes></ChangeBatch></ChangeResourceRecordSetsRequest>`;
}

/** The aliases of a name, which are a set per address type at Route 53. */
function aliasEdit({ before, retain, add }: SetEdit<Raw>): string {
  const going = before.filter((row) => !retain.includes(row));
  return [
    ...going.map(({ record }) => aliasChange("DELETE", record)),
    ...add.map((record) => aliasChange("UPSERT", record)),
  ].join("");
}

function writeChange({ name, type, ttl, before, retain, add }: SetEdit<Raw>): string {
  const values = [...retain.map(({ raw }) => raw.value), ...add.map(toWire)];
  const isGone = values.length === 0;
  const shown = isGone ? before.map(({ raw }) => raw.value) : values;
  const time = isGone ? (before[0]?.raw.ttl ?? ttl) : ttl;
  const records = shown
    .map((value) => `<ResourceRecord><Value>${escapeXml(value)}</Value></ResourceRecord>`)
    .join("");
  return `<Change><Action>${isGone ? "DELETE" : "UPSERT"}</Action><ResourceRecordSet><Name>${escapeXml(absoluteTarget(name))}</Name><Type>${type}</Type><TTL>${time}</TTL><ResourceRecords>${records}</ResourceRecords></ResourceRecordSet></Change>`;
}

function toRows(set: XmlElement, zone: string): readonly Row<Raw>[] {
  const type = textAt(set, "Type");
  const name = bareName(textAt(set, "Name"));
  const ttl = Number(child(set, "TTL")?.text ?? 0);
  const lockedBecause = findLock(set);
  const values = findChildren(child(set, "ResourceRecords"), "ResourceRecord").map((one) =>
    textAt(one, "Value"),
  );
  const alias = readAlias(set, name);
  if (alias !== null) return [readRow({ id: null, raw: { value: "", ttl }, zone, ...alias })];
  return values.map((value) => {
    const data = parseData(type, changeEscapes(value, 8, 10), null);
    const record = {
      name,
      type,
      ttl,
      value: data?.value ?? null,
      priority: data?.priority ?? null,
    };
    return readRow({ id: null, raw: { value, ttl }, zone, record, lockedBecause });
  });
}

/** An address set that follows an AWS resource; the key has all that is needed to restore it. */
interface AliasKey {
  readonly type: string;
  readonly zoneId: string;
  readonly target: string;
  readonly isHealthChecked: boolean;
}

const aliasNote =
  "It is an alias of an AWS resource at present; the alias will be replaced by a plain record.";

/** The record and its setting, or the reason why it is left alone; null for a set of values. */
function readAlias(set: XmlElement, name: string) {
  const target = child(set, "AliasTarget", "DNSName")?.text;
  if (target === undefined) return null;
  const type = textAt(set, "Type");
  const isAddress = type === "A" || type === "AAAA";
  const value = bareName(target);
  const record = { name, type: isAddress ? "ALIAS" : type, ttl: 0, value, priority: null };
  if (!isAddress || child(set, "SetIdentifier") !== null) {
    return { record: { ...record, type }, lockedBecause: "it is an alias of an AWS resource" };
  }
  const key: AliasKey = {
    type,
    zoneId: textAt(set, "AliasTarget", "HostedZoneId"),
    target,
    isHealthChecked: child(set, "AliasTarget", "EvaluateTargetHealth")?.text === "true",
  };
  return { record, setting: { key: JSON.stringify(key), note: aliasNote } };
}

const aliasKey: Decoder<AliasKey> = object({
  type: text,
  zoneId: text,
  target: text,
  isHealthChecked: boolean,
});

function aliasChange(action: "DELETE" | "UPSERT", record: DnsRecord | null): string {
  if (record?.setting === undefined) {
    throw new ProviderError("unsupported", "Route 53 follows AWS resources only.");
  }
  const { type, zoneId, target, isHealthChecked } = aliasKey(JSON.parse(record.setting.key), "");
  return `<Change><Action>${action}</Action><ResourceRecordSet><Name>${escapeXml(absoluteTarget(record.name))}</Name><Type>${type}</Type><AliasTarget><HostedZoneId>${escapeXml(zoneId)}</HostedZoneId><DNSName>${escapeXml(target)}</DNSName><EvaluateTargetHealth>${isHealthChecked}</EvaluateTargetHealth></AliasTarget></ResourceRecordSet></Change>`;
}

function findLock(set: XmlElement): string | null {
  return child(set, "SetIdentifier") === null ? null : "it is part of a routing policy";
}

/**
 * Names are absolute; characters other than letters, digits, "-", "_" and "." are octal, "*" too.
 */
function bareName(name: string): string {
  const decoded = name.replace(/\\([0-7]{3})/g, (_, code: string) =>
    String.fromCharCode(Number.parseInt(code, 8)),
  );
  return decoded.replace(/\.$/, "");
}

function toWire(record: DnsRecord): string {
  return changeEscapes(presentData(record), 10, 8);
}

/** Route 53 escapes bytes by octal numbers where zone files use decimal ones. */
function changeEscapes(data: string, from: 8 | 10, to: 8 | 10): string {
  return data.replace(/\\(?:(\d{3})|.)/gs, (whole, code: string | undefined) => {
    if (code === undefined) return whole;
    return `\\${Number.parseInt(code, from).toString(to).padStart(3, "0")}`;
  });
}

const kindByCode: Readonly<Record<string, ProviderErrorKind>> = {
  Throttling: "rate_limited",
  PriorRequestNotComplete: "rate_limited",
  NoSuchHostedZone: "not_found",
  InvalidChangeBatch: "conflict",
};

const explain: Explain = (answer) => {
  const root = parsedOrNull(answer.text);
  if (root === null) return null;
  if (root.name === "InvalidChangeBatch") {
    return { kind: "conflict", message: child(root, "Messages", "Message")?.text ?? "" };
  }
  const kind = entryFor(kindByCode, child(root, "Error", "Code")?.text ?? "");
  const message = child(root, "Error", "Message")?.text ?? "";
  return kind === undefined ? { message } : { kind, message };
};

function parsedOrNull(text: string): XmlElement | null {
  try {
    return parseXml(text);
  } catch (error) {
    if (error instanceof ProviderError) return null;
    throw error;
  }
}
