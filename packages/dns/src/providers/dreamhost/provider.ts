import { normalizeName } from "../../name.ts";
import { absoluteTarget, parseData, plainTxt, presentData } from "../../presentation.ts";
import { type DnsRecord, recordKey } from "../../record.ts";
import type { Zone } from "../../zone.ts";
import { ProviderError, type ProviderErrorKind } from "../adapter/errors.ts";
import {
  anything,
  type Decoder,
  decodeJson,
  list,
  object,
  optional,
  text,
  textOrNumber,
} from "../adapter/json.ts";
import { ignoreNotFound } from "../adapter/json-api.ts";
import { defineRecordProvider } from "../adapter/record-provider.ts";
import { type Row, readRow } from "../adapter/rows.ts";
import { manifest } from "./manifest.ts";

const apiUrl = "https://api.dreamhost.com/";
/** Texts are sent bare. How quotes, backslashes and other scripts are stored is not documented. */
const textLimits = { forbidden: /["\\]|[^\x20-\x7e]|^\s|\s$|^$/, mostCharacters: 2_000 };
/** What `dns-add_record` takes; rows of other types are shown by the API and only there. */
const writableTypes: ReadonlySet<string> = new Set(["A", "AAAA", "CNAME", "NS", "SRV", "TXT"]);

const envelope = object({ result: text, data: anything });
const wireRecord = object({
  zone: text,
  record: text,
  type: text,
  value: optional(text, null),
  editable: optional(textOrNumber, "1"),
});
type WireRecord = ReturnType<typeof wireRecord>;

/** Entries have no key: an entry is removed by its name, type and value as the API spells them. */
export const dreamhost = defineRecordProvider<WireRecord>(manifest, (credentials, { http }) => {
  const key = credentials["api_key"] ?? "";

  /** Every command is a GET, also those that write; a lost addition must not be sent twice. */
  const run = async <T>(
    cmd: string,
    fields: Readonly<Record<string, string>>,
    decoder: Decoder<T>,
    signal: AbortSignal,
  ): Promise<T> => {
    const url = `${apiUrl}?${new URLSearchParams({ key, cmd, format: "json", ...fields })}`;
    const idempotent = cmd !== "dns-add_record";
    const answer = await http.send({ method: "GET", url, idempotent }, signal);
    const { result, data } = decodeJson(answer, envelope);
    if (result === "success") return decoder(data, "data");
    throw toError(String(data).replaceAll(key, "…"));
  };
  const listAll = (signal: AbortSignal) => run("dns-list_records", {}, list(wireRecord), signal);
  const add = async (record: DnsRecord, signal: AbortSignal) => {
    const fields = { record: record.name, type: record.type, value: toValue(record) };
    await run("dns-add_record", fields, anything, signal);
  };
  const remove = async ({ raw }: Row<WireRecord>, signal: AbortSignal) => {
    const { record, type, value } = raw;
    await run("dns-remove_record", { record, type, value: value ?? "" }, anything, signal);
  };

  return {
    textLimits,
    readNameservers: "apex",
    async listZones(signal) {
      const ids = new Set((await listAll(signal)).map(({ zone }) => zone));
      return [...ids].flatMap((id) => {
        const name = normalizeName(id);
        return name === null ? [] : [{ id, name, nameservers: [] }];
      });
    },
    async readRows(zone, signal) {
      const own = (await listAll(signal)).filter((one) => one.zone === zone.id);
      // A zone has at least its NS records.
      if (own.length === 0) {
        throw new ProviderError("not_found", `DreamHost lists no records of ${zone.name}.`);
      }
      return own.map((one) => toRow(one, zone));
    },
    requireWritable,
    remove: (_zone, row, signal) => remove(row, signal),
    async change(_zone, row, record, signal) {
      // There are no TTLs, so that nothing is left to change.
      if (row.record !== null && recordKey(row.record) === recordKey(record)) return;
      // A name has at most one CNAME; of other types the new one is there before the old one goes.
      if (record.type === "CNAME") await ignoreNotFound(remove(row, signal));
      await add(record, signal);
      if (record.type !== "CNAME") await ignoreNotFound(remove(row, signal));
    },
    add: (_zone, record, signal) => add(record, signal),
  };
});

function toValue(record: DnsRecord): string {
  if (record.type === "TXT") return record.value;
  return record.type === "CNAME" || record.type === "NS"
    ? absoluteTarget(record.value)
    : presentData(record);
}

function toRow(wire: WireRecord, zone: Zone): Row<WireRecord> {
  const type = wire.type.toUpperCase();
  const name = normalizeName(wire.record) ?? wire.record;
  const content = wire.value;
  const plain = type === "TXT" && content !== null ? plainTxt(content) : null;
  const parsed = type === "TXT" || content === null ? null : parseData(type, content, null);
  const record = {
    name,
    type,
    ttl: manifest.defaultTtlSeconds,
    value: parsed?.value ?? plain,
    priority: parsed?.priority ?? null,
  };
  const lockedBecause = whyLocked(wire, type, name === zone.name);
  return readRow({ id: null, raw: wire, zone: zone.name, record, lockedBecause });
}

function whyLocked({ editable }: WireRecord, type: string, isApex: boolean): string | null {
  // The zone's own NS records, which name its servers and are never written.
  if (type === "NS" && isApex) return null;
  if (editable === "0") return "DreamHost manages it";
  return writableTypes.has(type) || !["MX", "CAA", "ALIAS"].includes(type)
    ? null
    : `${type} records can only be changed in DreamHost's panel`;
}

function requireWritable(records: readonly DnsRecord[]): void {
  const unknown = records.find(({ type }) => !writableTypes.has(type));
  if (unknown === undefined) return;
  const { name, type } = unknown;
  throw new ProviderError("unsupported", `${name}: DreamHost's API stores no ${type} records.`);
}

/** Every answer has status 200; the code says what happened, with details after a tab. */
const kindByCode: readonly (readonly [RegExp, ProviderErrorKind])[] = [
  [/^slow_down/, "rate_limited"],
  [/(?:^|_)key(?:_|$)/, "auth"],
  [/^no_such_/, "not_found"],
  [/^(?:CNAME_|record_already_exists|not_editable)/, "conflict"],
  [/^internal_error/, "unavailable"],
];

function toError(data: string): ProviderError {
  const [code = ""] = data.split("\t");
  const kind = kindByCode.find(([expression]) => expression.test(code))?.[1] ?? "unsupported";
  if (kind === "auth") {
    return new ProviderError("auth", `The API key is not accepted (DreamHost says ${code}).`);
  }
  return new ProviderError(kind, `DreamHost refused: ${data.replaceAll("\t", ": ")}`);
}
