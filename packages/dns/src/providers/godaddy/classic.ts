import { toAbsolute, toRelative } from "../../name.ts";
import { readTarget } from "../../presentation.ts";
import type { DnsRecord } from "../../record.ts";
import type { Zone } from "../../zone.ts";
import type { DnsProvider } from "../adapter/contract.ts";
import { ProviderError } from "../adapter/errors.ts";
import type { Explain, ProviderHttp } from "../adapter/http.ts";
import { isObject, jsonOrNull, list, number, object, optional, text } from "../adapter/json.ts";
import { allPages, ignoreNotFound, jsonApi } from "../adapter/json-api.ts";
import { createSetProvider } from "../adapter/record-provider.ts";
import { type Row, readRow, type SetEdit } from "../adapter/rows.ts";
import { manifest } from "./manifest.ts";

const apiUrl = "https://api.godaddy.com/v1";
const textLimits = { forbidden: /^$/, mostCharacters: 512 };

const domains = list(object({ domain: text }));
const wireRecord = object({
  name: text,
  type: text,
  data: optional(text, ""),
  ttl: number,
  priority: optional(number, null),
  service: optional(text, ""),
  protocol: optional(text, ""),
  port: optional(number, 0),
  weight: optional(number, 0),
});
type WireRecord = ReturnType<typeof wireRecord>;

/** Version 1, for classic keys. It writes whole sets: values missing in the request are deleted. */
export function classicInterface(http: ProviderHttp, key: string, secret: string): DnsProvider {
  const headers = { authorization: `sso-key ${key}:${secret}` };
  const api = jsonApi(http, { baseUrl: apiUrl, headers, explain });
  const recordsPath = (zone: Zone) => `/domains/${encodeURIComponent(zone.id)}/records`;

  const writeSet = async (zone: Zone, edit: SetEdit<WireRecord>, signal: AbortSignal) => {
    const name = toRelative(edit.name, zone.name) ?? "@";
    const path = `${recordsPath(zone)}/${edit.type}/${encodeURIComponent(name)}`;
    const retained = edit.retain.map(({ raw }) =>
      withoutNulls({ data: raw.data, ttl: raw.ttl, priority: raw.priority }),
    );
    const body = [...retained, ...edit.add.map((record) => withoutNulls(toWire(record)))];
    if (body.length > 0) return api.write({ method: "PUT", path, body }, signal);
    return ignoreNotFound(api.write({ method: "DELETE", path }, signal));
  };

  return createSetProvider(manifest, {
    textLimits,
    async listZones(signal) {
      const found = await allPages(async (marker: string | null) => {
        const query = { statuses: "ACTIVE", limit: 1_000, ...(marker === null ? {} : { marker }) };
        const items = await api.read({ path: "/domains", query }, domains, signal);
        return { items, next: items.at(-1)?.domain ?? null };
      });
      // The list shows the domain's present delegation, which says nothing about this zone.
      return found.map(({ domain }) => ({ id: domain, name: domain, nameservers: [] }));
    },
    async readRows(zone, signal) {
      const records = await allPages(async (cursor: number | null) => {
        const offset = cursor ?? 1;
        const call = { path: recordsPath(zone), query: { offset, limit: 500 } };
        const items = await beyondLastIsEmpty(offset, api.read(call, list(wireRecord), signal));
        return { items, next: items.length === 0 ? null : offset + 1 };
      });
      // Earlier deletions left rows without data; the API refuses them in a write.
      return records
        .filter(({ data }) => data.trim() !== "")
        .map((record) => toRow(record, zone.name));
    },
    async writeSets(zone, edits, signal) {
      // SRV sets are keyed by other fields than a name, and CAA is not documented here.
      const unwritable = edits.find(({ type }) => type === "SRV" || type === "CAA");
      if (unwritable !== undefined) {
        const message = `${unwritable.type} records need a personal access token at GoDaddy.`;
        throw new ProviderError("unsupported", message);
      }
      for (const edit of edits) await writeSet(zone, edit, signal);
    },
  });
}

/** A request for the page after the last may return 422. */
async function beyondLastIsEmpty<T>(
  page: number,
  reading: Promise<readonly T[]>,
): Promise<readonly T[]> {
  try {
    return await reading;
  } catch (error) {
    if (page > 1 && error instanceof ProviderError && error.kind === "unsupported") return [];
    throw error;
  }
}

function withoutNulls(
  fields: Readonly<Record<string, unknown>>,
): Readonly<Record<string, unknown>> {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== null));
}

function toWire({ value: data, ttl, priority }: DnsRecord): Readonly<Record<string, unknown>> {
  return { data, ttl, priority };
}

function toRow(raw: WireRecord, zone: string): Row<WireRecord> {
  const { type, ttl, data } = raw;
  const isService = type === "SRV" && raw.service !== "";
  const owner = isService ? joinServiceName(raw.service, raw.protocol, raw.name) : raw.name;
  const priority = type === "MX" || type === "SRV" ? raw.priority : null;
  const target = data === "@" ? zone : readTarget(data, null);
  const value = type === "SRV" ? `${raw.weight} ${raw.port} ${target}` : target;
  const record = {
    name: toAbsolute(owner, zone),
    type,
    ttl,
    priority,
    value: type === "TXT" ? data : value,
  };
  return readRow({ id: null, raw, zone, record });
}

const notEligible =
  "the token lacks a scope, or GoDaddy does not open its DNS interface to this account";

/**
 * Both versions explain the error in `message`; a valid token is mostly refused because of the
 * account.
 */
export const explain: Explain = (answer) => {
  const body = jsonOrNull(answer);
  const message = isObject(body) ? String(body["message"] ?? "") : "";
  if (answer.status === 403) return { kind: "auth", message: `${message} (${notEligible})` };
  const isDuplicate = JSON.stringify(body).includes("DUPLICATE_RECORD");
  return isDuplicate ? { kind: "conflict", message } : { message };
};

/** The owner of an SRV record is split into three fields. */
export function splitServiceName(relative: string): {
  readonly service: string;
  readonly protocol: string;
  readonly name: string;
} {
  const [service = "", protocol = "", ...rest] = relative.split(".");
  return { service, protocol, name: rest.length === 0 ? "@" : rest.join(".") };
}

export function joinServiceName(service: string, protocol: string, name: string): string {
  return [service, protocol, ...(name === "@" || name === "" ? [] : [name])].join(".");
}
