import type { ImportRow } from "@mooring/control";
import { exitCode } from "../../action.ts";
import { CommandError } from "../failure.ts";

const columns = ["hostname", "customer_ref"] as const;

/**
 * The rows of a CSV file (RFC 4180) whose header is `hostname`, or `hostname` and `customer_ref`. A
 * row that cannot be read is returned with its fault, so that it is reported with its line.
 */
export function readCsv(text: string): readonly ImportRow[] {
  const [header, ...records] = parseCsv(text.replace(/^\uFEFF/, ""));
  const names = header?.fields.map((name) => name.trim().toLowerCase()) ?? [];
  const unknown = names.filter((name) => !columns.some((known) => known === name));
  const isRepeated = new Set(names).size !== names.length;
  if (!names.includes("hostname") || unknown.length > 0 || isRepeated) {
    const message = "the first line of the file must be the header hostname,customer_ref";
    throw new CommandError(message, exitCode.usage, "usage");
  }
  return records.map((record) => toRow(record, names));
}

function toRow({ line, fields, fault }: CsvRecord, names: readonly string[]): ImportRow {
  const location = `line ${line}`;
  const readField = (name: string): string => fields[names.indexOf(name)] ?? "";
  const isRagged = fields.length !== names.length;
  const count = `has ${fields.length} fields, and the header ${names.length}`;
  return {
    location,
    hostname: readField("hostname").trim(),
    // Opaque, so it is not trimmed; an empty field means none.
    customerRef: readField("customer_ref") === "" ? null : readField("customer_ref"),
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
