import { toAbsolute, toRelative } from "../../name.ts";
import { openTarget, quoteTxt, unquoteTxt } from "../../presentation.ts";
import type { DnsRecord } from "../../record.ts";
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
import { jsonApi, numberedPages } from "../adapter/json-api.ts";
import { defineRecordProvider } from "../adapter/record-provider.ts";
import { type Row, readRow } from "../adapter/rows.ts";
import { manifest } from "./manifest.ts";

const apiUrl = "https://api.dnsimple.com/v2";
const itemsPerPage = 100;
const textLimits = { forbidden: /\s$/, mostCharacters: 1_000 };

const pagination = object({ total_pages: number, total_entries: number });
const identity = object({
  data: object({ account: optional(object({ id: textOrNumber }), null) }),
});
const accounts = object({ data: list(object({ id: textOrNumber })) });
const zonePage = object({ data: list(object({ name: text })), pagination });
const wireRecord = object({
  id: entryKey,
  name: optional(text, ""),
  type: text,
  content: text,
  ttl: number,
  priority: optional(number, null),
  system_record: optional(boolean, false),
});
type WireRecord = ReturnType<typeof wireRecord>;
const recordPage = object({ data: list(wireRecord), pagination });

export const dnsimple = defineRecordProvider(manifest, (credentials, { http }) => {
  const headers = { authorization: `Bearer ${credentials["api_token"]}` };
  const api = jsonApi(http, { baseUrl: apiUrl, headers, explain });

  /**
   * An account token names its account; a user token is enough when the user has one account only.
   */
  const findAccount = async (signal: AbortSignal): Promise<string> => {
    const own = (await api.read({ path: "/whoami" }, identity, signal)).data.account;
    if (own !== null) return own.id;
    const [first, ...others] = (await api.read({ path: "/accounts" }, accounts, signal)).data;
    if (first !== undefined && others.length === 0) return first.id;
    throw new ProviderError(
      "auth",
      "The token belongs to a user of several accounts; give the account ID.",
    );
  };
  let account = credentials["account_id"];
  const zonesPath = async (signal: AbortSignal) => {
    account ??= await findAccount(signal);
    return `/${encodeURIComponent(account)}/zones`;
  };
  const recordsPath = async (zone: Zone, signal: AbortSignal) =>
    `${await zonesPath(signal)}/${encodeURIComponent(zone.id)}/records`;

  return {
    textLimits,
    async listZones(signal) {
      const path = await zonesPath(signal);
      const zones = await numberedPages(async (page) => {
        const answer = await api.read(
          { path, query: { page, per_page: itemsPerPage } },
          zonePage,
          signal,
        );
        return { items: answer.data, hasMore: page < answer.pagination.total_pages };
      });
      return zones.map(({ name }) => ({ id: name, name, nameservers: [] }));
    },
    async readRows(zone, signal) {
      const path = await recordsPath(zone, signal);
      const records = await numberedPages(async (page) => {
        const call = { path, query: { page, per_page: itemsPerPage } };
        const answer = await api.read(call, recordPage, signal);
        const { total_pages: pages, total_entries: total } = answer.pagination;
        return { items: answer.data, hasMore: page < pages, total };
      });
      return records.map((record) => toRow(record, zone.name));
    },
    // The batch endpoint belongs to the Enterprise plan; these three are on every plan.
    async remove(zone, { id }, signal) {
      const path = `${await recordsPath(zone, signal)}/${id}`;
      await api.write({ method: "DELETE", path }, signal);
    },
    async change(zone, { id }, record, signal) {
      const { type: _fixed, ...body } = toWire(record, zone.name);
      const path = `${await recordsPath(zone, signal)}/${id}`;
      await api.write({ method: "PATCH", path, body }, signal);
    },
    async add(zone, record, signal) {
      const body = toWire(record, zone.name);
      await api.write({ method: "POST", path: await recordsPath(zone, signal), body }, signal);
    },
  };
});

function toWire(record: DnsRecord, zone: string) {
  const { type, value, ttl, priority } = record;
  const relative = toRelative(record.name, zone);
  const name = relative === "@" ? "" : relative;
  const content = type === "TXT" ? quoteTxt(value) : value;
  return { type, name, content, ttl, ...(priority === null ? {} : { priority }) };
}

function toRow(wire: WireRecord, zone: string): Row {
  const { id, type, content, ttl } = wire;
  const plain = content.startsWith('"') ? unquoteTxt(content) : content;
  const priority = type === "MX" || type === "SRV" ? wire.priority : null;
  const value = type === "TXT" ? plain : openTarget(content);
  const record = { name: toAbsolute(wire.name, zone), type, ttl, priority, value };
  const lockedBecause = wire.system_record ? "DNSimple manages it" : null;
  return readRow({ id, raw: null, zone, record, lockedBecause });
}

const explain: Explain = (answer) => {
  const body = jsonOrNull(answer);
  return isObject(body) ? { message: String(body["message"] ?? "") } : null;
};
