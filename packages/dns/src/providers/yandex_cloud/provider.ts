import { normalizeName } from "../../name.ts";
import { absoluteTarget, parseData, presentData } from "../../presentation.ts";
import type { Zone } from "../../zone.ts";
import { ProviderError, type ProviderErrorKind } from "../adapter/errors.ts";
import type { Explain } from "../adapter/http.ts";
import {
  anything,
  boolean,
  decodeJson,
  isObject,
  jsonOrNull,
  list,
  number,
  object,
  optional,
  text,
  textOrNumber,
} from "../adapter/json.ts";
import { allPages, jsonApi } from "../adapter/json-api.ts";
import { defineSetProvider } from "../adapter/record-provider.ts";
import { type Row, readRow, type SetEdit } from "../adapter/rows.ts";
import { sessionSource } from "../adapter/session.ts";
import { manifest } from "./manifest.ts";
import { accountStatement, readServiceAccount, tokenUrl } from "./service-account.ts";

const apiUrl = "https://dns.api.cloud.yandex.net/dns/v1";
const operationsUrl = "https://operation.api.cloud.yandex.net/operations";
const itemsPerPage = 1_000;
/** A token is good for twelve hours; a new one is asked for every hour, as is recommended. */
const sessionSeconds = 3_600;
/** Changes are done when they are answered; one that is not is asked about for a minute. */
const maxPolls = 60;
const pollPauseMs = 1_000;
/** Only ASCII is stored. What becomes of quotes and backslashes is not documented. */
const textLimits = { forbidden: /["\\]|[^\x20-\x7e]|^$/, mostCharacters: 1_024 };

const granted = object({ iamToken: text });
const nextPageToken = optional(text, "");
const zonePage = object({
  dnsZones: optional(
    list(object({ id: text, zone: text, publicVisibility: optional(anything, null) })),
    [],
  ),
  nextPageToken,
});
const wireSet = object({
  name: text,
  type: text,
  ttl: optional(textOrNumber, String(manifest.defaultTtlSeconds)),
  data: optional(list(text), []),
});
type WireSet = ReturnType<typeof wireSet>;
const setPage = object({ recordSets: optional(list(wireSet), []), nextPageToken });
const operation = object({
  id: text,
  done: optional(boolean, false),
  error: optional(object({ code: number, message: optional(text, "") }), null),
});

/** A deletion must repeat the set as it is stored. */
interface Raw {
  readonly value: string;
  readonly ttl: string;
}

export const yandexCloud = defineSetProvider<Raw>(manifest, (credentials, context) => {
  const { http, now, wait } = context;
  const account = readServiceAccount(credentials["service_account_json"] ?? "");
  const folderId = credentials["folder_id"] ?? "";
  const session = sessionSource(now, async (signal) => {
    const body = JSON.stringify({ jwt: accountStatement(account, now()) });
    const headers = { "content-type": "application/json" };
    const request = { method: "POST", url: tokenUrl, headers, body, idempotent: true } as const;
    const answer = await http.send(request, signal, explainGrant);
    return { value: decodeJson(answer, granted).iamToken, seconds: sessionSeconds };
  });
  const authorize = async (_request: unknown, signal: AbortSignal) => ({
    authorization: `Bearer ${await session(signal)}`,
  });
  const api = jsonApi(http, { baseUrl: apiUrl, headers: {}, explain, authorize });
  const operations = jsonApi(http, { baseUrl: operationsUrl, headers: {}, explain, authorize });
  const actionPath = (zone: Zone, action: string) =>
    `/zones/${encodeURIComponent(zone.id)}:${action}`;
  const pageQuery = (pageToken: string | null) => ({
    pageSize: itemsPerPage,
    ...(pageToken === null ? {} : { pageToken }),
  });

  return {
    textLimits,
    readNameservers: "apex",
    async listZones(signal) {
      const zones = await allPages(async (token: string | null) => {
        const call = { path: "/zones", query: { folderId, ...pageQuery(token) } };
        const answer = await api.read(call, zonePage, signal);
        return { items: answer.dnsZones, next: answer.nextPageToken || null };
      });
      // An internal zone answers inside the cloud's networks only.
      return zones.flatMap(({ id, zone, publicVisibility }) => {
        const name = normalizeName(zone);
        return name === null || publicVisibility === null ? [] : [{ id, name, nameservers: [] }];
      });
    },
    async readRows(zone, signal) {
      const sets = await allPages(async (token: string | null) => {
        const call = { path: actionPath(zone, "listRecordSets"), query: pageQuery(token) };
        const answer = await api.read(call, setPage, signal);
        return { items: answer.recordSets, next: answer.nextPageToken || null };
      });
      return sets.flatMap((set) => toRows(set, zone.name));
    },
    async writeSets(zone, edits, signal) {
      // One transaction; it fails when a set is no longer as it was read.
      const call = { method: "POST", path: actionPath(zone, "updateRecordSets") } as const;
      const body = { deletions: edits.flatMap(toDeletion), additions: edits.flatMap(toAddition) };
      let state = await api.read({ ...call, body }, operation, signal);
      for (let poll = 0; poll < maxPolls && !state.done; poll += 1) {
        await wait(pollPauseMs, signal);
        const path = `/${encodeURIComponent(state.id)}`;
        state = await operations.read({ path }, operation, signal);
      }
      if (state.error !== null) throw toError(state.error.code, state.error.message);
      if (!state.done) throw toError(4, "the change did not finish in time");
    },
  };
});

function wireType(type: string): string {
  return type === "ALIAS" ? "ANAME" : type;
}

function toDeletion({ name, type, before }: SetEdit<Raw>): readonly unknown[] {
  const ttl = before[0]?.raw.ttl;
  if (ttl === undefined) return [];
  const data = before.map(({ raw }) => raw.value);
  return [{ name: absoluteTarget(name), type: wireType(type), ttl, data }];
}

function toAddition({ name, type, ttl, retain, add }: SetEdit<Raw>): readonly unknown[] {
  const data = [...retain.map(({ raw }) => raw.value), ...add.map(presentData)];
  if (data.length === 0) return [];
  return [{ name: absoluteTarget(name), type: wireType(type), ttl: String(ttl), data }];
}

/** Data as in a zone file; targets are absolute, with a closing dot or without. */
function toRows(set: WireSet, zone: string): readonly Row<Raw>[] {
  const type = set.type === "ANAME" ? "ALIAS" : set.type;
  const name = normalizeName(set.name) ?? set.name;
  return set.data.map((value) => {
    const data = parseData(type, value, null);
    const record = {
      name,
      type,
      ttl: Number(set.ttl),
      value: data?.value ?? null,
      priority: data?.priority ?? null,
    };
    return readRow({ id: null, raw: { value, ttl: set.ttl }, zone, record });
  });
}

/** The codes are those of gRPC. */
const kindByCode: Readonly<Record<number, ProviderErrorKind>> = {
  3: "unsupported",
  5: "not_found",
  6: "conflict",
  7: "auth",
  8: "rate_limited",
  9: "conflict",
  10: "conflict",
  12: "unsupported",
  16: "auth",
};

function toError(code: number, message: string): ProviderError {
  const kind = kindByCode[code] ?? "unavailable";
  return new ProviderError(kind, `Yandex Cloud refused the change: ${message} (code ${code}).`);
}

const explain: Explain = (answer) => {
  const body = jsonOrNull(answer);
  if (!isObject(body)) return null;
  const message = String(body["message"] ?? "");
  const kind = kindByCode[Number(body["code"])];
  return kind === undefined ? { message } : { kind, message };
};

/** What is said about a statement that is refused may repeat it. */
const explainGrant: Explain = ({ status }) =>
  status >= 400 && status < 500 && status !== 429 ? { kind: "auth" } : null;
