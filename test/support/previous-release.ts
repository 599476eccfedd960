import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { mkdir, mkdtemp, readdir, rm, symlink } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { promisify } from "node:util";

const execute = promisify(execFile);
const root = path.resolve(import.meta.dirname, "../..");
const migrations = "packages/control/migrations";

/** The source of the release before this one, laid out so that it runs. */
export interface PreviousRelease {
  /** How it was found, for people. */
  readonly name: string;
  /** Its `mooring`. */
  readonly main: string;
  remove(): Promise<void>;
}

/**
 * The last tag, or without tags the commit before the newest migration. A text says why there is
 * none: no git, or a copy without its history.
 */
export async function previousRelease(): Promise<PreviousRelease | string> {
  const found = await findCommit();
  if (typeof found === "string") return found;
  const directory = await mkdtemp(path.join(tmpdir(), "mooring-previous-"));
  await unpack(found.commit, directory);
  await linkModules(directory);
  return {
    name: found.name,
    main: path.join(directory, "packages/cli/src/main.ts"),
    remove: () => rm(directory, { recursive: true, force: true }),
  };
}

interface Found {
  readonly commit: string;
  readonly name: string;
}

async function findCommit(): Promise<Found | string> {
  if (!existsSync(path.join(root, ".git"))) return "this copy has no history (.git is missing)";
  const unsaved = await git("status", "--porcelain", "--", migrations);
  if (unsaved === null) return "git cannot read the history of this copy";
  // A migration that is not committed yet: the release before it is what is committed.
  if (unsaved !== "") return named("HEAD");
  // The tag of this very commit is this release, not the one before.
  const tag = await git("describe", "--tags", "--abbrev=0", "HEAD^");
  if (tag !== null) return named(tag);
  const latest = await git("log", "-1", "--format=%H", "--", migrations);
  const before = latest === null ? null : await git("rev-parse", "--verify", `${latest}^`);
  return before === null
    ? "the history of this copy does not reach back to the release before (a shallow clone?)"
    : named(before);
}

async function named(reference: string): Promise<Found | string> {
  const commit = await git("rev-parse", "--verify", `${reference}^{commit}`);
  const title = await git("log", "-1", "--format=%h %s", reference);
  if (commit === null || title === null) return `git does not know ${reference}`;
  return { commit, name: reference === commit ? title : `${reference}: ${title}` };
}

/** Null when git is not there or refuses. */
async function git(...args: readonly string[]): Promise<string | null> {
  try {
    return (await execute("git", args, { cwd: root })).stdout.trim();
  } catch {
    return null; // the caller says what that means
  }
}

async function unpack(commit: string, directory: string): Promise<void> {
  const archive = spawn("git", ["archive", commit], {
    cwd: root,
    stdio: ["ignore", "pipe", "inherit"],
  });
  const tar = spawn("tar", ["-x", "-C", directory], { stdio: ["pipe", "inherit", "inherit"] });
  archive.stdout.pipe(tar.stdin);
  const [[packed], [unpacked]] = await Promise.all([once(archive, "close"), once(tar, "close")]);
  if (packed !== 0 || unpacked !== 0) throw new Error(`${commit} could not be unpacked`);
}

/** Its own packages under their names, and of others' code what is installed here. */
async function linkModules(directory: string): Promise<void> {
  const installed = path.join(root, "node_modules");
  const modules = path.join(directory, "node_modules");
  await mkdir(path.join(modules, "@mooring"), { recursive: true });
  const names = (await readdir(installed)).filter(
    (name) => name !== "@mooring" && name !== ".cache",
  );
  await Promise.all(
    names.map((name) => symlink(path.join(installed, name), path.join(modules, name))),
  );
  for (const name of await readdir(path.join(directory, "packages"))) {
    const own = path.join(directory, "packages", name);
    await symlink(own, path.join(modules, "@mooring", name));
    // What npm could not hoist.
    const nested = path.join(root, "packages", name, "node_modules");
    if (existsSync(nested)) await symlink(nested, path.join(own, "node_modules"));
  }
}
