import { toAbsolute, toRelative } from "../../name.ts";
import { readTarget, splitCaa, splitSrv } from "../../presentation.ts";
import { type DnsRecord, printCaa } from "../../record.ts";
import type { Zone } from "../../zone.ts";
import { ProviderError } from "../adapter/errors.ts";
import type { Explain } from "../adapter/http.ts";
import {
  boolean,
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

const apiUrl = "https://api.domeneshop.no/v0";
/** Texts are sent bare. How quotes, backslashes and other scripts are stored is not documented. */
const textLimits = { forbidden: /["\\]|[^\x20-\x7e]|^\s|\s$|^$/, mostCharacters: 2_000 };
/** Public clients send whole minutes only. */
const ttlStepSeconds = 60;

const domains = list(
  object({
    id: textOrNumber,
    domain: text,
    services: optional(object({ dns: optional(boolean, true) }), { dns: true }),
  }),
);
const wireRecord = object({
  id: entryKey,
  host: text,
  type: text,
  data: optional(text, ""),
  ttl: optional(number, 3_600),
  priority: optional(textOrNumber, "0"),
  weight: optional(textOrNumber, "0"),
  port: optional(textOrNumber, "0"),
  flags: optional(textOrNumber, "0"),
  tag: optional(textOrNumber, ""),
});
type WireRecord = ReturnType<typeof wireRecord>;
const records = list(wireRecord);
const forwards = list(object({ host: text, url: text }));

export const domeneshop = defineRecordProvider(manifest, (credentials, { http }) => {
  const login = `${credentials["api_token"]}:${credentials["api_secret"]}`;
  const headers = { authorization: `Basic ${Buffer.from(login).toString("base64")}` };
  const api = jsonApi(http, { baseUrl: apiUrl, headers, explain });
  const zonePath = (zone: Zone) => `/domains/${encodeURIComponent(zone.id)}`;
  const recordsPath = (zone: Zone) => `${zonePath(zone)}/dns`;

  return {
    textLimits,
    requireWritable: requireKnownTags,
    async listZones(signal) {
      const listed = await api.read({ path: "/domains" }, domains, signal);
      // A domain without the DNS service has no zone here. The servers that the answer has are
      // those of the registry, which would always agree with the live ones.
      return listed
        .filter(({ services }) => services.dns)
        .map(({ id, domain }) => ({ id, name: domain, nameservers: [] }));
    },
    async readRows(zone, signal) {
      const listed = await api.read({ path: recordsPath(zone) }, records, signal);
      return listed.map((record) => toRow(record, zone.name));
    },
    async readForwards(zone, signal) {
      const path = `${zonePath(zone)}/forwards/`;
      const listed = await api.read({ path }, forwards, signal);
      return listed.map((one) => forwardRow(one, zone.name));
    },
    remove: (zone, { id }, signal) =>
      api.write({ method: "DELETE", path: `${recordsPath(zone)}/${id}` }, signal),
    // Host and type cannot be changed; a change in place never does.
    change: (zone, { id }, record, signal) => {
      const body = toWire(record, zone.name);
      return api.write({ method: "PUT", path: `${recordsPath(zone)}/${id}`, body }, signal);
    },
    add: (zone, record, signal) => {
      const body = toWire(record, zone.name);
      return api.write({ method: "POST", path: recordsPath(zone), body }, signal);
    },
  };
});

/** Tags of CAA records are numbers: the index in this list. */
const caaTags: readonly string[] = ["issue", "issuewild", "iodef"];

function requireKnownTags(records: readonly DnsRecord[]): void {
  for (const { type, name, value } of records) {
    if (type !== "CAA" || caaTags.includes(splitCaa(value).tag)) continue;
    throw new ProviderError("unsupported", `Domeneshop does not know the CAA tag of ${name}.`);
  }
}

/** A web forward answers for its host, and is not among the records. */
function forwardRow({ host, url }: { readonly host: string; readonly url: string }, zone: string) {
  const name = toAbsolute(host, zone);
  const record = { name, type: "REDIRECT", ttl: 3_600, value: url };
  return readRow({ id: null, raw: null, zone, record });
}

function toWire(record: DnsRecord, zone: string): Readonly<Record<string, unknown>> {
  const { value, priority } = record;
  const type = record.type === "ALIAS" ? "ANAME" : record.type;
  const ttl = Math.ceil(record.ttl / ttlStepSeconds) * ttlStepSeconds;
  const base = { type, host: toRelative(record.name, zone), ttl };
  if (type === "CAA") {
    const { flags, tag, text: authority } = splitCaa(value);
    return { ...base, flags, tag: caaTags.indexOf(tag), data: authority };
  }
  if (type === "SRV") {
    const { weight, port, target } = splitSrv(value);
    return { ...base, priority, weight, port, data: target };
  }
  return { ...base, data: value, ...(priority === null ? {} : { priority }) };
}

function toRow(wire: WireRecord, zone: string): Row {
  const type = wire.type === "ANAME" ? "ALIAS" : wire.type;
  const priority = type === "MX" || type === "SRV" ? Number(wire.priority) : null;
  const name = toAbsolute(wire.host, zone);
  const record = { name, type, ttl: wire.ttl, priority, value: readContent(type, wire) };
  return readRow({ id: wire.id, raw: null, zone, record });
}

function readContent(type: string, { data, weight, port, flags, tag }: WireRecord): string | null {
  switch (type) {
    case "CAA": {
      const known = caaTags[Number(tag)];
      return tag === "" || known === undefined ? null : printCaa(Number(flags), known, data);
    }
    case "SRV":
      return `${weight} ${port} ${readTarget(data, null)}`;
    case "CNAME":
    case "ALIAS":
    case "NS":
    case "MX":
      return readTarget(data, null);
    default:
      return data;
  }
}

const explain: Explain = (answer) => {
  const body = jsonOrNull(answer);
  if (!isObject(body)) return null;
  const said = [body["code"], body["help"]].filter((one) => typeof one === "string");
  const message = said.join(": ");
  // So is a domain answered that is not, or no longer, in the account; a wrong key is status 401.
  return body["code"] === "resource:unauthorized" ? { kind: "not_found", message } : { message };
};
