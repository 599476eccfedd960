import { type Finding, fail, ok } from "./finding.ts";

/** The oldest release that runs this code as it is; the same as `engines` of the workspace. */
export const oldestNode = "24.18.1";

export function checkNode(version: string): Finding {
  const isOldEnough = compare(numbers(version), numbers(oldestNode)) >= 0;
  if (isOldEnough) return ok("node", `Node ${version}`);
  return fail(
    "node",
    `Node ${version} is too old: ${oldestNode} is needed`,
    "run through npm (`npx mooring …`), which uses the Node that `npm ci` has installed",
  );
}

function numbers(version: string): number[] {
  return version.split(".").map((part) => Number.parseInt(part, 10));
}

function compare(a: readonly number[], b: readonly number[]): number {
  const index = a.findIndex((part, at) => part !== (b[at] ?? 0));
  return index < 0 ? 0 : (a[index] ?? 0) - (b[index] ?? 0);
}
