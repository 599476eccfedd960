import { createHash } from "node:crypto";
import {
  globSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import path from "node:path";

export interface BuildPart {
  readonly name: string;
  /** Globs from the root of the repository; a change of any of these files causes a build. */
  readonly inputs: readonly string[];
  /** The output directory, from the same root. The API serves what is in it. */
  readonly output: string;
  readonly build: () => Promise<unknown>;
}

export type BuildOutcome = "built" | "unchanged";

/**
 * Builds a part unless its output was made from exactly these inputs by this Node. An API that
 * serves the output meanwhile reads from `.build` that this process builds it, or why that failed
 * (packages/control/src/api/assets.ts).
 */
export async function buildPart(root: string, part: BuildPart): Promise<BuildOutcome> {
  const stampFile = path.join(root, part.output, ".inputs");
  const stamp = hashInputs(root, part);
  const stateFile = path.join(root, part.output, ".build");
  if (readIfExists(stampFile) === stamp) {
    rmSync(stateFile, { force: true });
    return "unchanged";
  }
  mkdirSync(path.dirname(stampFile), { recursive: true });
  replaceFile(stateFile, JSON.stringify({ pid: process.pid }));
  try {
    await part.build();
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    replaceFile(
      stateFile,
      JSON.stringify({ error: `the build of ${part.name} failed: ${reason}` }),
    );
    throw error;
  }
  // Computed before the build, so that a change during the build causes another one.
  writeFileSync(stampFile, stamp);
  rmSync(stateFile);
  return "built";
}

/** At once: a server reads it. */
function replaceFile(file: string, text: string): void {
  const draft = `${file}.${process.pid}.draft`;
  writeFileSync(draft, text);
  renameSync(draft, file);
}

/** A hash of names, sizes and times: reading the files would take longer than some builds. */
function hashInputs(root: string, { inputs, output }: BuildPart): string {
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

function readIfExists(file: string): string | null {
  try {
    return readFileSync(file, "utf8");
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return null;
    throw error;
  }
}
