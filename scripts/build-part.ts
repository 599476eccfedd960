import { createHash } from "node:crypto";
import { globSync, mkdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import path from "node:path";

export interface BuildPart {
  readonly name: string;
  /** Globs from the root of the repository; a change of any file is a reason to build. */
  readonly inputs: readonly string[];
  /** The directory that is made, from the same root. */
  readonly output: string;
  readonly build: () => Promise<unknown>;
}

export type BuildOutcome = "built" | "unchanged";

/** Builds a part unless its output was made from exactly these inputs by this Node. */
export async function buildPart(root: string, part: BuildPart): Promise<BuildOutcome> {
  const stampFile = path.join(root, part.output, ".inputs");
  const stamp = stampOf(root, part);
  if (readIfThere(stampFile) === stamp) return "unchanged";
  await part.build();
  mkdirSync(path.dirname(stampFile), { recursive: true });
  // Taken before the build: what changed meanwhile is a reason to build again.
  writeFileSync(stampFile, stamp);
  return "built";
}

/** Names, sizes and times: reading the files would take longer than some builds. */
function stampOf(root: string, { inputs, output }: BuildPart): string {
  const hash = createHash("sha256").update(process.version);
  const files = globSync([...inputs], {
    cwd: root,
    exclude: [`${output}/**`, "**/node_modules/**", "**/*.test.ts"],
  }).sort();
  for (const file of files) {
    const found = statSync(path.join(root, file));
    if (found.isFile()) hash.update(`${file}\0${found.size}\0${found.mtimeMs}\n`);
  }
  return hash.digest("hex");
}

function readIfThere(file: string): string | null {
  try {
    return readFileSync(file, "utf8");
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return null;
    throw error;
  }
}
