import type { DnsRecord } from "@mooring/sdk";

/** Types whose value ends in a host name, which needs its final dot in a zone file. */
const endsInName: readonly string[] = ["ALIAS", "CNAME", "MX", "NS", "SRV"];

/** The records as a zone file (RFC 1035 section 5) that DNS providers import. */
export function zoneFile(zone: string, records: readonly DnsRecord[]): string {
  const lines = records.map((record) => line(record));
  return [`$ORIGIN ${dotted(zone)}`, ...lines, ""].join("\n");
}

function line(record: DnsRecord): string {
  const { host, type, ttl, priority } = record;
  const preference = priority === null ? "" : `${priority} `;
  const text = `${dotted(host)}\t${ttl ?? 3_600}\tIN\t${type}\t${preference}${rdata(record)}`;
  // No standard knows ALIAS; an importer would refuse the whole file.
  return type === "ALIAS" ? `; ${text}` : text;
}

function rdata({ type, value }: DnsRecord): string {
  if (type === "TXT") return quoted(value);
  return endsInName.includes(type) ? dotted(value) : oneLine(value);
}

function dotted(name: string): string {
  const plain = oneLine(name);
  return plain.endsWith(".") ? plain : `${plain}.`;
}

/** A line break would start a record of somebody else's making. */
function oneLine(text: string): string {
  return text.replaceAll(/[\r\n]+/g, " ");
}

/** Strings of at most 255 octets (RFC 1035 section 3.3.14), all that is not printable escaped. */
function quoted(value: string): string {
  const octets = [...new TextEncoder().encode(value)];
  const strings: string[] = [];
  for (let at = 0; at < octets.length || at === 0; at += 255) {
    strings.push(
      `"${octets
        .slice(at, at + 255)
        .map(escaped)
        .join("")}"`,
    );
  }
  return strings.join(" ");
}

function escaped(octet: number): string {
  if (octet === 0x22 || octet === 0x5c) return `\\${String.fromCharCode(octet)}`;
  const isPlain = octet >= 0x20 && octet < 0x7f;
  return isPlain ? String.fromCharCode(octet) : `\\${String(octet).padStart(3, "0")}`;
}
