import { entryFor } from "../../foreign-text.ts";
import { normalizeName, toAbsolute, toRelative } from "../../name.ts";
import { parseData, readTarget } from "../../presentation.ts";
import { type DnsRecord, recordKey } from "../../record.ts";
import type { Zone } from "../../zone.ts";
import { ProviderError, type ProviderErrorKind } from "../adapter/errors.ts";
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
  textOrNumber,
} from "../adapter/json.ts";
import { type JsonCall, jsonApi, numberedPages } from "../adapter/json-api.ts";
import { defineBatchProvider } from "../adapter/record-provider.ts";
import { type Row, readRow } from "../adapter/rows.ts";
import { manifest } from "./manifest.ts";
import { sign } from "./signature.ts";

const origin = "https://api.dynadot.com";
const domainsPerPage = 100;
/** Texts are sent bare; what becomes of quotes, backslashes and other scripts is not documented. */
const textLimits = { forbidden: /["\\]|[^\x20-\x7e]|^\s|\s$|^$/, mostCharacters: 2_000 };
/** What else answers for a name in place of addresses, in words that a listing knows. */
const otherTypes: Readonly<Record<string, string>> = {
  ANAME: "ALIAS",
  FORWARD: "REDIRECT",
  STEALTH: "FRAME",
};

/** Errors, too, may come with status 200; `code` is the status that counts. */
const envelope = object({
  code: optional(number, 200),
  data: optional(anything, {}),
  error: optional(object({ description: optional(text, "") }), { description: "" }),
});
const domainPage = object({
  domain_info_list: optional(
    list(
      object({
        domain_name: text,
        glue_info: optional(object({ glue_type: optional(text, "DNS") }), { glue_type: "DNS" }),
      }),
    ),
    [],
  ),
  pagination_result: optional(
    object({ total: optional(number, 0), has_next_page: optional(text, "No") }),
    null,
  ),
});
const wireRecord = object({
  sub_host: optional(text, ""),
  record_type: text,
  record_value1: optional(text, ""),
  record_value2: optional(textOrNumber, ""),
});
type WireRecord = ReturnType<typeof wireRecord>;
const records = object({
  glue_info: object({
    glue_type: optional(text, "DNS"),
    ttl: optional(textOrNumber, null),
    dns_main_list: optional(list(wireRecord), []),
    dns_sub_list: optional(list(wireRecord), []),
  }),
});

/** An entry as it was listed, which names it for its removal, and the TTL of the whole zone. */
interface Listed {
  readonly wire: WireRecord;
  readonly zoneTtl: number | null;
}

export const dynadot = defineBatchProvider<Listed>(manifest, (credentials, { http }) => {
  const key = credentials["api_key"] ?? "";
  const secret = credentials["api_secret"] ?? "";
  const api = jsonApi(http, {
    baseUrl: origin,
    headers: { authorization: `Bearer ${key}` },
    explain,
    authorize: async ({ url, body }) => ({
      "X-Signature": sign(key, secret, url.slice(origin.length), body),
    }),
  });
  const ask = async <T>(call: JsonCall, decoder: Decoder<T>, signal: AbortSignal): Promise<T> => {
    const { code, data, error } = await api.read(call, envelope, signal);
    if (code >= 400) throw toError(code, error.description);
    return decoder(data, "data");
  };
  const recordsPath = (zone: Zone) => `/restful/v2/domains/${encodeURIComponent(zone.id)}/records`;
  const readRows = async (zone: Zone, signal: AbortSignal): Promise<readonly Row<Listed>[]> => {
    const { glue_info: glue } = await ask({ path: recordsPath(zone) }, records, signal);
    if (!isDynadotDns(glue.glue_type)) {
      throw new ProviderError("not_found", `${zone.name} does not use Dynadot DNS.`);
    }
    const ttl = Number(glue.ttl ?? Number.NaN);
    const zoneTtl = Number.isInteger(ttl) ? ttl : null;
    const main = glue.dns_main_list.map((one) => ({ ...one, sub_host: "" }));
    return [...main, ...glue.dns_sub_list].map((wire) => toRow({ wire, zoneTtl }, zone.name));
  };

  return {
    textLimits,
    async listZones(signal) {
      const domains = await numberedPages(async (page) => {
        const call = { path: "/restful/v2/domains", query: { page, page_size: domainsPerPage } };
        const answer = await ask(call, domainPage, signal);
        const items = answer.domain_info_list;
        const pages = answer.pagination_result;
        if (pages === null) return { items, hasMore: items.length === domainsPerPage };
        return { items, hasMore: /^yes$/i.test(pages.has_next_page), total: pages.total };
      });
      return domains.flatMap(({ domain_name: id, glue_info: { glue_type: mode } }) => {
        const name = isDynadotDns(mode) ? normalizeName(id) : null;
        return name === null ? [] : [{ id, name, nameservers: [] }];
      });
    },
    readRows,
    async writeRecords(zone, { remove, change, add, retain }, signal) {
      // A record cannot have a TTL of its own, so that a change of nothing else is none.
      const changes = change.filter(
        ({ row, record }) => row.record === null || recordKey(row.record) !== recordKey(record),
      );
      const coming = [...changes.map(({ record }) => record), ...add];
      refuseAtApex(coming, zone.name);
      const path = recordsPath(zone);
      const going = [...remove, ...changes.map(({ row }) => row)];
      if (going.length > 0) {
        const body = toLists(going.map(({ raw }) => raw.wire));
        await ask({ method: "DELETE", path, body }, anything, signal);
        requireGone(going, await readRows(zone, signal));
      }
      if (coming.length === 0) return;
      const listed = [...going, ...change.map(({ row }) => row), ...retain][0]?.raw;
      const ttl = listed === undefined ? coming[0]?.ttl : listed.zoneTtl;
      const body = {
        ...toLists(coming.map((record) => toWire(record, zone.name))),
        // Without it, the TTL of the whole zone becomes 86400.
        ...(ttl == null ? {} : { ttl }),
        // Without it, everything else in the zone is deleted.
        add_dns_to_current_setting: true,
      };
      await ask({ method: "POST", path, body }, anything, signal);
    },
  };
});

function isDynadotDns(glueType: string): boolean {
  return glueType.toUpperCase() === "DNS";
}

/** The apex has a list of its own. */
function toLists(rows: readonly WireRecord[]) {
  const fields = rows.map(({ record_value2: second, ...rest }) => ({
    ...rest,
    ...(second === "" ? {} : { record_value2: second }),
  }));
  const main = fields.flatMap(({ sub_host: host, ...rest }) => (host === "" ? [rest] : []));
  const sub = fields.filter(({ sub_host: host }) => host !== "");
  return {
    ...(main.length === 0 ? {} : { dns_main_list: main }),
    ...(sub.length === 0 ? {} : { dns_sub_list: sub }),
  };
}

/** Entries are removed by their fields, and an unknown one is passed over without an error. */
function requireGone(going: readonly Row<Listed>[], rows: readonly Row<Listed>[]): void {
  const left = new Set(rows.map(({ raw }) => JSON.stringify(raw.wire)));
  const stuck = going.find(({ raw }) => left.has(JSON.stringify(raw.wire)));
  if (stuck === undefined) return;
  const { sub_host: host, record_type: type } = stuck.raw.wire;
  throw new ProviderError("unavailable", `Dynadot did not remove the record ${host} ${type}.`);
}

function toWire({ name, type, value, priority }: DnsRecord, zone: string): WireRecord {
  return {
    sub_host: toRelative(name, zone, "") ?? "",
    record_type: type === "ALIAS" ? "aname" : type.toLowerCase(),
    record_value1: type === "SRV" ? `${priority} ${value}` : value,
    record_value2: type === "MX" ? String(priority) : "",
  };
}

function toRow(raw: Listed, zone: string): Row<Listed> {
  const { sub_host: host, record_type: given, record_value1: data } = raw.wire;
  const named = given.toUpperCase();
  const type = entryFor(otherTypes, named) ?? named;
  const { value, priority } = readData(type, data, raw.wire.record_value2);
  const ttl = raw.zoneTtl ?? manifest.defaultTtlSeconds;
  const record = { name: toAbsolute(host, zone), type, ttl, value, priority };
  return readRow({ id: null, raw, zone, record });
}

function readData(
  type: string,
  data: string,
  second: string,
): { readonly value: string | null; readonly priority: number | null } {
  if (type === "SRV") return parseData(type, data, null) ?? { value: null, priority: null };
  if (type === "MX") return { value: readTarget(data, null), priority: Number(second || "0") };
  const isTarget = ["CNAME", "ALIAS", "NS"].includes(type);
  return { value: isTarget ? readTarget(data, null) : data, priority: null };
}

/** Services and delegations can only be below it. */
function refuseAtApex(records: readonly DnsRecord[], zone: string): void {
  const refused = records.find(
    ({ name, type }) => name === zone && (type === "SRV" || type === "NS"),
  );
  if (refused !== undefined) {
    throw new ProviderError("unsupported", `Dynadot has no ${refused.type} records at the apex.`);
  }
}

/** Last verified 2026-11. */
function classify(code: number, description: string): ProviderErrorKind | null {
  if (code === 429 && /upper limit/i.test(description)) return "unsupported";
  if (code === 403 && /main dns/i.test(description)) return "conflict";
  if (code === 400 && /authorization|signature/i.test(description)) return "auth";
  return null;
}

const kindByCode: Readonly<Record<number, ProviderErrorKind>> = {
  400: "unsupported",
  401: "auth",
  402: "auth",
  403: "auth",
  404: "not_found",
  409: "conflict",
  429: "rate_limited",
};

function toError(code: number, description: string): ProviderError {
  const kind = classify(code, description) ?? kindByCode[code] ?? "unavailable";
  // What is said of a credential may repeat it.
  const said = kind === "auth" ? "" : description;
  const seconds = readPause(description);
  const options = seconds === null ? {} : { retryAfterSeconds: seconds };
  const message = `Dynadot answered with code ${code}${said === "" ? "." : `: ${said}`}`;
  return new ProviderError(kind, message, options);
}

/** The pause stands in the sentence. */
function readPause(description: string): number | null {
  const found = /try again after (\d{1,6}) seconds?/i.exec(description)?.[1];
  return found === undefined ? null : Number(found);
}

const explain: Explain = (answer) => {
  const body = jsonOrNull(answer);
  const error = isObject(body) ? body["error"] : null;
  if (!isObject(error)) return null;
  const message = String(error["description"] ?? "");
  const kind = classify(answer.status, message);
  const seconds = readPause(message);
  return {
    message,
    ...(kind === null ? {} : { kind }),
    ...(seconds === null ? {} : { retryAfterSeconds: seconds }),
  };
};
