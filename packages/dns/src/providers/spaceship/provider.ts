import type { DnsRecord } from "../../record.ts";
import type { Zone } from "../../zone.ts";
import { ProviderError } from "../adapter/errors.ts";
import type { Explain } from "../adapter/http.ts";
import { type Decoder, isObject, jsonOrNull, list, number, object, text } from "../adapter/json.ts";
import { allPages, ignoreNotFound, jsonApi, requireCount } from "../adapter/json-api.ts";
import { defineBatchProvider } from "../adapter/record-provider.ts";
import type { Row } from "../adapter/rows.ts";
import { manifest } from "./manifest.ts";
import { serviceKey, toRow, toWire, type WireFields, wireRecord } from "./wire.ts";

const apiUrl = "https://spaceship.dev/api/v1";
const domainsPerPage = 100;
const recordsPerPage = 500;
/** Texts are neither quoted nor escaped; nothing says what becomes of these characters. */
const textLimits = { forbidden: /["\\]|[^\x20-\x7e]|^\s|\s$/, mostCharacters: 4_096 };

const domain = object({ name: text });

export const spaceship = defineBatchProvider<WireFields>(manifest, (credentials, { http }) => {
  const headers = {
    "x-api-key": credentials["api_key"] ?? "",
    "x-api-secret": credentials["api_secret"] ?? "",
  };
  const api = jsonApi(http, { baseUrl: apiUrl, headers, explain });
  const recordsPath = (zone: Zone) => `/dns/records/${encodeURIComponent(zone.id)}`;

  const collect = async <T>(
    path: string,
    size: number,
    item: Decoder<T>,
    signal: AbortSignal,
  ): Promise<readonly T[]> => {
    let stated = 0;
    const items = await allPages(async (cursor: number | null) => {
      const skip = cursor ?? 0;
      const page = object({ items: list(item), total: number });
      const answer = await api.read({ path, query: { take: size, skip } }, page, signal);
      stated = answer.total;
      const next = skip + answer.items.length;
      return { items: answer.items, next: answer.items.length > 0 && next < stated ? next : null };
    });
    requireCount(items, stated);
    return items;
  };

  return {
    textLimits,
    async listZones(signal) {
      const found = await collect("/domains", domainsPerPage, domain, signal);
      // The API names the domain's live servers, not the zone's: the manifest's have to be
      // compared.
      return found.map(({ name }) => ({ id: name, name: name.toLowerCase(), nameservers: [] }));
    },
    async readRows(zone, signal) {
      const found = await collect(recordsPath(zone), recordsPerPage, wireRecord, signal);
      return found.map((one) => toRow(one, zone.name));
    },
    async writeRecords(zone, { remove, change, add, retain }, signal) {
      const records = [...change.map(({ record }) => record), ...add];
      refuseReplacedService(records, retain);
      const path = recordsPath(zone);
      const items = records.map((record) => toWire(record, zone.name));
      // A record is what its fields say, so that a change is a deletion and an addition. One by
      // one: a list with a record that is gone already would be refused as a whole.
      for (const { raw } of [...remove, ...change.map(({ row }) => row)]) {
        await ignoreNotFound(api.write({ method: "DELETE", path, body: [raw] }, signal));
      }
      if (items.length > 0) {
        // Adds to what is there; `force` would switch off the check for conflicts.
        await api.write({ method: "PUT", path, body: { force: false, items } }, signal);
      }
    },
  };
});

/** Refuses, before the first write, a service record that would replace another. */
function refuseReplacedService(
  records: readonly DnsRecord[],
  staying: readonly Row<WireFields>[],
): void {
  const others = staying.flatMap(({ record }) => (record?.type === "SRV" ? record : []));
  const taken = new Set(others.map(serviceKey));
  for (const record of records) {
    if (record.type !== "SRV") continue;
    if (taken.has(serviceKey(record))) {
      throw new ProviderError(
        "conflict",
        `${record.name} has another SRV record with the same priority and weight, which Spaceship would replace.`,
      );
    }
    taken.add(serviceKey(record));
  }
}

const explain: Explain = (answer) => {
  const body = jsonOrNull(answer);
  if (!isObject(body)) return null;
  const data: readonly unknown[] = Array.isArray(body["data"]) ? body["data"] : [];
  const details = data.flatMap((one) =>
    isObject(one) ? `${one["field"] ?? ""}: ${one["details"] ?? ""}` : [],
  );
  return { message: [String(body["detail"] ?? ""), ...details].join(" ") };
};
