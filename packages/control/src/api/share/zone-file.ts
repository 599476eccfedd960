import type { DnsRecord } from "@mooring/dns";
import type { SharedConnection } from "../../services/share/links.ts";

/** The records as a master file (RFC 1035 section 5), which most DNS panels import. */
export function zoneFile({ connection, records, place }: SharedConnection): string {
  return [
    `; DNS records for ${connection.hostname}`,
    `; to be added to the zone ${place.zone}; what is there already stays`,
    ...records.map(({ record }) => lineOf(record)),
    "",
  ].join("\n");
}

function lineOf(record: DnsRecord): string {
  const { name, ttl, type, priority } = record;
  const before = priority === null ? "" : `${priority} `;
  const line = `${name}.\t${ttl}\tIN\t${type}\t${before}${dataOf(record)}`;
  // Every provider has its own way to write one, and none of them is in the standard.
  return type === "ALIAS" ? `; by hand, as ALIAS, ANAME or flattened CNAME: ${line}` : line;
}

function dataOf({ type, value }: DnsRecord): string {
  switch (type) {
    case "TXT":
      return quoted(value);
    case "CNAME":
    case "ALIAS":
    case "MX":
    case "NS":
    case "SRV":
      return absolute(value);
    default:
      return value;
  }
}

/** Names in data are relative to the zone unless they end in a dot; the name is the last word. */
function absolute(value: string): string {
  return value.endsWith(".") ? value : `${value}.`;
}

/** One string holds 255 octets; longer texts are several. Quotes and what is not ASCII are escaped. */
function quoted(value: string): string {
  const bytes = Buffer.from(value, "utf8");
  const strings: string[] = [];
  for (let at = 0; at < bytes.length || at === 0; at += 255) {
    strings.push(`"${[...bytes.subarray(at, at + 255)].map(character).join("")}"`);
  }
  return strings.join(" ");
}

function character(byte: number): string {
  if (byte === 0x22 || byte === 0x5c) return `\\${String.fromCharCode(byte)}`;
  return byte >= 0x20 && byte < 0x7f
    ? String.fromCharCode(byte)
    : `\\${String(byte).padStart(3, "0")}`;
}
