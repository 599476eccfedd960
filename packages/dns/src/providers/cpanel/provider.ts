import { normalizeName } from "../../name.ts";
import {
  absoluteTarget,
  joinTxt,
  type ParsedData,
  parseData,
  presentData,
  splitCaa,
  splitTxt,
} from "../../presentation.ts";
import { type DnsRecord, printCaa } from "../../record.ts";
import type { Zone } from "../../zone.ts";
import type { Credentials } from "../adapter/contract.ts";
import { ProviderError } from "../adapter/errors.ts";
import {
  anything,
  type Decoder,
  decodeJson,
  list,
  number,
  object,
  optional,
  text,
  textOrNumber,
} from "../adapter/json.ts";
import { defineBatchProvider } from "../adapter/record-provider.ts";
import { type Row, readRow } from "../adapter/rows.ts";
import { readServerUrl } from "../adapter/server-url.ts";
import { manifest } from "./manifest.ts";

/** Texts go into a zone file. How quotes, backslashes and other scripts are escaped is unknown. */
const textLimits = { forbidden: /["\\]|[^\x20-\x7e]/, mostCharacters: 4_096 };

/** Every answer has status 200; `status` in it says whether the call worked. */
const answer = object({
  status: textOrNumber,
  errors: optional(list(text), []),
  data: anything,
});
const domains = object({
  main_domain: text,
  addon_domains: optional(list(text), []),
  parked_domains: optional(list(text), []),
});
/** One line or more of the zone file: a record, a comment or a control entry. */
const entry = object({
  line_index: optional(number, null),
  type: optional(text, ""),
  record_type: optional(text, null),
  ttl: optional(number, 0),
  dname_b64: optional(text, ""),
  data_b64: optional(list(text), []),
  text_b64: optional(text, ""),
});
type Entry = ReturnType<typeof entry>;

/** Where an entry starts in the file, and the file's serial number in the entry that has it. */
interface Line {
  readonly line: number | null;
  readonly serial: string | null;
}

export const cpanel = defineBatchProvider<Line>(manifest, (credentials, { http }) => {
  const { origin } = readServerUrl(credentials["server"] ?? "", {
    label: "cPanel address",
    example: "https://server.example.net:2083",
    defaultPort: 2_083,
  });
  const headers = { authorization: authorization(credentials) };

  const read = async <T>(
    path: string,
    query: string,
    decoder: Decoder<T>,
    signal: AbortSignal,
  ): Promise<T> => {
    const url = `${origin}/execute/${path}${query}`;
    const { status, errors, data } = decodeJson(
      await http.send({ method: "GET", url, headers }, signal),
      answer,
    );
    if (status !== "1") throw refusal(errors);
    return decoder(data, "data");
  };
  const readRows = async (zone: Zone, signal: AbortSignal): Promise<readonly Row<Line>[]> => {
    const entries = await read(
      "DNS/parse_zone",
      `?zone=${encodeURIComponent(zone.id)}`,
      list(entry),
      signal,
    );
    return entries.flatMap((one) => toRow(one, zone.name) ?? []);
  };

  return {
    textLimits,
    readNameservers: "apex",
    readRows,
    async listZones(signal) {
      const found = await read("DomainInfo/list_domains", "", domains, signal);
      // Subdomains are records of these zones.
      const names = [found.main_domain, ...found.addon_domains, ...found.parked_domains];
      return [...new Set(names)].flatMap((id) => {
        const name = normalizeName(id);
        return name === null ? [] : [{ id, name, nameservers: [] }];
      });
    },
    async writeRecords(zone, { remove, change, add, retain }, signal) {
      const serial = serialIn(retain);
      const form = new URLSearchParams({ zone: zone.id, serial });
      for (const { raw } of remove) form.append("remove", String(raw.line));
      for (const { row, record } of change) {
        form.append("edit", JSON.stringify({ line_index: row.raw.line, ...toWire(record) }));
      }
      for (const record of add) form.append("add", JSON.stringify(toWire(record)));
      const sent = await http.send(
        {
          method: "POST",
          url: `${origin}/execute/DNS/mass_edit_zone`,
          headers: { ...headers, "content-type": "application/x-www-form-urlencoded" },
          body: form.toString(),
        },
        signal,
      );
      const { status, errors } = decodeJson(sent, answer);
      if (status === "1") return;
      // The reason is a sentence in the account's language; the serial number tells the usual one.
      if (serialIn(await readRows(zone, signal)) === serial) throw refusal(errors);
      throw new ProviderError("unavailable", "The zone was changed by someone else meanwhile.");
    },
  };
});

function authorization({ username, api_token: token, password }: Credentials): string {
  if (token !== undefined) return `cpanel ${username}:${token}`;
  if (password === undefined) {
    throw new ProviderError("auth", "API token is missing, and there is no password.");
  }
  return `Basic ${Buffer.from(`${username}:${password}`).toString("base64")}`;
}

/** The words of the server are not repeated: it is one that a customer named. */
function refusal(errors: readonly string[]): ProviderError {
  const said = errors.join(" ");
  if (/do not control a DNS zone/i.test(said)) {
    return new ProviderError("not_found", "cPanel does not know this zone.");
  }
  if (/feature|permission|not allowed/i.test(said)) {
    return new ProviderError("auth", "The cPanel account lacks the feature Zone Editor.");
  }
  return new ProviderError("unsupported", "cPanel refused the request.");
}

function serialIn(rows: readonly Row<Line>[]): string {
  const serial = rows.find(({ raw }) => raw.serial !== null)?.raw.serial;
  if (serial != null) return serial;
  throw new ProviderError("unavailable", "The provider's answer lacks the zone's SOA record.");
}

function toWire(record: DnsRecord): Readonly<Record<string, unknown>> {
  const { name, type: record_type, ttl } = record;
  return { dname: absoluteTarget(name), ttl, record_type, data: toData(record) };
}

/** The fields of the data, each a text of its own. */
function toData(record: DnsRecord): readonly string[] {
  if (record.type === "TXT") return splitTxt(record.value).map((bytes) => bytes.toString("utf8"));
  if (record.type !== "CAA") return presentData(record).split(" ");
  const { flags, tag, text: issuer } = splitCaa(record.value);
  return [String(flags), tag, issuer];
}

function toRow(wire: Entry, zone: string): Row<Line> | null {
  if (wire.record_type === null) {
    refuseOrigin(wire.text_b64);
    return null;
  }
  const type = wire.record_type.toUpperCase();
  const fields = wire.data_b64.map((field) => Buffer.from(field, "base64"));
  const name = absoluteName(Buffer.from(wire.dname_b64, "base64").toString("utf8"), zone);
  const data = readData(type, fields, zone);
  const raw = {
    line: wire.line_index,
    serial: type === "SOA" && name === zone ? (fields[2]?.toString("latin1") ?? null) : null,
  };
  return readRow({
    id: String(wire.line_index ?? ""),
    raw,
    zone,
    record: { name, type, ttl: wire.ttl, ...(data ?? { value: null, priority: null }) },
    lockedBecause: wire.line_index === null ? "cPanel does not say where in the zone it is" : null,
  });
}

/** After one of these a relative name is below another name than the zone's. */
function refuseOrigin(encoded: string): void {
  const line = Buffer.from(encoded, "base64").toString("utf8");
  if (/^\s*\$(?:ORIGIN|INCLUDE)\b/i.test(line)) {
    const message = "The zone file has an $ORIGIN or $INCLUDE line, which cannot be read here.";
    throw new ProviderError("unsupported", message);
  }
}

/** RFC 1035 §5.1: without a closing dot a name is relative to the zone. */
function absoluteName(name: string, zone: string): string {
  if (name.endsWith(".")) return name.slice(0, -1).toLowerCase();
  return name === "@" || name === "" ? zone : `${name}.${zone}`.toLowerCase();
}

function readData(type: string, fields: readonly Buffer[], zone: string): ParsedData | null {
  if (fields.length === 0) return null;
  if (type === "TXT") return { value: joinTxt(fields), priority: null };
  const texts = fields.map((field) => field.toString("utf8"));
  if (type !== "CAA") return parseData(type, texts.join(" "), zone);
  const [flags = "", tag = "", issuer] = texts;
  if (issuer === undefined || !/^\d{1,3}$/.test(flags)) return null;
  return { value: printCaa(Number(flags), tag, issuer), priority: null };
}
