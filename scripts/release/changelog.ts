import type { Bump } from "./version.ts";

const unreleased = "## Unreleased\n";

export interface Release {
  readonly version: string;
  /** The day, as in 2026-11-16. */
  readonly date: string;
}

/** What the changelog says about the coming release, without its heading. */
export function unreleasedNotes(changelog: string): string {
  const start = changelog.indexOf(unreleased);
  if (start < 0) throw new Error('CHANGELOG.md has no section "Unreleased".');
  const rest = changelog.slice(start + unreleased.length);
  const end = rest.search(/^## /m);
  const notes = (end < 0 ? rest : rest.slice(0, end)).trim();
  if (!/^- /m.test(notes)) throw new Error("CHANGELOG.md says nothing about this release.");
  return notes;
}

/** What users gain or must adapt to is a minor release, a fix alone a patch. */
export function bumpFor(notes: string): Bump {
  return /^### (?!Fixed$|Security$)/m.test(notes) ? "minor" : "patch";
}

/**
 * The changelog after the release: its section has a version and a day, and an empty one is above
 * it.
 */
export function releasedChangelog(changelog: string, { version, date }: Release): string {
  unreleasedNotes(changelog);
  return changelog.replace(unreleased, `${unreleased}\n## ${version} (${date})\n`);
}
