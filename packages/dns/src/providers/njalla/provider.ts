import { entryFor } from "../../foreign-text.ts";
import { toAbsolute, toRelative } from "../../name.ts";
import { readTarget, splitSrv } from "../../presentation.ts";
import type { DnsRecord } from "../../record.ts";
import type { Zone } from "../../zone.ts";
import { ProviderError, type ProviderErrorKind } from "../adapter/errors.ts";
import {
  anything,
  type Decoder,
  entryKey,
  isObject,
  list,
  number,
  object,
  optional,
  text,
} from "../adapter/json.ts";
import { jsonApi } from "../adapter/json-api.ts";
import { defineRecordProvider } from "../adapter/record-provider.ts";
import { type Row, readRow } from "../adapter/rows.ts";
import { manifest } from "./manifest.ts";

const apiUrl = "https://njal.la/api/1/";
/** Texts are sent bare. How quotes, backslashes and other scripts are stored is not documented. */
const textLimits = { forbidden: /["\\]|[^\x20-\x7e]|^\s|\s$|^$/, mostCharacters: 2_000 };
/** The only TTLs that there are. */
const ttls: readonly number[] = [60, 300, 900, 3_600, 10_800, 21_600, 86_400];
const targetTypes = ["CNAME", "NS", "MX", "SRV"];

type Params = Readonly<Record<string, unknown>>;

const domains = object({ domains: list(object({ name: text })) });
const wireRecord = object({
  id: entryKey,
  name: text,
  type: text,
  content: optional(text, ""),
  ttl: optional(number, 10_800),
  prio: optional(number, 0),
  weight: optional(number, 0),
  port: optional(number, 0),
});
type WireRecord = ReturnType<typeof wireRecord>;
/** Keys are sent back as they came, as numbers or as texts. */
type Key = unknown;
const records = object({
  records: list((value, path) => ({
    wire: wireRecord(value, path),
    key: isObject(value) ? value["id"] : null,
  })),
});

export const njalla = defineRecordProvider<Key>(manifest, (credentials, { http }) => {
  const token = credentials["api_token"] ?? "";
  const headers = { authorization: `Njalla ${token}` };
  const api = jsonApi(http, { baseUrl: apiUrl, headers, explain: () => null });

  /** Every call is a POST to one address; a failure is in the body, with status 200. */
  const call = async <T>(
    method: string,
    params: Params,
    decoder: Decoder<T>,
    signal: AbortSignal,
    idempotent = true,
  ): Promise<T> => {
    const request = { method: "POST", path: "", body: { method, params }, idempotent } as const;
    const answer = await api.read(request, anything, signal);
    const error = isObject(answer) ? (answer["error"] ?? answer["Error"]) : null;
    if (isObject(error)) {
      const message = String(error["message"] ?? "").replaceAll(token, "[removed]");
      throw new ProviderError(classifyError(error["code"], message), message);
    }
    return object({ result: decoder })(answer, "").result;
  };
  const write = async (
    zone: Zone,
    method: string,
    params: Params,
    idempotent: boolean,
    signal: AbortSignal,
  ) => {
    await call(method, { domain: zone.id, ...params }, anything, signal, idempotent);
  };
  return {
    textLimits,
    async listZones(signal) {
      const answer = await call("list-domains", {}, domains, signal);
      return answer.domains.map(({ name }) => ({ id: name, name, nameservers: [] }));
    },
    async readRows(zone, signal) {
      const answer = await call("list-records", { domain: zone.id }, records, signal);
      return answer.records.map(({ wire, key }) => toRow(wire, key, zone.name));
    },
    remove: (zone, { raw: id }, signal) => write(zone, "remove-record", { id }, true, signal),
    // The type cannot be changed; a change in place never does.
    change: (zone, { raw: id }, record, signal) =>
      write(zone, "edit-record", { id, ...toWire(record, zone.name) }, true, signal),
    add: (zone, record, signal) =>
      write(zone, "add-record", toWire(record, zone.name), false, signal),
  };
});

function toWire(record: DnsRecord, zone: string): Params {
  const { type, value, priority } = record;
  const base = {
    type,
    name: toRelative(record.name, zone),
    ttl: ttls.find((one) => one >= record.ttl) ?? 86_400,
  };
  if (type === "SRV") {
    const { weight, port, target } = splitSrv(value);
    return { ...base, content: target, prio: priority, weight, port };
  }
  return { ...base, content: value, ...(priority === null ? {} : { prio: priority }) };
}

function toRow(wire: WireRecord, key: Key, zone: string): Row<Key> {
  const { type } = wire;
  const priority = type === "MX" || type === "SRV" ? wire.prio : null;
  const target = targetTypes.includes(type) ? readTarget(wire.content, null) : wire.content;
  const value = type === "SRV" ? `${wire.weight} ${wire.port} ${target}` : target;
  const name = toAbsolute(wire.name, zone);
  return readRow({
    id: wire.id,
    raw: key,
    zone,
    record: { name, type, ttl: wire.ttl, priority, value },
  });
}

/** Last verified 2026-11. The codes are those of HTTP. */
const kindByCode: Readonly<Record<string, ProviderErrorKind>> = {
  401: "auth",
  403: "auth",
  404: "not_found",
  409: "conflict",
  429: "rate_limited",
  500: "unavailable",
  503: "unavailable",
};

function classifyError(code: unknown, message: string): ProviderErrorKind {
  const known = entryFor(kindByCode, String(code));
  if (known !== undefined) return known;
  return /not found|does not exist/i.test(message) ? "not_found" : "unsupported";
}
