import { readFile } from "node:fs/promises";
import { createInterface } from "node:readline";
import { Writable } from "node:stream";
import { text } from "node:stream/consumers";
import { surroundings } from "../surroundings.ts";
import { usageFailure } from "./explain.ts";

/** The text of an option or variable; null when it is absent or empty. */
export function textOrNull(value: unknown): string | null {
  return typeof value === "string" && value !== "" ? value : null;
}

export function isTextList(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.every((one) => typeof one === "string");
}

/** A file's text; `-` is stdin. */
export async function readInput(file: string): Promise<string> {
  if (file === "-") return text(surroundings().stdin);
  try {
    return await readFile(file, "utf8");
  } catch (error) {
    if (!(error instanceof Error)) throw error;
    throw usageFailure(`${file} cannot be read: ${error.message}`);
  }
}

/** Undefined when it is not JSON. */
export function parsedJson(content: string): unknown {
  try {
    return JSON.parse(content);
  } catch {
    return undefined;
  }
}

/**
 * Whether a JSON value has the outline of a list of DNS records; the API says what is wrong with a
 * single record.
 */
export function isRecordList(
  value: unknown,
): value is { readonly host: string; readonly type: string; readonly value: string }[] {
  const names = ["host", "type", "value"];
  return (
    Array.isArray(value) &&
    value.every(
      (one) => typeof one === "object" && one !== null && names.every((name) => name in one),
    )
  );
}

/** Whether a person at a terminal can answer. */
export function canAsk(): boolean {
  const { stdin, stderr } = surroundings();
  return stdin.isTTY === true && stderr.isTTY === true;
}

/**
 * Asks on stderr, so that stdout carries only the result. A secret answer is not shown while it is
 * typed. Returns null when the input ends or Ctrl-C is pressed.
 */
export function ask(
  question: string,
  options: { readonly isSecret: boolean },
): Promise<string | null> {
  // readline echoes by writing to its output; the echo of a secret is dropped.
  const nowhere = new Writable({ write: (_chunk, _encoding, done) => done() });
  const { stdin, stderr } = surroundings();
  const output = options.isSecret ? nowhere : stderr;
  const lines = createInterface({ input: stdin, output, terminal: true });
  // Only after readline has switched off the terminal's own echo.
  if (options.isSecret) stderr.write(question);
  return new Promise((resolve) => {
    let answer: string | null = null;
    lines.on("SIGINT", () => lines.close());
    lines.on("close", () => {
      if (options.isSecret || answer === null) stderr.write("\n");
      resolve(answer);
    });
    lines.question(options.isSecret ? "" : question, (typed) => {
      answer = typed;
      lines.close();
    });
  });
}

export async function confirm(question: string): Promise<boolean> {
  const answer = await ask(`${question} [y/N] `, { isSecret: false });
  return /^y(es)?$/i.test((answer ?? "").trim());
}
