import { toAbsolute, toRelative } from "../../name.ts";
import { parseData, presentData } from "../../presentation.ts";
import type { Zone } from "../../zone.ts";
import type { Explain } from "../adapter/http.ts";
import { isObject, jsonOrNull, list, number, object, text } from "../adapter/json.ts";
import { countedPages, ignoreNotFound, jsonApi } from "../adapter/json-api.ts";
import { defineSetProvider } from "../adapter/record-provider.ts";
import { type Row, readRow } from "../adapter/rows.ts";
import { manifest } from "./manifest.ts";

const apiUrl = "https://api.gandi.net/v5/livedns";
const itemsPerPage = 500;
const maxTtlSeconds = 2_592_000;

const domains = list(object({ fqdn: text }));
const set = object({
  rrset_name: text,
  rrset_type: text,
  rrset_ttl: number,
  rrset_values: list(text),
});

export const gandi = defineSetProvider<string>(manifest, (credentials, { http }) => {
  const headers = { authorization: `Bearer ${credentials["personal_access_token"]}` };
  const api = jsonApi(http, { baseUrl: apiUrl, headers, explain });
  const recordsPath = (zone: Zone) => `/domains/${encodeURIComponent(zone.id)}/records`;

  /** The total is in a header; without one there is one page. */
  const collect = <T>(
    path: string,
    decode: (value: unknown, path: string) => readonly T[],
    signal: AbortSignal,
  ): Promise<readonly T[]> =>
    countedPages(async (page) => {
      const call = { path, query: { page, per_page: itemsPerPage } };
      const { body: items, headers: answered } = await api.page(call, decode, signal);
      return { items, total: Number(answered.get("total-count") ?? items.length) };
    });

  return {
    async listZones(signal) {
      const found = await collect("/domains", domains, signal);
      return found.map(({ fqdn }) => ({ id: fqdn, name: fqdn.toLowerCase(), nameservers: [] }));
    },
    async readRows(zone, signal) {
      const sets = await collect(recordsPath(zone), list(set), signal);
      return sets.flatMap((one) => toRows(one, zone.name));
    },
    async writeSet(zone, { name, type, ttl, retain, add }, signal) {
      const relative = toRelative(name, zone.name) ?? "@";
      const path = `${recordsPath(zone)}/${encodeURIComponent(relative)}/${type}`;
      const values = [...retain.map(({ raw }) => raw), ...add.map(presentData)];
      if (values.length === 0) return ignoreNotFound(api.write({ method: "DELETE", path }, signal));
      const body = { rrset_values: values, rrset_ttl: Math.min(ttl, maxTtlSeconds) };
      await api.write({ method: "PUT", path, body }, signal);
    },
  };
});

function toRows(one: ReturnType<typeof set>, zone: string): readonly Row<string>[] {
  const { rrset_name: name, rrset_type: type, rrset_ttl: ttl } = one;
  return one.rrset_values.map((raw) => {
    const data = parseData(type, raw, zone);
    const value = data?.value ?? null;
    const priority = data?.priority ?? null;
    const record = { name: toAbsolute(name, zone), type, ttl, value, priority };
    return readRow({ id: null, raw, zone, record });
  });
}

const explain: Explain = (answer) => {
  const body = jsonOrNull(answer);
  return isObject(body) ? { message: String(body["message"] ?? "") } : null;
};
