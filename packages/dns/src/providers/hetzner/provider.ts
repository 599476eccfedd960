import { toAbsolute, toRelative } from "../../name.ts";
import { parseData, presentData } from "../../presentation.ts";
import type { Zone } from "../../zone.ts";
import { ProviderError } from "../adapter/errors.ts";
import type { Explain } from "../adapter/http.ts";
import {
  boolean,
  isObject,
  jsonOrNull,
  list,
  number,
  object,
  optional,
  text,
  textOrNumber,
} from "../adapter/json.ts";
import { allPages, type JsonCall, jsonApi, requireCount } from "../adapter/json-api.ts";
import { defineSetProvider } from "../adapter/record-provider.ts";
import { type Row, readRow, type SetEdit } from "../adapter/rows.ts";
import { manifest } from "./manifest.ts";

const apiUrl = "https://api.hetzner.cloud/v1";
const itemsPerPage = 50;
/** Changes run in the background and take well under a second; this is a minute. */
const maxPolls = 60;
const pollPauseMs = 1_000;

const meta = object({
  pagination: object({ next_page: optional(number, null), total_entries: number }),
});
const zonePage = object({
  zones: list(
    object({
      id: textOrNumber,
      name: text,
      mode: optional(text, "primary"),
      authoritative_nameservers: optional(object({ assigned: optional(list(text), []) }), {
        assigned: [],
      }),
    }),
  ),
  meta,
});
const value = object({ value: text, comment: optional(text, "") });
type Value = ReturnType<typeof value>;
const set = object({
  name: text,
  type: text,
  ttl: optional(number, null),
  records: list(value),
  protection: optional(object({ change: optional(boolean, false) }), { change: false }),
});
const setPage = object({ rrsets: list(set), meta });
const action = object({
  action: object({
    id: textOrNumber,
    status: text,
    error: optional(object({ message: optional(text, "") }), null),
  }),
});

export const hetzner = defineSetProvider<Value>(manifest, (credentials, { http, wait }) => {
  const headers = { authorization: `Bearer ${credentials["api_token"]}` };
  const api = jsonApi(http, { baseUrl: apiUrl, headers, explain });
  const setsPath = (zone: Zone) => `/zones/${encodeURIComponent(zone.id)}/rrsets`;

  const act = async (call: JsonCall, signal: AbortSignal): Promise<void> => {
    let answer = await api.read(call, action, signal);
    for (let poll = 0; poll < maxPolls && answer.action.status === "running"; poll += 1) {
      await wait(pollPauseMs, signal);
      answer = await api.read({ path: `/actions/${answer.action.id}` }, action, signal);
    }
    const { status, error } = answer.action;
    if (status === "success") return;
    const why = error?.message ?? "it did not finish in time";
    throw new ProviderError("unavailable", `Hetzner could not finish the change: ${why}`);
  };

  const writeSet = async (zone: Zone, edit: SetEdit<Value>, signal: AbortSignal): Promise<void> => {
    const { type, ttl, before, retain, add } = edit;
    const name = toRelative(edit.name, zone.name) ?? "@";
    const path = `${setsPath(zone)}/${encodeURIComponent(name)}/${type}`;
    const added = add.map((record) => ({ value: presentData(record), comment: "" }));
    const records = [...retain.map(({ raw }) => raw), ...added];
    if (records.length === 0) return act({ method: "DELETE", path }, signal);
    if (before.length === 0) {
      const body = { name, type, ttl, records };
      return act({ method: "POST", path: setsPath(zone), body }, signal);
    }
    const replace = { method: "POST", path: `${path}/actions/set_records` } as const;
    await act({ ...replace, body: { records }, idempotent: true }, signal);
    if (retain.length > 0) return;
    const retime = { method: "POST", path: `${path}/actions/change_ttl` } as const;
    await act({ ...retime, body: { ttl }, idempotent: true }, signal);
  };

  return {
    async listZones(signal) {
      const zones = await allPages(async (cursor: number | null) => {
        const query = { page: cursor ?? 1, per_page: itemsPerPage };
        const answer = await api.read({ path: "/zones", query }, zonePage, signal);
        return { items: answer.zones, next: answer.meta.pagination.next_page };
      });
      // A secondary zone is copied from elsewhere.
      return zones
        .filter(({ mode }) => mode === "primary")
        .map(({ id, name, authoritative_nameservers: servers }) => ({
          id,
          name,
          nameservers: servers.assigned.map((host) => host.replace(/\.$/, "")),
        }));
    },
    async readRows(zone, signal) {
      let stated = 0;
      const sets = await allPages(async (cursor: number | null) => {
        const query = { page: cursor ?? 1, per_page: itemsPerPage };
        const answer = await api.read({ path: setsPath(zone), query }, setPage, signal);
        stated = answer.meta.pagination.total_entries;
        return { items: answer.rrsets, next: answer.meta.pagination.next_page };
      });
      requireCount(sets, stated);
      return sets.flatMap((one) => toRows(one, zone.name));
    },
    writeSet,
  };
});

function toRows(
  { name, type, ttl, records, protection }: ReturnType<typeof set>,
  zone: string,
): readonly Row<Value>[] {
  return records.map((raw) => {
    const data = parseData(type, raw.value, zone);
    const record = {
      name: toAbsolute(name, zone),
      type,
      ttl: ttl ?? manifest.defaultTtlSeconds,
      value: data?.value ?? null,
      priority: data?.priority ?? null,
    };
    const lockedBecause = protection.change ? "it is protected against changes" : null;
    return readRow({ id: null, raw, zone, record, lockedBecause });
  });
}

const explain: Explain = (answer) => {
  const body = jsonOrNull(answer);
  const error = isObject(body) && isObject(body["error"]) ? body["error"] : null;
  if (error === null) return null;
  const message = String(error["message"] ?? "");
  // Another change of the zone is running, or came between: nothing was done, and a retry may work.
  const isRace = answer.status === 423 || error["code"] === "conflict";
  return isRace ? { kind: "unavailable", message, hadNoEffect: true } : { message };
};
