import type { DnsRecord } from "@mooring/sdk";
import { type Column, tableOf } from "./table.ts";
import { recordValue } from "./words.ts";

export const recordColumns: readonly Column<DnsRecord>[] = [
  { heading: "HOST", cell: ({ host }) => host },
  { heading: "TYPE", cell: ({ type }) => type },
  { heading: "VALUE", cell: recordValue },
];

/** Values are copied from here, so that none is ever cut. */
export function recordTable(records: readonly DnsRecord[]): string {
  return tableOf(recordColumns, records, null);
}
