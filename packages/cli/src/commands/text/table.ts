import { paint, shorten, widthOf } from "./paint.ts";

export interface Column<T> {
  readonly heading: string;
  readonly cell: (row: T) => string;
  /** May be cut on a narrow terminal; what is copied from there, like an id, may not. */
  readonly isElastic?: boolean;
}

const gap = "  ";
const narrowest = 12;

/**
 * Columns aligned with spaces. With a width the elastic ones give way, the widest first, until a row
 * fits into it; without one, as in a pipe, nothing is cut.
 */
export function tableOf<T>(
  columns: readonly Column<T>[],
  rows: readonly T[],
  width: number | null,
): string {
  const cells = rows.map((row) => columns.map((column) => column.cell(row)));
  const natural = columns.map((column, index) =>
    Math.max(widthOf(column.heading), ...cells.map((row) => widthOf(row[index] ?? ""))),
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
      .filter(({ one, index }) => columns[index]?.isElastic === true && one > narrowest);
    const widest = elastic.sort((a, b) => b.one - a.one)[0];
    if (!widest) break;
    widths[widest.index] = widest.one - 1;
  }
  return widths;
}

function pad(text: string, width: number): string {
  return text + " ".repeat(Math.max(0, width - widthOf(text)));
}

/** Names and what they are, one below the other; those that are null are left out. */
export function fieldsOf(fields: readonly (readonly [string, string | null])[]): string {
  const present = fields.filter((field): field is readonly [string, string] => field[1] !== null);
  const width = Math.max(0, ...present.map(([name]) => widthOf(name)));
  return present.map(([name, value]) => `${paint("dim", pad(name, width))}  ${value}`).join("\n");
}
