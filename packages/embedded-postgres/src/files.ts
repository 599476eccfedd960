import { randomBytes } from "node:crypto";
import { link, readdir, readFile, rename, rm, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";

/** Whether an error has one of these codes, e.g. `ENOENT`. */
export function hasCode(error: unknown, ...codes: readonly string[]): boolean {
  if (!(error instanceof Error) || !("code" in error)) return false;
  return typeof error.code === "string" && codes.includes(error.code);
}

/** The result of a file operation; null when the file or directory does not exist. */
export async function unlessAbsent<T>(operation: Promise<T>): Promise<T | null> {
  try {
    return await operation;
  } catch (error) {
    if (hasCode(error, "ENOENT")) return null;
    throw error;
  }
}

/** The text of a file; null when it does not exist. */
export function readIfPresent(path: string): Promise<string | null> {
  return unlessAbsent(readFile(path, "utf8"));
}

export async function exists(path: string): Promise<boolean> {
  return (await unlessAbsent(stat(path))) !== null;
}

/**
 * Creates a file that several processes may create at once: the first wins, and all get its text.
 * No reader sees a half-written file. Mode 600.
 */
export async function writeOnce(path: string, text: string): Promise<string> {
  const draft = draftPath(path);
  await writeFile(draft, text, { mode: 0o600, flush: true });
  try {
    await link(draft, path);
    return text;
  } catch (error) {
    if (!hasCode(error, "EEXIST")) throw error;
    return await readFile(path, "utf8");
  } finally {
    await rm(draft, { force: true });
  }
}

/** Replaces a file in one step: a reader sees the old text or the new one. Mode 600. */
export async function replaceFile(path: string, text: string): Promise<void> {
  const draft = draftPath(path);
  await writeFile(draft, text, { mode: 0o600, flush: true });
  await rename(draft, path);
}

/**
 * A temporary name beside the final one that no other process uses. It contains our pid, so that
 * `removeLeftovers` can remove the drafts of processes that no longer run.
 */
export function draftPath(path: string): string {
  return `${path}.${process.pid}-${randomBytes(4).toString("hex")}.tmp`;
}

/** Removes drafts (see `draftPath`) of processes that no longer run. */
export async function removeLeftovers(directory: string): Promise<void> {
  for (const name of await readdir(directory)) {
    const pid = /\.(\d+)-[0-9a-f]{8}\.tmp$/.exec(name)?.[1];
    if (pid !== undefined && !isAlive(Number(pid))) {
      await rm(join(directory, name), { recursive: true, force: true });
    }
  }
}

/** Whether a process with this id exists, of any user. */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return !hasCode(error, "ESRCH");
  }
}
