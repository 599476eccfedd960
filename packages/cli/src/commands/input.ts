import { readFile } from "node:fs/promises";
import { text } from "node:stream/consumers";
import { usageFailure } from "./explain.ts";

/** A file's text; `-` is stdin. */
export async function readInput(file: string): Promise<string> {
  if (file === "-") return text(process.stdin);
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

export function isTextList(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.every((one) => typeof one === "string");
}
