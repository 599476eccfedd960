import { toAbsolute, toRelative } from "../../name.ts";
import { readTarget } from "../../presentation.ts";
import type { DnsRecord } from "../../record.ts";
import type { Zone } from "../../zone.ts";
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
import { manifest } from "./manifest.ts";

const apiUrl = "https://api.simply.com/2";
/** Texts are sent bare. How quotes, backslashes and other scripts are stored is not documented. */
const textLimits = { forbidden: /["\\]|[^\x20-\x7e]|^\s|\s$|^$/, mostCharacters: 2_000 };

/** A product need not have a domain. */
const products = object({
  products: list(object({ object: text, domain: optional(object({ name: text }), null) })),
});
const wireRecord = object({
  record_id: entryKey,
  name: text,
  type: text,
  data: optional(text, ""),
  ttl: optional(number, 3_600),
  priority: optional(number, 0),
});
type WireRecord = ReturnType<typeof wireRecord>;
const records = object({ records: list(wireRecord) });

export const simply = defineRecordProvider(manifest, (credentials, { http }) => {
  const login = `${credentials["account_name"]}:${credentials["api_key"]}`;
  const headers = { authorization: `Basic ${Buffer.from(login).toString("base64")}` };
  const api = jsonApi(http, { baseUrl: apiUrl, headers, explain });
  const recordsPath = (zone: Zone) => `/my/products/${encodeURIComponent(zone.id)}/dns/records/`;

  return {
    textLimits,
    async listZones(signal) {
      const answer = await api.read({ path: "/my/products/" }, products, signal);
      return answer.products.flatMap(({ object: id, domain }) => {
        // The registry's servers say nothing about this zone.
        return domain === null ? [] : [{ id, name: domain.name, nameservers: [] }];
      });
    },
    async readRows(zone, signal) {
      const answer = await api.read({ path: recordsPath(zone) }, records, signal);
      return answer.records.map((record) => toRow(record, zone.name));
    },
    remove: (zone, { id }, signal) => {
      const path = `${recordsPath(zone)}${id}/`;
      return api.write({ method: "DELETE", path, closingSlash: true }, signal);
    },
    change: (zone, { id }, record, signal) => {
      const body = toWire(record, zone.name);
      const path = `${recordsPath(zone)}${id}/`;
      return api.write({ method: "PUT", path, body, closingSlash: true }, signal);
    },
    add: (zone, record, signal) => {
      const body = toWire(record, zone.name);
      return api.write({ method: "POST", path: recordsPath(zone), body }, signal);
    },
  };
});

/** A change replaces every field, so that all of them are sent. */
function toWire(record: DnsRecord, zone: string): Readonly<Record<string, unknown>> {
  const { type, value, ttl, priority } = record;
  return { type, name: toRelative(record.name, zone), data: value, ttl, priority: priority ?? 0 };
}

function toRow(wire: WireRecord, zone: string): Row {
  const type = wire.type.toUpperCase();
  const priority = type === "MX" || type === "SRV" ? wire.priority : null;
  const hasTarget = ["CNAME", "ALIAS", "NS", "MX", "SRV"].includes(type);
  const value = hasTarget ? readTarget(wire.data, null) : wire.data;
  const name = toAbsolute(wire.name, zone);
  const record = { name, type, ttl: wire.ttl, priority, value };
  return readRow({ id: wire.record_id, raw: null, zone, record });
}

const explain: Explain = (answer) => {
  const body = jsonOrNull(answer);
  if (!isObject(body)) return null;
  return { message: String(body["error"] ?? body["message"] ?? "") };
};
