import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import path from "node:path";
import { bumpFor, unreleasedNotes } from "./changelog.ts";
import type { ImageFacts } from "./image-bake.ts";
import { upgradeNotes } from "./upgrade-notes.ts";
import { type Bump, isLater, nextVersion, plannedVersion } from "./version.ts";

/** What a release is about, known before anything is written. */
export interface ReleasePlan {
  readonly current: string;
  readonly version: string;
  readonly tag: string;
  /** The day of the release. */
  readonly date: string;
  readonly notes: string;
  /** What an operator must do. */
  readonly upgradeNotes: string;
}

export function planRelease(
  root: string,
  requested: Bump | { readonly exact: string } | null,
  now: Date,
): ReleasePlan {
  const { version: current } = rootManifest(root);
  const notes = unreleasedNotes(readFileSync(path.join(root, "CHANGELOG.md"), "utf8"));
  const planned = isLater(plannedVersion, current) ? { exact: plannedVersion } : bumpFor(notes);
  const version = nextVersion(current, requested ?? planned);
  const source = sourcePage(root);
  const guide = readFileSync(path.join(root, "docs/upgrading.md"), "utf8");
  return {
    current,
    version,
    tag: `v${version}`,
    date: now.toISOString().slice(0, 10),
    notes,
    upgradeNotes: upgradeNotes(guide, version, source),
  };
}

/** The repository, as a page. */
function sourcePage(root: string): string {
  return rootManifest(root).repository.url.replace(/^git\+|\.git$/g, "");
}

/** Of the commit that is checked out. */
export function imageFacts(root: string, version: string): ImageFacts {
  const [revision = "", seconds = ""] = git(root, "log", "-1", "--format=%H %ct").split(" ");
  const created = new Date(Number(seconds) * 1_000).toISOString();
  return { version, revision, created, source: sourcePage(root) };
}

/** A release is made of a commit, not of what somebody is editing. */
export function requireReleasable(root: string, { tag }: ReleasePlan): void {
  if (git(root, "status", "--porcelain") !== "") {
    throw new Error(
      "There are changes that are not committed. Commit them first, or use --dry-run.",
    );
  }
  if (git(root, "tag", "--list", tag) !== "") throw new Error(`The tag ${tag} exists already.`);
}

export function git(root: string, ...args: readonly string[]): string {
  return execFileSync("git", args, { cwd: root, encoding: "utf8" }).trim();
}

function rootManifest(root: string): { version: string; repository: { url: string } } {
  return JSON.parse(readFileSync(path.join(root, "package.json"), "utf8"));
}
