/** A part of a version that a release increases. */
export type Bump = "major" | "minor" | "patch";

/**
 * The version of the next release: the one that was asked for, which must be later than the current
 * one, or the bumped one. Versions are `MAJOR.MINOR.PATCH` (semver.org).
 */
export function nextVersion(current: string, requested: Bump | { readonly exact: string }): string {
  const now = parseVersion(current);
  if (typeof requested === "object") {
    if (compare(parseVersion(requested.exact), now) > 0) return requested.exact;
    throw new Error(`The version ${requested.exact} is not later than ${current}.`);
  }
  const [major, minor, patch] = now;
  if (requested === "major") return `${major + 1}.0.0`;
  return requested === "minor" ? `${major}.${minor + 1}.0` : `${major}.${minor}.${patch + 1}`;
}

type Parts = readonly [major: number, minor: number, patch: number];

function parseVersion(version: string): Parts {
  const match = /^(0|[1-9]\d*)\.(0|[1-9]\d*)\.(0|[1-9]\d*)$/.exec(version);
  if (match === null) throw new Error(`${version} is not a version such as 1.2.3.`);
  return [Number(match[1]), Number(match[2]), Number(match[3])];
}

function compare(a: Parts, b: Parts): number {
  return a[0] - b[0] || a[1] - b[1] || a[2] - b[2];
}
