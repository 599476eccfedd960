import type { ImportRow } from "@mooring/control";
import { exitCode } from "../../action.ts";
import { CommandError } from "../failure.ts";

const columns: readonly string[] = ["hostname", "customer_ref"];

/**
 * The rows of a CSV file (RFC 4180) whose header names `hostname`, and `customer_ref` where there
 * is one, in any order; other columns are not read. A row that cannot be read is returned with its
 * fault, so that it is reported with its line.
 */
export function readCsv(text: string): readonly ImportRow[] {
  const [header, ...records] = parseCsv(withoutMark(text));
  const names = header?.fields.map(columnName) ?? [];
  const known = names.filter((name) => columns.includes(name));
  if (!known.includes("hostname") || new Set(known).size !== known.length) {
    const message =
      "the first line of the file must be the header hostname,customer_ref: each once, in any order, beside other columns";
    throw new CommandError(message, exitCode.usage, "usage");
  }
  return records.map((record) => toRow(record, names));
}

/** The columns of the header that are not read, as the file spells them. */
export function ignoredColumns(text: string): readonly string[] {
  const { fields } = readRecord(withoutMark(text), 0);
  return fields.filter((name) => !columns.includes(columnName(name)));
}

function withoutMark(text: string): string {
  return text.replace(/^\uFEFF/, "");
}

function columnName(field: string): string {
  return field.trim().toLowerCase();
}

function toRow({ line, fields, fault }: CsvRecord, names: readonly string[]): ImportRow {
  const location = `line ${line}`;
  const readField = (name: string): string => fields[names.indexOf(name)] ?? "";
  const isRagged = fields.length !== names.length;
  const count = `has ${fields.length} fields, and the header ${names.length}`;
  return {
    location,
    hostname: readField("hostname").trim(),
    // Opaque, so it is not trimmed; an empty cell means none, and so does one of blanks alone.
    customerRef: readField("customer_ref").trim() === "" ? null : readField("customer_ref"),
    certificate: null,
    redirect: null,
    note: null,
    fault: fault ?? (isRagged ? count : null),
  };
}

interface CsvRecord {
  /** The line at which it begins, counted from one. */
  readonly line: number;
  readonly fields: readonly string[];
  readonly fault: string | null;
}

/** A quoted field may contain commas, line breaks and doubled quotes. */
const field = /"([^"]*(?:""[^"]*)*)"(?=,|\r?\n|\r|$)|([^,\r\n]*)/y;
const lineBreak = /\r\n|\n|\r/y;

/** Blank lines are no records. */
function parseCsv(text: string): readonly CsvRecord[] {
  const records: CsvRecord[] = [];
  let line = 1;
  let at = 0;
  while (at < text.length) {
    const { fields, fault, end } = readRecord(text, at);
    if (end > at) records.push({ line, fields, fault });
    lineBreak.lastIndex = end;
    const next = end + (lineBreak.exec(text)?.[0].length ?? 0);
    line += linesIn(text.slice(at, next));
    at = next;
  }
  return records;
}

function readRecord(
  text: string,
  start: number,
): Pick<CsvRecord, "fields" | "fault"> & { readonly end: number } {
  const fields: string[] = [];
  let fault: string | null = null;
  let at = start;
  for (;;) {
    field.lastIndex = at;
    const [whole = "", quoted, plain = ""] = field.exec(text) ?? [];
    if (quoted === undefined && plain.includes('"')) fault ??= "has a quote in the wrong place";
    fields.push(quoted === undefined ? plain : quoted.replaceAll('""', '"'));
    at += whole.length;
    if (text[at] !== ",") return { fields, fault, end: at };
    at += 1;
  }
}

function linesIn(text: string): number {
  return text.match(/\r\n|\n|\r/g)?.length ?? 0;
}
