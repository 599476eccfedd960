import { absoluteTarget, parseData, presentData } from "../../presentation.ts";
import type { Zone } from "../../zone.ts";
import type { Explain } from "../adapter/http.ts";
import {
  boolean,
  isObject,
  jsonOrNull,
  list,
  number,
  object,
  optional,
  text,
} from "../adapter/json.ts";
import { jsonApi } from "../adapter/json-api.ts";
import { defineSetProvider } from "../adapter/record-provider.ts";
import { type Row, readRow } from "../adapter/rows.ts";
import { readServerUrl } from "../adapter/server-url.ts";
import { manifest } from "./manifest.ts";

const zones = list(object({ id: text, name: text, kind: optional(text, "Native") }));
const value = object({ content: text, disabled: optional(boolean, false) });
type Value = ReturnType<typeof value>;
const set = object({ name: text, type: text, ttl: number, records: list(value) });
const zoneDetail = object({ rrsets: list(set) });
/** Zones that this server copies from another. */
const secondaryKinds = /^(?:slave|secondary|consumer)$/i;

export const powerdns = defineSetProvider<Value>(manifest, (credentials, { http }) => {
  const server = encodeURIComponent(credentials["server_id"] ?? "localhost");
  const api = jsonApi(http, {
    baseUrl: `${parseApiUrl(credentials["api_url"] ?? "")}/api/v1/servers/${server}`,
    headers: { "x-api-key": credentials["api_key"] ?? "" },
    explain,
  });
  const zonePath = (zone: Zone) => `/zones/${encodeURIComponent(zone.id)}`;

  return {
    readNameservers: "apex",
    async listZones(signal) {
      const found = await api.read({ path: "/zones" }, zones, signal);
      return found
        .filter(({ kind }) => !secondaryKinds.test(kind))
        .map(({ id, name }) => ({ id, name: bare(name).toLowerCase(), nameservers: [] }));
    },
    async readRows(zone, signal) {
      const { rrsets } = await api.read({ path: zonePath(zone) }, zoneDetail, signal);
      return rrsets.flatMap((one) => toRows(one, zone.name));
    },
    async writeSets(zone, edits, signal) {
      const rrsets = edits.map(({ name, type, ttl, retain, add }) => {
        const added = add.map((record) => ({ content: presentData(record), disabled: false }));
        const records = [...retain.map(({ raw }) => raw), ...added];
        const key = { name: absoluteTarget(name), type };
        return records.length === 0
          ? { ...key, changetype: "DELETE" }
          : { ...key, ttl, changetype: "REPLACE", records };
      });
      const call = { method: "PATCH", path: zonePath(zone), idempotent: true } as const;
      await api.write({ ...call, body: { rrsets } }, signal);
    },
  };
});

/** The root URL of the server's API, without any path that was pasted with it. */
function parseApiUrl(input: string): string {
  const url = readServerUrl(input, {
    label: "API address",
    example: "https://pdns.example.net:8081",
    defaultPort: 8_081,
  });
  return `${url.origin}${url.pathname.replace(/\/+(?:api(?:\/v1.*)?)?$/, "")}`;
}

function bare(name: string): string {
  return name.replace(/\.$/, "");
}

function toRows(
  { name, type, ttl, records }: ReturnType<typeof set>,
  zone: string,
): readonly Row<Value>[] {
  return records.map((raw) => {
    const data = parseData(type, raw.content, null);
    const record = {
      name: bare(name),
      type,
      ttl,
      value: data?.value ?? null,
      priority: data?.priority ?? null,
    };
    const lockedBecause = raw.disabled ? "it is switched off in PowerDNS" : null;
    return readRow({ id: null, raw, zone, record, lockedBecause });
  });
}

const explain: Explain = (answer) => {
  const body = jsonOrNull(answer);
  const message = isObject(body) ? String(body["error"] ?? "") : "";
  return /conflicts with (?:pre-existing|another)/i.test(message)
    ? { kind: "conflict", message }
    : { message };
};
