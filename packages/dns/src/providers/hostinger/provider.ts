import { toAbsolute, toRelative } from "../../name.ts";
import { parseData, plainTxt, presentData } from "../../presentation.ts";
import type { DnsRecord } from "../../record.ts";
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
} from "../adapter/json.ts";
import { ignoreNotFound, jsonApi } from "../adapter/json-api.ts";
import { defineSetProvider } from "../adapter/record-provider.ts";
import { type Row, readRow, type SetEdit } from "../adapter/rows.ts";
import { manifest } from "./manifest.ts";

const apiUrl = "https://developers.hostinger.com/api";
/**
 * Texts are sent bare and quoted by the API; what it does with these characters is not documented.
 */
const textLimits = { forbidden: /["\\]|[^\x20-\x7e]|^\s|\s$/, mostCharacters: 2_048 };
/** A domain in one of these states has no zone. */
const withoutZone: ReadonlySet<string> = new Set([
  "requested",
  "pending_setup",
  "deleted",
  "failed",
]);

const domains = list(object({ domain: optional(text, null), status: optional(text, "active") }));
const value = object({ content: text, is_disabled: optional(boolean, false) });
const set = object({
  name: text,
  type: text,
  ttl: optional(number, manifest.defaultTtlSeconds),
  records: list(value),
});

/** A deletion is accepted before it is carried out. */
const maxPolls = 20;
const pollPauseMs = 1_000;

interface SetName {
  readonly name: string;
  readonly type: string;
}

export const hostinger = defineSetProvider<string>(manifest, (credentials, { http, wait }) => {
  const headers = { authorization: `Bearer ${credentials["api_token"]}` };
  const api = jsonApi(http, { baseUrl: apiUrl, headers, explain });
  const zonePath = (zone: Zone) => `/dns/v1/zones/${encodeURIComponent(zone.id)}`;

  /** Until then an addition at the same name is refused as a conflict. */
  const untilGone = async (zone: Zone, gone: readonly SetName[], signal: AbortSignal) => {
    for (let poll = 0; poll < maxPolls; poll += 1) {
      const sets = await api.read({ path: zonePath(zone) }, list(set), signal);
      const isThere = ({ name, type }: SetName) =>
        sets.some((one) => one.name === name && one.type === type && one.records.length > 0);
      if (!gone.some(isThere)) return;
      await wait(pollPauseMs, signal);
    }
    throw new ProviderError("unavailable", "Hostinger has not yet carried out a deletion.");
  };

  return {
    textLimits,
    async listZones(signal) {
      const found = await api.read({ path: "/domains/v1/portfolio" }, domains, signal);
      // The API names the domain's live servers, not the zone's: the manifest's have to be
      // compared.
      return found.flatMap(({ domain, status }) =>
        domain === null || withoutZone.has(status)
          ? []
          : { id: domain, name: domain.toLowerCase(), nameservers: [] },
      );
    },
    async readRows(zone, signal) {
      const sets = await api.read({ path: zonePath(zone) }, list(set), signal);
      return sets.flatMap((one) => toRows(one, zone.name));
    },
    async writeSets(zone, edits, signal) {
      const path = zonePath(zone);
      const sets = edits.map((edit) => toWire(edit, zone.name));
      const filters = sets
        .filter(({ records }) => records.length === 0)
        .map(({ name, type }) => ({ name, type }));
      if (filters.length > 0) {
        await ignoreNotFound(api.write({ method: "DELETE", path, body: { filters } }, signal));
        await untilGone(zone, filters, signal);
      }
      const filled = sets.filter(({ records }) => records.length > 0);
      if (filled.length === 0) return;
      // Replaces the sets that are named and no other; without it values would only be added.
      await api.write({ method: "PUT", path, body: { overwrite: true, zone: filled } }, signal);
    },
  };
});

function toWire({ name, type, ttl, retain, add }: SetEdit<string>, zone: string) {
  const contents = [...retain.map(({ raw }) => raw), ...add.map(readContent)];
  return {
    name: toRelative(name, zone) ?? "@",
    type,
    ttl,
    records: contents.map((content) => ({ content })),
  };
}

function readContent(record: DnsRecord): string {
  return record.type === "TXT" ? record.value : presentData(record);
}

function toRows(
  { name, type, ttl, records }: ReturnType<typeof set>,
  zone: string,
): readonly Row<string>[] {
  return records.map(({ content, is_disabled: isDisabled }) => {
    const data = readData(type, content);
    const record = {
      name: toAbsolute(name, zone),
      type,
      ttl,
      value: data?.value ?? null,
      priority: data?.priority ?? null,
    };
    const lockedBecause = isDisabled ? "it is switched off at Hostinger" : null;
    return readRow({ id: null, raw: content, zone, record, lockedBecause });
  });
}

/** Texts come back in quotes, or bare as they were sent. */
function readData(type: string, content: string): ReturnType<typeof parseData> {
  if (type !== "TXT") return parseData(type, content, null);
  const text = plainTxt(content);
  return text === null ? null : { value: text, priority: null };
}

const explain: Explain = (answer) => {
  const body = jsonOrNull(answer);
  const message = isObject(body) ? String(body["message"] ?? "") : "";
  if (answer.status === 422 && /(?:domain|zone)\b.*\bnot found/i.test(message)) {
    return { kind: "not_found", message };
  }
  return message === "" ? null : { message };
};
