import { randomBytes } from "node:crypto";
import { createWriteStream } from "node:fs";
import { link, lstat, open, rename, rm } from "node:fs/promises";
import path from "node:path";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { CommandError } from "../failure.ts";

/** Before work that would be in vain. */
export async function refuseExisting(file: string): Promise<void> {
  const isThere = await lstat(file).then(
    () => true,
    (error: unknown) => {
      if (hasCode(error, "ENOENT")) return false;
      throw explained(file, error);
    },
  );
  if (isThere) throw new CommandError(`${file} exists already, and is never overwritten`);
}

/**
 * Writes a file that must not exist, for its owner alone (mode 600). It has its name only when all
 * bytes are on the disk and `check` has read them; until then, and after a failure, there is none.
 */
export async function writeNewFile<T>(
  file: string,
  bytes: AsyncIterable<Buffer>,
  { check, signal }: { check: (draft: string) => Promise<T>; readonly signal: AbortSignal },
): Promise<T> {
  const draft = `${file}.partial-${randomBytes(4).toString("hex")}`;
  try {
    await writeDraft(draft, bytes, signal);
    const result = await check(draft);
    signal.throwIfAborted();
    await giveName(draft, file);
    return result;
  } catch (error) {
    throw explained(file, error);
  } finally {
    await rm(draft, { force: true });
  }
}

async function writeDraft(draft: string, bytes: AsyncIterable<Buffer>, signal: AbortSignal) {
  // `flush`: on the disk before it is closed.
  const sink = createWriteStream(draft, { flags: "wx", mode: 0o600, flush: true });
  await pipeline(Readable.from(bytes), sink, { signal });
}

/** A link fails when the name is taken; a rename would replace what is there. */
async function giveName(draft: string, file: string): Promise<void> {
  try {
    await link(draft, file);
  } catch (error) {
    if (!hasCode(error, "EPERM", "ENOTSUP", "EOPNOTSUPP", "ENOSYS")) throw error;
    // A file system without links.
    await refuseExisting(file);
    await rename(draft, file);
  }
  const directory = await open(path.dirname(path.resolve(file)), "r");
  await directory.sync().finally(() => directory.close());
}

function explained(file: string, error: unknown): unknown {
  if (hasCode(error, "EEXIST")) {
    return new CommandError(`${file} exists already, and is never overwritten`);
  }
  const isOfFiles = error instanceof Error && "syscall" in error && "path" in error;
  const isFull = hasCode(error, "ENOSPC", "EDQUOT");
  return isOfFiles || isFull
    ? new CommandError(`${file} cannot be written: ${text(error)}`)
    : error;
}

export function hasCode(error: unknown, ...codes: readonly string[]): boolean {
  return error instanceof Error && "code" in error && codes.includes(String(error.code));
}

const text = (error: unknown): string => (error instanceof Error ? error.message : String(error));
