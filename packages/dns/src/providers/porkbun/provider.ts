import { entryFor } from "../../foreign-text.ts";
import { toRelative } from "../../name.ts";
import { openTarget } from "../../presentation.ts";
import type { DnsRecord } from "../../record.ts";
import type { Zone } from "../../zone.ts";
import { ProviderError, type ProviderErrorKind } from "../adapter/errors.ts";
import type { Explain } from "../adapter/http.ts";
import type { Decoder } from "../adapter/json.ts";
import {
  entryKey,
  isObject,
  jsonOrNull,
  list,
  object,
  optional,
  text,
  textOrNumber,
} from "../adapter/json.ts";
import { allPages, jsonApi } from "../adapter/json-api.ts";
import { defineRecordProvider } from "../adapter/record-provider.ts";
import { type Row, readRow } from "../adapter/rows.ts";
import { manifest } from "./manifest.ts";

const apiUrl = "https://api.porkbun.com/api/json/v3";
/** Leading and trailing spaces are cut off. */
const textLimits = { forbidden: /^\s|\s$/, mostCharacters: 2_000 };

const domainPage = object({ domains: list(object({ domain: text })) });
const wireRecord = object({
  id: entryKey,
  name: text,
  type: text,
  content: optional(text, ""),
  ttl: optional(textOrNumber, "600"),
  prio: optional(textOrNumber, "0"),
});
type WireRecord = ReturnType<typeof wireRecord>;
const records = object({ records: list(wireRecord) });
const done = object({
  status: text,
  message: optional(text, ""),
  code: optional(textOrNumber, ""),
});

/** One request a second is allowed. */
const pauseSeconds = 2;

export const porkbun = defineRecordProvider(manifest, (credentials, { http }) => {
  const api = jsonApi(http, { baseUrl: apiUrl, headers: {}, explain });
  const keys = { apikey: credentials["api_key"], secretapikey: credentials["secret_api_key"] };

  /** Every call is a POST that carries the keys in its body; only reading may be repeated. */
  const call = async <T>(
    path: string,
    body: Readonly<Record<string, unknown>>,
    decoder: Decoder<T>,
    signal: AbortSignal,
    idempotent: boolean,
  ): Promise<T> => {
    const request = { method: "POST", path, body: { ...keys, ...body }, idempotent } as const;
    const answer = await api.read(request, (value) => value, signal);
    const { status, message, code } = done(answer, "");
    if (status !== "SUCCESS") {
      throw new ProviderError(classifyError(code, message) ?? "unsupported", message);
    }
    return decoder(answer, "");
  };
  const write = async (
    path: string,
    body: Readonly<Record<string, unknown>>,
    signal: AbortSignal,
  ): Promise<void> => {
    await call(path, body, done, signal, false);
  };

  const domainIn = (zone: Zone) => encodeURIComponent(zone.id);

  return {
    textLimits,
    async listZones(signal) {
      // The size of a page is not documented, so only an empty page is certainly the last.
      const domains = await allPages(async (cursor: number | null) => {
        const start = cursor ?? 0;
        const body = { start: String(start) };
        const answer = await call("/domain/listAll", body, domainPage, signal, true);
        const found = answer.domains.length;
        return { items: answer.domains, next: found === 0 ? null : start + found };
      });
      return domains.map(({ domain }) => ({ id: domain, name: domain, nameservers: [] }));
    },
    async readRows(zone, signal) {
      const path = `/dns/retrieve/${encodeURIComponent(zone.id)}`;
      const answer = await call(path, {}, records, signal, true);
      return answer.records.map((record) => toRow(record, zone.name));
    },
    remove: (zone, { id }, signal) => write(`/dns/delete/${domainIn(zone)}/${id}`, {}, signal),
    change: (zone, { id }, record, signal) =>
      write(`/dns/edit/${domainIn(zone)}/${id}`, toWire(record, zone.name), signal),
    add: (zone, record, signal) =>
      write(`/dns/create/${domainIn(zone)}`, toWire(record, zone.name), signal),
  };
});

/** Names are relative with an empty apex; numbers are written as texts. */
function toWire(record: DnsRecord, zone: string): Readonly<Record<string, string>> {
  const { type, value: content, ttl, priority } = record;
  const relative = toRelative(record.name, zone);
  const name = relative === null || relative === "@" ? "" : relative;
  return {
    name,
    type,
    content,
    ttl: String(ttl),
    ...(priority === null ? {} : { prio: String(priority) }),
  };
}

function toRow(wire: WireRecord, zone: string): Row {
  const { id, name, type, content } = wire;
  const value = type === "TXT" ? content : openTarget(content);
  const priority = type === "MX" || type === "SRV" ? Number(wire.prio) : null;
  return readRow({
    id,
    raw: null,
    zone,
    record: { name, type, ttl: Number(wire.ttl), priority, value },
  });
}

/** Last verified 2026-11. */
const kindByCode: Readonly<Record<string, ProviderErrorKind>> = {
  API_KEY_REQUIRED: "auth",
  INVALID_API_KEYS_001: "auth",
  INVALID_API_KEYS_002: "auth",
  INVALID_TOKEN: "auth",
  INVALID_USER: "auth",
  MISSING_APIKEY: "auth",
  MISSING_SECRETAPIKEY: "auth",
  IP_NOT_ALLOWED: "auth",
  DOMAIN_NOT_ALLOWED: "auth",
  INVALID_DOMAIN: "not_found",
  DOMAIN_NOT_FOUND: "not_found",
  INVALID_RECORD_ID: "not_found",
  DUPLICATE_RECORD: "conflict",
  RATE_LIMIT_EXCEEDED: "rate_limited",
};

/** The status says little. The code names the cause; older answers have only the text. */
function classifyError(code: string, message: string): ProviderErrorKind | null {
  const known = entryFor(kindByCode, code);
  if (known !== undefined) return known;
  if (/invalid api key|not opted in|api access/i.test(message)) return "auth";
  return /invalid domain/i.test(message) ? "not_found" : null;
}

const explain: Explain = (answer) => {
  const body = jsonOrNull(answer);
  // The gate in front of the API answers a request too many with a page of its own.
  if (answer.status === 503 && !isObject(body)) {
    return { kind: "rate_limited", retryAfterSeconds: pauseSeconds };
  }
  const message = isObject(body) ? String(body["message"] ?? "") : "";
  const kind = classifyError(isObject(body) ? String(body["code"] ?? "") : "", message);
  if (kind === "not_found" && /invalid domain/i.test(message)) {
    return { kind, message: `${message} Is API Access switched on for the domain?` };
  }
  return kind === null ? { message } : { kind, message };
};
