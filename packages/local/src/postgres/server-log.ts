import { open, rename, stat } from "node:fs/promises";
import { join } from "node:path";
import { readIfPresent } from "./absent.ts";
import { giveTo } from "./cluster.ts";
import type { Place } from "./place.ts";

const ROTATE_AT_BYTES = 5_000_000;
const SHOWN_LINES = 15;

/** Opens the server's log for its user before a start; returns the length it has now. */
export async function prepareLog(place: Place): Promise<number> {
  const path = logFile(place.directory);
  const length = await ensureFile(path, place);
  if (length < ROTATE_AT_BYTES) return length;
  await rename(path, `${path}.1`);
  return ensureFile(path, place);
}

async function ensureFile(path: string, place: Place): Promise<number> {
  const file = await open(path, "a", 0o600);
  await file.close();
  await giveTo(place.user, path);
  return (await stat(path)).size;
}

/** The last lines written since `from`, for an error message. */
export async function logSince(place: Place, from: number): Promise<string> {
  const text = (await readIfPresent(logFile(place.directory))) ?? "";
  const added = Buffer.from(text, "utf8").subarray(from).toString("utf8");
  return added.trimEnd().split("\n").slice(-SHOWN_LINES).join("\n");
}

export function logFile(directory: string): string {
  return join(directory, "postgres.log");
}
