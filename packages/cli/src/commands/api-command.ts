import type { Mooring } from "@mooring/sdk";
import type { Command } from "commander";
import type { RegisterAction } from "../action.ts";
import { exitCode } from "../exit-code.ts";
import type { Output } from "../output.ts";
import { type Access, openClient, readAccess } from "./client.ts";
import { explain } from "./explain.ts";
import { safeText } from "./text/paint.ts";

/** What a command that speaks to the API has at hand. */
export interface ApiCall {
  readonly client: Mooring;
  readonly output: Output;
  /** How wide a table may be; null where nothing is cut. */
  readonly width: number | null;
  readonly args: readonly string[];
  readonly options: Readonly<Record<string, unknown>>;
}

/** Answers the exit code; nothing stands for done. */
export type ApiRun = (call: ApiCall) => Promise<number | undefined>;

export interface ApiCommandOptions {
  /** Further attempts of calls that are safe to repeat; by default 1. */
  readonly retries?: number;
}

/** How commands that speak to the API are registered: errors become lines and an exit code. */
export function apiCommand(
  action: RegisterAction,
  command: Command,
  run: ApiRun,
  { retries = 1 }: ApiCommandOptions = {},
): void {
  action(command, async (raw, args, options) => {
    const output = guarded(raw);
    let access: Access | null = null;
    try {
      access = readAccess(options);
      const client = openClient(access, retries);
      const width = output.terminal?.columns ?? null;
      return (await run({ client, output, width, args, options })) ?? exitCode.done;
    } catch (error) {
      const { lines, value, exitCode: code } = explain(error, access);
      output.failure(lines, value);
      return code;
    }
  });
}

/** The same output, which strangers' text cannot command. */
function guarded(output: Output): Output {
  const safe = (text: string): string => safeText(text, output.terminal?.hasColour ?? false);
  return {
    isJson: output.isJson,
    terminal: guardedTerminal(output, safe),
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

function guardedTerminal({ terminal }: Output, safe: (text: string) => string): Output["terminal"] {
  if (terminal === null) return null;
  return {
    get columns() {
      return terminal.columns;
    },
    hasColour: terminal.hasColour,
    draw: (lines) => terminal.draw(lines.map(safe)),
  };
}
