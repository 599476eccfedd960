import { globSync } from "node:fs";
import path from "node:path";

/**
 * - quick: needs nothing but what `npm ci` installs.
 * - world: real servers, browsers, several processes.
 * - soak: the stated sizes; it also runs the files of the other tiers in their long form.
 */
export type Tier = "quick" | "world" | "soak";

/** The tier of a test file, by its path from the root. */
export function fileTier(file: string): Tier {
  if (/\.soak\.test\.tsx?$/.test(file)) return "soak";
  if (/\.world\.test\.tsx?$/.test(file) || file.startsWith("test/world/")) return "world";
  return "quick";
}

/**
 * The part of the product that a test file is about: a package, or a folder of test/ or
 * test/world/.
 */
export function fileArea(file: string): string {
  const [top = "", ...folders] = path.posix.dirname(file).split("/");
  if (top === "scripts") return "scripts";
  const [area = top] = top === "test" && folders[0] === "world" ? folders.slice(1) : folders;
  return area;
}

/** Every test file, by its path from the root. */
export function listTestFiles(): string[] {
  return globSync("{packages,test,scripts}/**/*.test.{ts,tsx}", {
    exclude: ["**/node_modules/**", "**/dist/**"],
  }).sort();
}

/**
 * The files that a command runs: those of its tier, for the soak those of all tiers. `parts` are
 * areas or parts of paths; without any, all are chosen.
 */
export function chooseFiles(
  files: readonly string[],
  tier: Tier,
  parts: readonly string[],
): string[] {
  return files
    .filter((file) => tier === "soak" || fileTier(file) === tier)
    .filter(
      (file) =>
        parts.length === 0 || parts.some((part) => fileArea(file) === part || file.includes(part)),
    );
}
