import { type Terminal, terminalOf } from "./terminal.ts";

/** The only writer to stdout and stderr: text for people, or one JSON document for programs. */
export interface Output {
  readonly isJson: boolean;
  /** Where a person looks at stdout; null when it is a pipe, a file, or JSON. */
  readonly terminal: Terminal | null;
  /** What the command was asked for. */
  result(text: string, value: unknown): void;
  /** One of many results, as they come: a line of text, or of JSON. */
  item(text: string, value: unknown): void;
  /** What happens meanwhile; with `--json` a JSON line on stderr, so that stdout is one document. */
  progress(text: string, value: object): void;
  failure(lines: readonly string[], value: object): void;
}

export function createOutput(isJson: boolean): Output {
  const out = (text: string): void => void process.stdout.write(`${text}\n`);
  const err = (text: string): void => void process.stderr.write(`${text}\n`);
  if (isJson) {
    return {
      isJson,
      terminal: null,
      result: (_, value) => out(JSON.stringify(value, null, 2)),
      item: (_, value) => out(JSON.stringify(value)),
      progress: (_, value) => err(JSON.stringify(value)),
      failure: (_, value) => err(JSON.stringify({ error: value })),
    };
  }
  return {
    isJson,
    terminal: terminalOf(process.stdout),
    result: (text) => out(text),
    item: (text) => out(text),
    progress: (text) => out(text),
    failure: (lines) => err(lines.map((line) => `mooring: ${line}`).join("\n")),
  };
}

/** Columns aligned with spaces; the last one is left ragged. */
export function table(headings: readonly string[], rows: readonly (readonly string[])[]): string {
  const lines = [headings, ...rows];
  const widths = headings.map((_, column) =>
    Math.max(...lines.map((line) => line[column]?.length ?? 0)),
  );
  return lines
    .map((line) => line.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join("  "))
    .map((line) => line.trimEnd())
    .join("\n");
}

/** For the argument parser, which brings its own line breaks. */
export function printHelp(text: string): void {
  process.stdout.write(text);
}

export function printUsageError(text: string): void {
  process.stderr.write(text);
}
