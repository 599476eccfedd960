import { randomBytes } from "node:crypto";
import { link, readFile, rename, rm, writeFile } from "node:fs/promises";
import { hasCode } from "./absent.ts";

/**
 * Writes a file that several processes may want to create at once: the first wins, and all of them
 * get the winner's text. The file is never seen half written. Mode 600.
 */
export async function writeOnce(path: string, text: string): Promise<string> {
  const draft = draftOf(path);
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
  const draft = draftOf(path);
  await writeFile(draft, text, { mode: 0o600, flush: true });
  await rename(draft, path);
}

/**
 * A name no other process uses, beside the final one. It carries our pid, so that what a killed
 * process left behind can be told from what a living one is still making.
 */
export function draftOf(path: string): string {
  return `${path}.${process.pid}-${randomBytes(4).toString("hex")}.tmp`;
}
