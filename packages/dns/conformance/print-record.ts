import type { DnsRecord } from "../src/record.ts";

/** One line as in a zone file, by which tests compare records. */
export function printRecord(record: DnsRecord): string {
  const priority = record.priority === null ? "" : `${record.priority} `;
  return `${record.name} ${record.ttl} ${record.type} ${priority}${record.value}`;
}
