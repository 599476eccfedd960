import { processEnvironment } from "./config.ts";
import { surroundings, type TextSink } from "./surroundings.ts";

/** The only writer to stdout and stderr: text for people, or one JSON document for programs. */
export interface Output {
  readonly isJson: boolean;
  /** The terminal on stdout; null when stdout is a pipe or a file, and with JSON. */
  readonly terminal: Terminal | null;
  /** The result of the command. */
  result(text: string, value: unknown): void;
  /** One of several results, written as it arrives: a line of text, or of JSON. */
  item(text: string, value: unknown): void;
  /** Progress; with `--json` a JSON line on stderr, so that stdout is one document. */
  progress(text: string, value: object): void;
  failure(lines: readonly string[], value: object): void;
}

export function createOutput(isJson: boolean): Output {
  const { stdout, stderr } = surroundings();
  const out = (text: string): void => void stdout.write(`${text}\n`);
  const err = (text: string): void => void stderr.write(`${text}\n`);
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
    terminal: openTerminal(stdout),
    result: (text) => out(text),
    item: (text) => out(text),
    progress: (text) => out(text),
    failure: (lines) => err(lines.map((line) => `mooring: ${line}`).join("\n")),
  };
}

/** Columns aligned with spaces; the last one is not padded. */
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

/** For the argument parser, whose text has its own line breaks. */
export function printHelp(text: string): void {
  surroundings().stdout.write(text);
}

export function printUsageError(text: string): void {
  surroundings().stderr.write(text);
}

/** What a shell reports of a program that SIGPIPE ended. */
const brokenPipe = 128 + 13;

/** A reader such as `head` may close its end first: the program ends too, without a word. */
export function endWithReader(): void {
  process.stdout.on("error", (error: NodeJS.ErrnoException) => {
    if (error.code !== "EPIPE") throw error;
    process.exit(brokenPipe);
  });
}

/** A terminal: its width, whether it shows colours, and a block of lines that is redrawn. */
export interface Terminal {
  readonly columns: number;
  readonly hasColour: boolean;
  /** Replaces the lines that were drawn last. */
  draw(lines: readonly string[]): void;
}

/** For a terminal that does not report its width. */
const usualColumns = 80;
/** Text is laid out for at least this width. */
const minimumColumns = 40;

/** Null when the stream is no terminal, or a dumb one. */
function openTerminal(stream: TextSink): Terminal | null {
  const env = processEnvironment();
  if (!stream.isTTY || env["TERM"] === "dumb") return null;
  let drawn = 0;
  return {
    get columns() {
      return Math.max(minimumColumns, stream.columns || usualColumns);
    },
    // https://no-color.org: any value but the empty one.
    hasColour: !env["NO_COLOR"],
    draw(lines) {
      // ECMA-48: CUU moves up, ED clears from there to the end.
      const back = drawn > 0 ? `\u001b[${drawn}A\u001b[J` : "";
      stream.write(`${back}${lines.map((line) => `${line}\n`).join("")}`);
      drawn = lines.length;
    },
  };
}
