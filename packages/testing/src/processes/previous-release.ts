import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { mkdir, mkdtemp, readdir, rm, symlink } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { promisify } from "node:util";

const execute = promisify(execFile);
const root = path.resolve(import.meta.dirname, "../../../..");
const migrations = "packages/control/migrations";

/** The source of the release before this one, unpacked so that it runs. */
export interface PreviousRelease {
  /** The tag or commit, for messages. */
  readonly name: string;
  /** The path of its CLI. */
  readonly main: string;
  remove(): Promise<void>;
}

/**
 * The last tag, or without tags the commit before the newest migration. Returns the reason as text
 * when there is none: no git, or a copy without history.
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
  // With an uncommitted migration, HEAD is the release before it.
  if (unsaved !== "") return named("HEAD");
  // A tag on HEAD itself is this release, not the previous one.
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

/** Null when git is missing or fails. */
async function git(...args: readonly string[]): Promise<string | null> {
  try {
    return (await execute("git", args, { cwd: root })).stdout.trim();
  } catch {
    return null; // the caller reports what that means
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

/**
 * Links the packages of the release under their names, and the dependencies that are installed
 * here.
 */
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
    // Dependencies that npm did not hoist.
    const nested = path.join(root, "packages", name, "node_modules");
    if (existsSync(nested)) await symlink(nested, path.join(own, "node_modules"));
  }
}
