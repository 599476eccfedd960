/** A part of a version that a release increases. */
export type Bump = "major" | "minor" | "patch";

/**
 * The version of the next release, where the changelog alone would decide otherwise; without effect
 * once it is released.
 */
export const plannedVersion = "1.0.0-rc.1";

/**
 * The version of the next release: the one that was asked for, which must be later than the current
 * one, or the bumped one. Versions are `MAJOR.MINOR.PATCH`, with `-rc.N` for a release candidate,
 * which is earlier than the version that it is a candidate of (semver.org). A bump of a candidate
 * that was for such a version ends in that version.
 */
export function nextVersion(current: string, requested: Bump | { readonly exact: string }): string {
  const now = parseVersion(current);
  if (typeof requested === "object") {
    if (compare(parseVersion(requested.exact), now) > 0) return requested.exact;
    throw new Error(`The version ${requested.exact} is not later than ${current}.`);
  }
  const [major, minor, patch, candidate] = now;
  const isCandidate = candidate !== final;
  if (requested === "major") {
    return isCandidate && minor === 0 && patch === 0 ? `${major}.0.0` : `${major + 1}.0.0`;
  }
  if (requested === "minor") {
    return isCandidate && patch === 0 ? `${major}.${minor}.0` : `${major}.${minor + 1}.0`;
  }
  return `${major}.${minor}.${isCandidate ? patch : patch + 1}`;
}

/** Whether the version is later than the other one. */
export function isLater(version: string, other: string): boolean {
  return compare(parseVersion(version), parseVersion(other)) > 0;
}

/** Registries give a candidate only to those who ask for it. */
export function isCandidate(version: string): boolean {
  return parseVersion(version)[3] !== final;
}

type Parts = readonly [major: number, minor: number, patch: number, candidate: number];

/** Later than every candidate. */
const final = Number.POSITIVE_INFINITY;

function parseVersion(version: string): Parts {
  const number = "(0|[1-9]\\d*)";
  const pattern = `^${number}\\.${number}\\.${number}(?:-rc\\.([1-9]\\d*))?$`;
  const match = new RegExp(pattern).exec(version);
  if (match === null) throw new Error(`${version} is not a version such as 1.2.3 or 1.2.3-rc.1.`);
  const candidate = match[4] === undefined ? final : Number(match[4]);
  return [Number(match[1]), Number(match[2]), Number(match[3]), candidate];
}

function compare(a: Parts, b: Parts): number {
  const at = a.findIndex((part, index) => part !== b[index]);
  return at < 0 ? 0 : Math.sign((a[at] ?? 0) - (b[at] ?? 0));
}
