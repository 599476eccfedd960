import type { DnsRecord } from "@mooring/sdk";
import { paint, type Style, shorten, shownWidth } from "./paint.ts";

export interface Column<T> {
  readonly heading: string;
  readonly cell: (row: T) => string;
  /** May be cut on a narrow terminal; a value that is copied, such as an id, may not. */
  readonly isElastic?: boolean;
}

const gap = "  ";
const minimumWidth = 12;

/**
 * Columns aligned with spaces. With a width the elastic columns shrink, the widest first, until a
 * row fits; without one, as in a pipe, nothing is cut.
 */
export function formatTable<T>(
  columns: readonly Column<T>[],
  rows: readonly T[],
  width: number | null,
): string {
  const cells = rows.map((row) => columns.map((column) => column.cell(row)));
  const natural = columns.map((column, index) =>
    Math.max(shownWidth(column.heading), ...cells.map((row) => shownWidth(row[index] ?? ""))),
  );
  const widths = width === null ? natural : shrink(columns, natural, width);
  const line = (row: readonly string[]): string =>
    row
      .map((cell, index) => pad(shorten(cell, widths[index] ?? 0), widths[index] ?? 0))
      .join(gap)
      .trimEnd();
  const headings = paint("dim", line(columns.map((column) => column.heading)));
  return [headings, ...cells.map(line)].join("\n");
}

function shrink<T>(
  columns: readonly Column<T>[],
  natural: readonly number[],
  width: number,
): number[] {
  const widths = [...natural];
  const total = (): number =>
    widths.reduce((sum, one) => sum + one, gap.length * (widths.length - 1));
  for (let excess = total() - width; excess > 0; excess -= 1) {
    const elastic = widths
      .map((one, index) => ({ one, index }))
      .filter(({ one, index }) => columns[index]?.isElastic === true && one > minimumWidth);
    const widest = elastic.sort((a, b) => b.one - a.one)[0];
    if (!widest) break;
    widths[widest.index] = widest.one - 1;
  }
  return widths;
}

function pad(text: string, width: number): string {
  return text + " ".repeat(Math.max(0, width - shownWidth(text)));
}

/** One line for each name and value; null values are left out. */
export function formatFields(fields: readonly (readonly [string, string | null])[]): string {
  const present = fields.filter((field): field is readonly [string, string] => field[1] !== null);
  const width = Math.max(0, ...present.map(([name]) => shownWidth(name)));
  return present.map(([name, value]) => `${paint("dim", pad(name, width))}  ${value}`).join("\n");
}

export const recordColumns: readonly Column<DnsRecord>[] = [
  { heading: "HOST", cell: ({ host }) => host },
  { heading: "TYPE", cell: ({ type }) => type },
  { heading: "VALUE", cell: recordValue },
];

/** Values are copied from this table, so none is cut. */
export function recordTable(records: readonly DnsRecord[]): string {
  return formatTable(recordColumns, records, null);
}

/** A time to the second, in UTC; a dash for none. */
export function formatTime(value: string | null): string {
  return value === null ? "–" : `${value.slice(0, 19).replace("T", " ")}Z`;
}

export function orDash(value: string | number | null): string {
  return value === null || value === "" ? "–" : String(value);
}

export function yesNo(value: boolean | null): string {
  return value === null ? "unknown" : value ? "yes" : "no";
}

/** The value as a DNS form takes it: the priority before the target. */
export function recordValue({ value, priority }: Pick<DnsRecord, "value" | "priority">): string {
  return priority === null ? value : `${priority} ${value}`;
}

const stateStyles: Readonly<Record<string, Style>> = {
  live: "green",
  issued: "green",
  delivered: "green",
  failed: "red",
  exhausted: "red",
  expired: "red",
  revoked: "red",
  drifted: "yellow",
  stalled: "yellow",
  archived: "dim",
};

export function painted(state: string): string {
  return paint(stateStyles[state] ?? "cyan", state);
}
