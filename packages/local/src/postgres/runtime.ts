import { constants } from "node:fs";
import {
  chmod,
  copyFile,
  mkdir,
  readdir,
  rename,
  rm,
  stat,
  symlink,
  writeFile,
} from "node:fs/promises";
import { basename, dirname, join, relative, sep } from "node:path";
import { hasCode, readIfPresent, unlessAbsent } from "./absent.ts";
import { draftOf } from "./first-writer.ts";
import type { NativePackage } from "./locate.ts";

type Link = { readonly source: string; readonly target: string };

/** Written last, with what the directory weighs: no marker or another weight means not usable. */
const MARKER = "complete.json";
const COPIES_AT_ONCE = 16;
const REPLACE_ROUNDS = 10;

/**
 * A private, complete copy of the programs, at `<place>/runtime-<version>`. A copy because the
 * package may be unreadable for the server's user, read-only, or lack the library links that its
 * install script would make. Made beside and renamed, so several processes may do it at once; a
 * damaged one (full disk, lost power) is replaced.
 */
export async function ensureRuntime(place: string, native: NativePackage): Promise<string> {
  const runtime = join(place, `runtime-${native.version}`);
  if (await isComplete(runtime)) return runtime;
  const draft = draftOf(runtime);
  try {
    await build(native, draft);
    await putInPlace(draft, runtime);
  } finally {
    await rm(draft, { recursive: true, force: true });
  }
  return runtime;
}

/** Removes the programs of other versions: call it when the current version's server runs. */
export async function removeOtherRuntimes(place: string, runtime: string): Promise<void> {
  for (const name of await readdir(place)) {
    if (/^runtime-[\w.-]+$/.test(name) && !name.endsWith(".tmp") && name !== basename(runtime)) {
      await rm(join(place, name), { recursive: true, force: true });
    }
  }
}

async function isComplete(runtime: string): Promise<boolean> {
  const marker = await readIfPresent(join(runtime, MARKER));
  // Absent as well when another process moves it away while we look.
  return marker !== null && marker === (await unlessAbsent(weigh(runtime)));
}

/** Several processes may replace the same damaged copy; each round one of them gets further. */
async function putInPlace(draft: string, runtime: string): Promise<void> {
  for (let round = 0; round < REPLACE_ROUNDS; round += 1) {
    try {
      await rename(draft, runtime);
      return;
    } catch (error) {
      // Windows says EPERM where others say ENOTEMPTY.
      if (!hasCode(error, "ENOTEMPTY", "EEXIST", "EPERM")) throw error;
    }
    if (await isComplete(runtime)) return;
    await moveAside(runtime);
  }
  throw new Error(`${runtime} cannot be replaced`);
}

async function moveAside(runtime: string): Promise<void> {
  const aside = draftOf(runtime);
  if ((await unlessAbsent(rename(runtime, aside).then(() => aside))) === null) return;
  // A slow look at the damaged copy may have moved another process's fresh one: put that back.
  if (await isComplete(aside)) {
    await rename(aside, runtime).catch((error: unknown) => {
      if (!hasCode(error, "ENOTEMPTY", "EEXIST", "EPERM")) throw error;
    });
  }
  await rm(aside, { recursive: true, force: true });
}

async function build(native: NativePackage, draft: string): Promise<void> {
  const links = await readLinks(native);
  const isLink = new Set(links.map((link) => link.target));
  const entries = await readdir(native.directory, { recursive: true, withFileTypes: true });
  await makeDirectory(draft);
  const files: string[] = [];
  for (const entry of entries) {
    const path = relative(native.directory, join(entry.parentPath, entry.name));
    if (entry.isDirectory()) await makeDirectory(join(draft, path));
    else if (entry.isFile() && !isLink.has(path)) files.push(path);
  }
  await copyAll(native.directory, draft, files);
  for (const link of links) {
    const target = join(draft, link.target);
    await symlink(relative(dirname(target), join(draft, link.source)), target);
  }
  await writeFile(join(draft, MARKER), await weigh(draft), { flush: true });
}

/** Our own mode, not the source's: links must be addable and the server's user must pass. */
async function makeDirectory(path: string): Promise<void> {
  await mkdir(path, { recursive: true });
  await chmod(path, 0o755);
}

async function copyAll(from: string, to: string, files: readonly string[]): Promise<void> {
  const queue = files.values();
  const worker = async (): Promise<void> => {
    for (const path of queue) {
      const target = join(to, path);
      await copyFile(join(from, path), target, constants.COPYFILE_FICLONE);
      await chmod(target, path.startsWith(`bin${sep}`) ? 0o755 : 0o644);
    }
  };
  await Promise.all(Array.from({ length: COPIES_AT_ONCE }, worker));
}

/** The links that npm cannot pack, as paths inside `native`. */
async function readLinks(native: NativePackage): Promise<readonly Link[]> {
  const text = await readIfPresent(join(native.directory, "pg-symlinks.json"));
  const parsed: unknown = text === null ? [] : JSON.parse(text);
  if (!Array.isArray(parsed)) throw new Error("pg-symlinks.json is not a list");
  return parsed.map((entry: unknown) => ({
    source: insideNative(entry, "source"),
    target: insideNative(entry, "target"),
  }));
}

function insideNative(entry: unknown, key: keyof Link): string {
  const path: unknown =
    typeof entry === "object" && entry !== null ? Reflect.get(entry, key) : null;
  if (typeof path !== "string" || !/^native\/[\w./+-]+$/.test(path) || path.includes("..")) {
    throw new Error(`pg-symlinks.json has an unusable ${key}`);
  }
  return join(path.slice("native/".length));
}

/** Number of files and their bytes: finds what a crash truncated, at the cost of a walk. */
async function weigh(runtime: string): Promise<string> {
  const entries = await readdir(runtime, { recursive: true, withFileTypes: true });
  const paths = entries
    .filter((entry) => !entry.isDirectory() && entry.name !== MARKER)
    .map((entry) => join(entry.parentPath, entry.name));
  const sizes = await Promise.all(paths.map(async (path) => (await stat(path)).size));
  return JSON.stringify({ files: sizes.length, bytes: sizes.reduce((sum, size) => sum + size, 0) });
}
