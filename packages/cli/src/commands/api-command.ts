import { setTimeout as delay } from "node:timers/promises";
import { Mooring, MooringError } from "@mooring/sdk";
import type { Command } from "commander";
import { exitCode, type RegisterAction } from "../action.ts";
import { processEnvironment } from "../config.ts";
import type { Output } from "../output.ts";
import { type Access, explain, isPassing, usageFailure } from "./explain.ts";
import { textOrNull } from "./input.ts";
import { safeText } from "./text/paint.ts";

/** What a command that calls the API gets. */
export interface ApiCall {
  readonly client: Mooring;
  readonly output: Output;
  /** The width that a table may have; null where nothing is cut. */
  readonly width: number | null;
  readonly args: readonly string[];
  readonly options: Readonly<Record<string, unknown>>;
}

/** Returns the exit code; undefined means done. */
export type ApiRun = (call: ApiCall) => Promise<number | undefined>;

export interface ApiCommandOptions {
  /** Further attempts of calls that are safe to repeat; by default 1. */
  readonly retries?: number;
}

/** Registers a command that calls the API. Its errors become lines on stderr and an exit code. */
export function apiCommand(
  action: RegisterAction,
  command: Command,
  run: ApiRun,
  { retries = 1 }: ApiCommandOptions = {},
): void {
  apiAction(
    action,
    command,
    async ({ access, openClient, ...call }) => {
      const client = openClient(access().apiKey);
      return (await run({ client, ...call })) ?? exitCode.done;
    },
    { retries },
  );
}

/** What a command gets that opens the API itself, with the caller's key or with others. */
export interface ApiAction extends Omit<ApiCall, "client"> {
  /** Throws when no key is given. */
  access(): Access;
  openClient(apiKey: string): Mooring;
}

/** As `apiCommand`, for a command that may do without a key of its own. */
export function apiAction(
  action: RegisterAction,
  command: Command,
  run: (call: ApiAction) => Promise<number>,
  { retries = 1 }: ApiCommandOptions = {},
): void {
  action(command, async (raw, args, options) => {
    const output = sanitized(raw);
    let read: Access | null = null;
    const access = (): Access => {
      read ??= readAccess(options);
      return read;
    };
    const open = (apiKey: string) => openClient({ url: apiUrl(options), apiKey }, retries);
    try {
      const width = output.terminal?.columns ?? null;
      return await run({ access, openClient: open, output, width, args, options });
    } catch (error) {
      const { lines, value, exitCode: code } = explain(error, read);
      output.failure(lines, value);
      return code;
    }
  });
}

/** Lines to copy, below a command's help; a line that begins with # is a comment. */
export function examples(command: Command, ...lines: readonly string[]): Command {
  const shown = lines.map((line) => (line.startsWith("#") ? `  ${line}` : `  $ ${line}`));
  return command.addHelpText("after", `\nExamples:\n${shown.join("\n")}`);
}

/** The options of every command that calls the API, at any position of the command line. */
export function addApiOptions(program: Command): void {
  program
    .option("--url <url>", "where the API is (default: MOORING_URL, else this machine's)")
    .option("--api-key <key>", "instead of MOORING_API_KEY, which no other user can see");
}

function readAccess(options: Readonly<Record<string, unknown>>): Access {
  const apiKey =
    textOrNull(options["apiKey"]) ?? textOrNull(processEnvironment()["MOORING_API_KEY"]);
  if (apiKey === null) {
    throw usageFailure(
      "no API key: set MOORING_API_KEY, or give --api-key",
      "the first start has printed two; on the server, `mooring keys create` makes another",
    );
  }
  return { url: apiUrl(options), apiKey };
}

function apiUrl(options: Readonly<Record<string, unknown>>): string {
  const env = processEnvironment();
  return textOrNull(options["url"]) ?? textOrNull(env["MOORING_URL"]) ?? localUrl(env);
}

/** The address at which `npm start` serves with this environment. */
function localUrl(env: Readonly<Record<string, string | undefined>>): string {
  return textOrNull(env["BASE_URL"]) ?? `http://localhost:${textOrNull(env["PORT"]) ?? "8080"}`;
}

function openClient({ url, apiKey }: Access, retries: number): Mooring {
  try {
    return new Mooring({ baseUrl: url, apiKey, retries });
  } catch (error) {
    // The client names its parameters; the user of a command line knows options.
    if (!(error instanceof TypeError)) throw error;
    const isUrl = error.message.includes("`baseUrl`");
    throw usageFailure(
      isUrl
        ? `${url} is not the address of an API: give http:// or https:// and a host`
        : "the API key has characters that no key has: copy it again",
    );
  }
}

const shortestRetryMs = 1_000;
const longestRetryMs = 30_000;

/**
 * Repeats `read` while the API cannot be reached, with growing pauses; any other error is thrown.
 * Each pause is reported.
 */
export async function persist<T>(
  report: (text: string, value: object) => void,
  signal: AbortSignal,
  read: () => Promise<T>,
): Promise<T> {
  for (let waitMs = shortestRetryMs; ; waitMs = Math.min(2 * waitMs, longestRetryMs)) {
    try {
      return await read();
    } catch (error) {
      if (!(error instanceof MooringError) || !isPassing(error)) throw error;
      const text = `the API is away (${error.message}), trying again in ${waitMs / 1_000} s`;
      report(text, { status: "away", message: error.message, retry_in_ms: waitMs });
      await delay(waitMs, undefined, { signal });
    }
  }
}

/**
 * The same output without control characters: customers and DNS servers wrote parts of the text.
 */
export function sanitized(output: Output): Output {
  const safe = (text: string): string => safeText(text, output.terminal?.hasColour ?? false);
  return {
    isJson: output.isJson,
    terminal: sanitizedTerminal(output, safe),
    result: (text, value) => output.result(safe(text), value),
    item: (text, value) => output.item(safe(text), value),
    progress: (text, value) => output.progress(safe(text), value),
    failure: (lines, value) =>
      output.failure(
        lines.map((line) => safeText(line, false)),
        value,
      ),
  };
}

function sanitizedTerminal(
  { terminal }: Output,
  safe: (text: string) => string,
): Output["terminal"] {
  if (terminal === null) return null;
  return {
    get columns() {
      return terminal.columns;
    },
    hasColour: terminal.hasColour,
    draw: (lines) => terminal.draw(lines.map(safe)),
  };
}
