import { readFile, stat } from "node:fs/promises";

/** Whether a failed file operation failed with one of these codes, e.g. `ENOENT`. */
export function hasCode(error: unknown, ...codes: readonly string[]): boolean {
  if (!(error instanceof Error) || !("code" in error)) return false;
  return typeof error.code === "string" && codes.includes(error.code);
}

/** The promise's value, or null where the file or directory it is about does not exist. */
export async function unlessAbsent<T>(operation: Promise<T>): Promise<T | null> {
  try {
    return await operation;
  } catch (error) {
    if (hasCode(error, "ENOENT")) return null;
    throw error;
  }
}

/** The text of a file, or null where there is none. */
export function readIfPresent(path: string): Promise<string | null> {
  return unlessAbsent(readFile(path, "utf8"));
}

export async function exists(path: string): Promise<boolean> {
  return (await unlessAbsent(stat(path))) !== null;
}
