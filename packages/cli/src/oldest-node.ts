/** The oldest release of Node on which the server runs; the same as `engines` of the workspace. */
export const oldestNode = "24.18.1";

/** Also called on older releases, so this module imports nothing. */
export function isNewEnough(version: string): boolean {
  return compare(numbers(version), numbers(oldestNode)) >= 0;
}

function numbers(version: string): number[] {
  return version.split(".").map((part) => Number.parseInt(part, 10));
}

function compare(a: readonly number[], b: readonly number[]): number {
  const index = a.findIndex((part, at) => part !== (b[at] ?? 0));
  return index < 0 ? 0 : (a[index] ?? 0) - (b[index] ?? 0);
}
