import { openTarget, unquoteTxt } from "../../presentation.ts";
import type { DnsRecord } from "../../record.ts";
import type { Zone } from "../../zone.ts";
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
} from "../adapter/json.ts";
import { jsonApi } from "../adapter/json-api.ts";
import { defineRecordProvider } from "../adapter/record-provider.ts";
import { type Row, readRow } from "../adapter/rows.ts";
import { manifest } from "./manifest.ts";

const apiUrl = "https://api.hosting.ionos.com/dns/v1";

const zones = list(object({ id: text, name: text }));
const wireRecord = object({
  id: entryKey,
  name: text,
  type: text,
  content: text,
  ttl: optional(number, 3_600),
  prio: optional(number, 0),
  disabled: optional(boolean, false),
});
type WireRecord = ReturnType<typeof wireRecord>;
const zoneDetail = object({ records: optional(list(wireRecord), []) });

export const ionos = defineRecordProvider(manifest, (credentials, { http }) => {
  const headers = { "x-api-key": `${credentials["api_prefix"]}.${credentials["api_secret"]}` };
  const api = jsonApi(http, { baseUrl: apiUrl, headers, explain });
  const zonePath = (zone: Zone) => `/zones/${encodeURIComponent(zone.id)}`;
  const recordsPath = (zone: Zone) => `${zonePath(zone)}/records`;

  return {
    async listZones(signal) {
      const found = await api.read({ path: "/zones" }, zones, signal);
      return found.map(({ id, name }) => ({ id, name, nameservers: [] }));
    },
    async readRows(zone, signal) {
      const { records } = await api.read({ path: zonePath(zone) }, zoneDetail, signal);
      return records.map((record) => toRow(record, zone.name));
    },
    // Only the URLs of single records: a write to the zone's URL would replace sets or the whole
    // zone.
    remove: (zone, { id }, signal) =>
      api.write({ method: "DELETE", path: `${recordsPath(zone)}/${id}` }, signal),
    change: (zone, { id }, record, signal) => {
      const { name: _name, type: _type, ...body } = toWire(record);
      return api.write({ method: "PUT", path: `${recordsPath(zone)}/${id}`, body }, signal);
    },
    add: (zone, record, signal) =>
      api.write({ method: "POST", path: recordsPath(zone), body: [toWire(record)] }, signal),
  };
});

function toWire({ name, type, value: content, ttl, priority }: DnsRecord) {
  const ranked = priority === null ? {} : { prio: priority };
  return { name, type, content, ttl, ...ranked, disabled: false };
}

/** Texts are given raw and come back in quotes. */
function toRow(wire: WireRecord, zone: string): Row {
  const { id, name, type, content, ttl } = wire;
  const plain = content.startsWith('"') ? unquoteTxt(content) : content;
  const value = type === "TXT" ? plain : openTarget(content);
  const priority = type === "MX" || type === "SRV" ? wire.prio : null;
  const lockedBecause = wire.disabled ? "it is switched off at IONOS" : null;
  return readRow({
    id,
    raw: null,
    zone,
    record: { name, type, ttl, priority, value },
    lockedBecause,
  });
}

/** Errors are a list. */
const explain: Explain = (answer) => {
  const body = jsonOrNull(answer);
  const first: unknown = Array.isArray(body) ? body[0] : null;
  return isObject(first) ? { message: `${first["code"] ?? ""} ${first["message"] ?? ""}` } : null;
};
