import { type DnsRecord, presentData } from "@mooring/dns";
import type { SharedPart } from "../../services/share/links.ts";

/** The records as a master file (RFC 1035 section 5), which most DNS panels import. */
export function zoneFile(parts: readonly SharedPart[]): string {
  const lines = parts.flatMap(({ connection, records, dnsHost }) => [
    `; DNS records for ${connection.hostname}`,
    `; to be added to the zone ${dnsHost.zone}; what is there already stays`,
    ...records.map(({ record }) => writeLine(record)),
  ]);
  return [...lines, ""].join("\n");
}

function writeLine(record: DnsRecord): string {
  const { name, ttl, type } = record;
  const line = `${name}.\t${ttl}\tIN\t${type}\t${presentData(record)}`;
  // Every provider has its own way to write one, and none of them is in the standard.
  return type === "ALIAS" ? `; by hand, as ALIAS, ANAME or flattened CNAME: ${line}` : line;
}
