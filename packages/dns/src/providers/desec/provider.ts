import { toAbsolute, toRelative } from "../../name.ts";
import { parseData, presentData } from "../../presentation.ts";
import type { Zone } from "../../zone.ts";
import type { Explain } from "../adapter/http.ts";
import { list, number, object, optional, text } from "../adapter/json.ts";
import { allPages, jsonApi } from "../adapter/json-api.ts";
import { defineSetProvider } from "../adapter/record-provider.ts";
import { type Row, readRow } from "../adapter/rows.ts";
import { manifest } from "./manifest.ts";

const apiUrl = "https://desec.io/api/v1";
const maxTtlSeconds = 86_400;

const domains = list(object({ name: text, minimum_ttl: optional(number, null) }));
const set = object({ subname: text, type: text, ttl: number, records: list(text) });

export const desec = defineSetProvider<string>(manifest, (credentials, { http }) => {
  const headers = { authorization: `Token ${credentials["api_token"]}` };
  const api = jsonApi(http, { baseUrl: apiUrl, headers, explain });
  const setsPath = (zone: Zone) => `/domains/${encodeURIComponent(zone.id)}/rrsets/`;

  /** An empty cursor asks for the first page; without one, long lists are refused. */
  const collect = <T>(
    path: string,
    decode: (value: unknown, path: string) => readonly T[],
    signal: AbortSignal,
  ): Promise<readonly T[]> =>
    allPages(async (cursor: string | null) => {
      const call = { path, query: { cursor: cursor ?? "" } };
      const { body: items, headers: answered } = await api.page(call, decode, signal);
      return { items, next: nextCursor(answered.get("link")) };
    });

  return {
    async listZones(signal) {
      const found = await collect("/domains/", domains, signal);
      return found.map(({ name, minimum_ttl: least }) => ({
        id: name,
        name,
        nameservers: [],
        ...(least === null ? {} : { limits: { minimumTtlSeconds: least } }),
      }));
    },
    async readRows(zone, signal) {
      const sets = await collect(setsPath(zone), list(set), signal);
      return sets.flatMap((one) => toRows(one, zone.name));
    },
    async writeSets(zone, edits, signal) {
      // One transaction; a set without records is deleted.
      const body = edits.map(({ name, type, ttl, retain, add }) => {
        const relative = toRelative(name, zone.name);
        const records = [...retain.map(({ raw }) => raw), ...add.map(presentData)];
        const subname = relative === "@" ? "" : relative;
        return { subname, type, ttl: Math.min(ttl, maxTtlSeconds), records };
      });
      const path = setsPath(zone);
      await api.write({ method: "PUT", path, body, closingSlash: true }, signal);
    },
  };
});

/** RFC 8288: <https://…?cursor=x>; rel="next". */
function nextCursor(link: string | null): string | null {
  const target = /<([^>]*)>;\s*rel="next"/.exec(link ?? "")?.[1];
  return target === undefined ? null : new URL(target).searchParams.get("cursor");
}

function toRows(
  { subname, type, ttl, records }: ReturnType<typeof set>,
  zone: string,
): readonly Row<string>[] {
  return records.map((raw) => {
    const data = parseData(type, raw, null);
    const record = {
      name: toAbsolute(subname, zone),
      type,
      ttl,
      value: data?.value ?? null,
      priority: data?.priority ?? null,
    };
    return readRow({ id: null, raw, zone, record });
  });
}

/**
 * Errors are maps from fields to sentences, in bulk a list of them; the raw text is clear enough.
 */
const explain: Explain = ({ text: message }) => ({ message });
