import { existsSync } from "node:fs";
import { statfs } from "node:fs/promises";
import path from "node:path";
import { type Finding, fail, ok, warn } from "./finding.ts";

const check = "disk";
const mebibyte = 1_048_576;
const leastBytes = 100 * mebibyte;
const tightBytes = 1_024 * mebibyte;

/** Room in DATA_DIR: for certificates on an edge's disk, and for the embedded database. */
export async function checkDisk(directory: string): Promise<Finding> {
  const { bavail, bsize, files, ffree } = await statfs(nearest(directory));
  return judgeDisk(directory, bavail * bsize, files === 0 ? null : ffree);
}

/** File systems without a count of files have no end of them. */
export function judgeDisk(directory: string, freeBytes: number, freeFiles: number | null): Finding {
  const room = `${Math.floor(freeBytes / mebibyte)} MiB free at ${directory}`;
  const mend = "make room on this file system, or set DATA_DIR to another one";
  if (freeBytes < leastBytes) return fail(check, `only ${room}`, mend);
  if (freeFiles !== null && freeFiles < 1_000) {
    return fail(
      check,
      `the file system of ${directory} has room for ${freeFiles} more files`,
      mend,
    );
  }
  return freeBytes < tightBytes ? warn(check, `only ${room}`, mend) : ok(check, room);
}

function nearest(directory: string): string {
  return existsSync(directory) ? directory : nearest(path.dirname(directory));
}
