import type { Token, Tokens } from "marked";
import { escapeHtml, plainText } from "./plain-text.ts";

export type Row = readonly Tokens.TableCell[];

/**
 * A table that a phone can show: one with sentences in several columns becomes a list of its rows there,
 * for which every cell knows its column's name; any other is scrolled.
 */
export function tableHtml(
  { header, rows }: Tokens.Table,
  anchors: ReadonlyMap<Row, { readonly id: string }>,
  inline: (tokens: Token[]) => string,
): string {
  const isLong = header.map((_cell, column) =>
    rows.some((row) => plainText(row[column]?.tokens ?? []).length > 36),
  );
  const size = (column: number) => (isLong[column] ? ' class="long"' : "");
  const names = header.map(({ tokens }) => escapeHtml(plainText(tokens)));
  const head = header.map(
    ({ tokens }, column) => `<th scope="col"${size(column)}>${inline(tokens)}</th>`,
  );
  const body = rows.map((row) => {
    const anchor = anchors.get(row);
    const cells = row.map(
      ({ tokens }, column) =>
        `<td${size(column)} data-column="${names[column] ?? ""}">${inline(tokens)}</td>`,
    );
    return `<tr${anchor ? ` id="${anchor.id}"` : ""}>${cells.join("")}</tr>`;
  });
  const isList = header.length > 2 && isLong.includes(true);
  const kind = isList ? "table list" : "table";
  return `<div class="${kind}" tabindex="0" role="group" aria-label="Table"><table>\n<thead><tr>${head.join("")}</tr></thead>\n<tbody>${body.join("\n")}</tbody>\n</table></div>\n`;
}
