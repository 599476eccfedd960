import { entryFor } from "../../foreign-text.ts";
import { openTarget, splitCaa, splitSrv } from "../../presentation.ts";
import type { DnsRecord } from "../../record.ts";
import { printCaa } from "../../record.ts";
import type { Zone } from "../../zone.ts";
import { ProviderError } from "../adapter/errors.ts";
import type { Explain } from "../adapter/http.ts";
import {
  anything,
  type Decoder,
  isObject,
  jsonOrNull,
  list,
  number,
  object,
  optional,
  text,
} from "../adapter/json.ts";
import { allPages, ignoreNotFound, jsonApi } from "../adapter/json-api.ts";
import { defineSetProvider } from "../adapter/record-provider.ts";
import { type Row, readRow } from "../adapter/rows.ts";
import { manifest } from "./manifest.ts";

const apiUrl = "https://api.nsone.net/v1";

/** An answer is the list of its fields; some endpoints of NS1 return plain text instead. */
type Fields = readonly (string | number)[];

const zones = list(object({ zone: text, dns_servers: optional(list(text), []) }));
const shortAnswer: Decoder<string> = (value, path) =>
  Array.isArray(value) ? value.join(" ") : text(value, path);
const zoneDetail = object({
  records: optional(
    list(
      object({
        domain: text,
        type: text,
        ttl: optional(number, 3_600),
        tier: optional(number, 1),
        short_answers: optional(list(shortAnswer), []),
      }),
    ),
    [],
  ),
});
type Summary = ReturnType<typeof zoneDetail>["records"][number];
const field: Decoder<string | number> = (value, path) =>
  typeof value === "number" ? value : text(value, path);
const setDetail = object({
  answers: list(object({ answer: list(field) })),
  filters: optional(list(anything), []),
});

export const ns1 = defineSetProvider<Fields>(manifest, (credentials, { http }) => {
  const headers = { "x-nsone-key": credentials["api_key"] ?? "" };
  const api = jsonApi(http, { baseUrl: apiUrl, headers, explain });
  const zonePath = (zone: Zone) => `/zones/${encodeURIComponent(zone.id)}`;

  /** Lists beyond about 2,500 entries come in pages; the header names the next (RFC 8288). */
  const collect = <T>(
    path: string,
    decoder: Decoder<readonly T[]>,
    signal: AbortSignal,
  ): Promise<readonly T[]> =>
    allPages(async (next: string | null) => {
      const { body, headers: answered } = await api.page({ path: next ?? path }, decoder, signal);
      return { items: body, next: nextPath(answered.get("link")) };
    });

  return {
    async listZones(signal) {
      const found = await collect("/zones", zones, signal);
      return found.map(({ zone, dns_servers }) => ({
        id: zone,
        name: zone,
        nameservers: dns_servers,
      }));
    },
    async readRows(zone, signal) {
      const records = await collect(
        zonePath(zone),
        (...given) => zoneDetail(...given).records,
        signal,
      );
      return records.flatMap((summary) => toRows(summary, zone.name));
    },
    async writeSet(zone, { name, type, ttl, before, retain, add }, signal) {
      const path = `${zonePath(zone)}/${encodeURIComponent(name)}/${type}`;
      if (retain.length + add.length === 0) {
        return ignoreNotFound(api.write({ method: "DELETE", path }, signal));
      }
      const retained = retain.map(({ raw }) => raw);
      const answers = [...retained, ...add.map(toFields)].map((answer) => ({ answer }));
      const body = { zone: zone.id, domain: name, type, ttl, answers, filters: [] };
      // PUT creates a set, POST changes one.
      const method = before.length === 0 ? "PUT" : "POST";
      if (method === "POST") await requirePlain(api.read({ path }, setDetail, signal));
      await api.write({ method, path, body, idempotent: true }, signal);
    },
  };
});

/** The key must not follow a link to another host. */
function nextPath(link: string | null): string | null {
  const target = /<([^>]*)>\s*;[^,]*\brel="?next"?/.exec(link ?? "")?.[1];
  if (target === undefined) return null;
  const url = new URL(target, `${apiUrl}/`);
  const path = `${url.pathname}${url.search}`;
  const { origin, pathname } = new URL(apiUrl);
  // NS1 names its pages with http.
  if (url.host !== new URL(origin).host || !path.startsWith(`${pathname}/`)) {
    throw new ProviderError("unavailable", "NS1 named a next page on another host.");
  }
  return path.slice(pathname.length);
}

/** The zone overview lacks some fields of a set; the set itself has them. */
async function requirePlain(reading: Promise<ReturnType<typeof setDetail>>): Promise<void> {
  const { filters } = await reading;
  if (filters.length > 0)
    throw new ProviderError("conflict", "The set is part of traffic steering.");
}

function toFields(record: DnsRecord): Fields {
  const { type, value } = record;
  if (type === "MX") return [record.priority ?? 0, value];
  if (type === "CAA") {
    const { flags, tag, text: authority } = splitCaa(value);
    return [flags, tag, authority];
  }
  if (type !== "SRV") return [value];
  const { weight, port, target } = splitSrv(value);
  return [record.priority ?? 0, weight, port, target];
}

function toRows(
  { domain, type, ttl, tier, short_answers }: Summary,
  zone: string,
): readonly Row<Fields>[] {
  const lockedBecause = tier > 1 ? "it is part of traffic steering" : null;
  return short_answers.map((answer) => {
    const raw = splitFields(type, answer);
    const record = { name: domain, type, ttl, ...readContent(type, raw) };
    return readRow({ id: null, raw, zone, record, lockedBecause });
  });
}

function splitFields(type: string, answer: string): Fields {
  const fields = answer.split(" ");
  const numbers = entryFor({ MX: 1, SRV: 3, CAA: 1 }, type);
  if (numbers === undefined) return [answer];
  const rest =
    type === "CAA" ? [fields[1] ?? "", fields.slice(2).join(" ")] : fields.slice(numbers);
  return [...fields.slice(0, numbers).map(Number), ...rest];
}

function readContent(type: string, fields: Fields): { value: string; priority: number | null } {
  const [first = "", second = "", third = "", fourth = ""] = fields;
  const bare = (target: string | number) => openTarget(String(target));
  switch (type) {
    case "MX":
      return { value: bare(second), priority: Number(first) };
    case "SRV":
      return { value: `${second} ${third} ${bare(fourth)}`, priority: Number(first) };
    case "CAA":
      return {
        value: printCaa(Number(first), String(second), String(third).replace(/^"(.*)"$/, "$1")),
        priority: null,
      };
    case "TXT":
      return { value: String(first), priority: null };
    default:
      return { value: bare(first), priority: null };
  }
}

const explain: Explain = (answer) => {
  const body = jsonOrNull(answer);
  return isObject(body) ? { message: String(body["message"] ?? "") } : null;
};
