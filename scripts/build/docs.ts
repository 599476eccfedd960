import { createHash } from "node:crypto";
import {
  existsSync,
  globSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import path from "node:path";
import { buildSite, type Site } from "../docs/site.ts";

/**
 * The guide as it is served under `/docs/`: a page for each document, its search index, script and
 * style. A broken link or anchor fails the build. Skipped when no input has changed.
 *
 *     node scripts/build/docs.ts
 */
const root = path.resolve(import.meta.dirname, "../..");

/** Globs from the root: what pages consist of, and files that they link to. */
const inputs = [
  "*.md",
  "docs/*",
  "bench/README.md",
  "packages/{sdk,widget}/README.md",
  "deploy/**/*",
  "examples/**/*",
  "scripts/build/docs.ts",
  "scripts/docs/**/*",
  "package-lock.json",
];

export interface BuiltDocs {
  readonly outDir: string;
}

export async function buildDocs(outDir: string = path.join(root, "docs/dist")): Promise<BuiltDocs> {
  const stampFile = path.join(outDir, ".sha256");
  const stamp = hashInputs();
  if (existsSync(stampFile) && readFileSync(stampFile, "utf8") === stamp) return { outDir };
  const site = await buildSite(root);
  if (site.problems.length > 0) {
    throw new Error(`the documents:\n${site.problems.map((line) => `  ${line}`).join("\n")}`);
  }
  rmSync(stampFile, { force: true });
  writeSite(outDir, site);
  write(stampFile, stamp);
  return { outDir };
}

function hashInputs(): string {
  const hash = createHash("sha256");
  const files = globSync(inputs, { cwd: root, exclude: ["**/*.test.ts"] }).sort();
  for (const file of files) {
    const whole = path.join(root, file);
    if (statSync(whole).isFile()) hash.update(`${file}\0`).update(readFileSync(whole));
  }
  return hash.digest("hex");
}

function writeSite(outDir: string, { files }: Site): void {
  for (const [name, content] of files) write(path.join(outDir, name), content);
  for (const name of globSync("**/*", { cwd: outDir })) {
    const file = path.join(outDir, name);
    const isOurs = files.has(name.replaceAll(path.sep, "/")) || name.endsWith(".draft");
    if (!isOurs && statSync(file, { throwIfNoEntry: false })?.isFile()) rmSync(file);
  }
}

/** Renamed when complete: an API may be serving the old file, and two builds may run at once. */
function write(file: string, content: string | Uint8Array): void {
  mkdirSync(path.dirname(file), { recursive: true });
  const draft = `${file}.${process.pid}.draft`;
  writeFileSync(draft, content);
  renameSync(draft, file);
}

if (import.meta.main) {
  const { outDir } = await buildDocs();
  console.log(`the guide is in ${path.relative(process.cwd(), outDir)}`);
}
