import { normalizeName } from "../../name.ts";
import { absoluteTarget, parseData, plainTxt, presentData } from "../../presentation.ts";
import type { DnsRecord } from "../../record.ts";
import type { Zone } from "../../zone.ts";
import { ProviderError } from "../adapter/errors.ts";
import type { Explain, HttpAnswer } from "../adapter/http.ts";
import {
  decodeJson,
  isObject,
  jsonOrNull,
  list,
  object,
  optional,
  text,
  textOrNumber,
} from "../adapter/json.ts";
import { defineRecordProvider } from "../adapter/record-provider.ts";
import { type Row, readRow } from "../adapter/rows.ts";
import { readServerUrl } from "../adapter/server-url.ts";
import { manifest } from "./manifest.ts";

/**
 * A record is named in a request by `name=…&value=…` inside of a field, so that these characters in
 * a value would name another one.
 */
const ambiguous = /[&%+]/;
/** What becomes of longer texts, quotes and other scripts is not documented. */
const textLimits = { forbidden: /["\\&%+]|[^\x20-\x7e]|^\s|\s$/, mostCharacters: 255 };

const wireRecord = object({
  type: text,
  name: text,
  value: text,
  /** `name=…&value=…`, which names the record. */
  combined: optional(text, null),
  /** Absent where the server does not show or allow one for each record. */
  ttl: optional(textOrNumber, ""),
});
type WireRecord = ReturnType<typeof wireRecord>;
const records = object({ records: list(wireRecord) });

export const directadmin = defineRecordProvider(manifest, (credentials, { http }) => {
  const { origin } = readServerUrl(credentials["server"] ?? "", {
    label: "DirectAdmin address",
    example: "https://server.example.net:2222",
    defaultPort: 2_222,
  });
  const login = `${credentials["username"]}:${credentials["login_key"]}`;
  const headers = { authorization: `Basic ${Buffer.from(login).toString("base64")}` };

  const read = async (command: string, signal: AbortSignal): Promise<HttpAnswer> => {
    const url = `${origin}/${command}`;
    return requireSuccess(await http.send({ method: "GET", url, headers }, signal, explain));
  };
  const write = async (
    zone: Zone,
    fields: Readonly<Record<string, string>>,
    signal: AbortSignal,
  ): Promise<void> => {
    const query = new URLSearchParams({ domain: zone.id, json: "yes" });
    const answer = await http.send(
      {
        method: "POST",
        url: `${origin}/CMD_API_DNS_CONTROL?${query}`,
        headers: { ...headers, "content-type": "application/x-www-form-urlencoded" },
        body: new URLSearchParams(fields).toString(),
      },
      signal,
      explain,
    );
    requireSuccess(answer);
  };

  return {
    textLimits,
    readNameservers: "apex",
    async listZones(signal) {
      const names = readDomains(await read("CMD_API_SHOW_DOMAINS?json=yes", signal));
      return names.flatMap((id) => {
        const name = normalizeName(id);
        return name === null ? [] : [{ id, name, nameservers: [] }];
      });
    },
    async readRows(zone, signal) {
      const query = new URLSearchParams({ domain: zone.id, json: "yes", full_mx_records: "yes" });
      const answer = await read(`CMD_API_DNS_CONTROL?${query}`, signal);
      return decodeJson(answer, records).records.map((one) => toRow(one, zone.name));
    },
    remove: (zone, row, signal) => write(zone, { action: "select", ...selection(row) }, signal),
    change: (zone, row, record, signal) =>
      write(zone, { action: "edit", ...selection(row), ...toWire(record) }, signal),
    add: (zone, record, signal) => write(zone, { action: "add", ...toWire(record) }, signal),
  };
});

/** A list as JSON; older servers answer with a form. */
function readDomains(answer: HttpAnswer): readonly string[] {
  if (!/^list(?:\[\]|%5B%5D)=/i.test(answer.text)) return decodeJson(answer, list(text));
  return new URLSearchParams(answer.text.trim()).getAll("list[]");
}

/** An entry is named by what it contains. */
function selection({ raw, record }: Row<string>): Readonly<Record<string, string>> {
  return { [`${record?.type.toLowerCase()}recs0`]: raw };
}

function toWire(record: DnsRecord): Readonly<Record<string, string>> {
  const { type, ttl } = record;
  const name = absoluteTarget(record.name);
  const value = type === "TXT" ? record.value : presentData(record);
  return { type, name, value, ...(type === "NS" ? {} : { ttl: String(ttl) }) };
}

function toRow(wire: WireRecord, zone: string): Row<string> {
  const type = wire.type.toUpperCase();
  const { combined } = wire;
  const isNamed = combined !== null && combined === `name=${wire.name}&value=${wire.value}`;
  const canBeNamed = isNamed && !ambiguous.test(`${wire.name}${wire.value}`);
  const data = readData(type, wire.value, zone);
  return readRow({
    id: null,
    raw: combined ?? "",
    zone,
    record: {
      name: absoluteName(wire.name, zone),
      type,
      ttl: /^\d{1,9}$/.test(wire.ttl) ? Number(wire.ttl) : manifest.defaultTtlSeconds,
      ...(data ?? { value: null, priority: null }),
    },
    lockedBecause: canBeNamed ? null : "it cannot be named in a request to DirectAdmin",
  });
}

/** A server with short MX records gives the priority alone, which says nothing of the target. */
function readData(type: string, value: string, zone: string): ReturnType<typeof parseData> {
  if (type !== "TXT") return parseData(type, value, zone);
  const plain = plainTxt(value);
  return plain === null ? null : { value: plain, priority: null };
}

/** RFC 1035 §5.1: without a closing dot a name is relative to the zone. */
function absoluteName(name: string, zone: string): string {
  if (name.endsWith(".")) return name.slice(0, -1).toLowerCase();
  return name === "@" || name === "" ? zone : `${name}.${zone}`.toLowerCase();
}

/** A failure can have status 200 as well. */
function requireSuccess(answer: HttpAnswer): HttpAnswer {
  const failed = explain(answer);
  if (failed === null) return answer;
  const isMissing = failed.kind === "not_found";
  throw new ProviderError(
    isMissing ? "not_found" : "unsupported",
    isMissing ? "DirectAdmin does not know this zone." : "DirectAdmin refused the request.",
  );
}

/** The reason is only compared: the server is one that a customer named. */
const explain: Explain = (answer) => {
  const body = jsonOrNull(answer);
  if (!isObject(body) || typeof body["error"] !== "string" || /^0?$/.test(body["error"]))
    return null;
  if (answer.status === 401 || answer.status === 403) return null;
  return { kind: /cannot view dns/i.test(body["error"]) ? "not_found" : "unsupported" };
};
