import { execFile } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync } from "node:fs";
import { copyFile, mkdir, mkdtemp, readFile, rename, rm } from "node:fs/promises";
import { createRequire } from "node:module";
import path from "node:path";
import { promisify } from "node:util";

/** A folder beside this file, with the manifest and the lockfile of packages that few tests use. */
export type PackageSet =
  | "edge-runtimes"
  | "element-types"
  | "official-sdks"
  | "openapi-linters"
  | "package-linters"
  | "soak-sdks";

const cache = path.resolve(import.meta.dirname, "../../node_modules/.cache/npm-packages");
const files = ["package.json", "package-lock.json"] as const;

/**
 * Loads packages of a set, which it installs from the registry if this lockfile is not installed
 * yet. No script of a package runs. Processes may call it at once: each installs into a folder of
 * its own, and the first to finish gives it its name.
 */
export async function loadPackages(set: PackageSet): Promise<NodeJS.Require> {
  const source = path.join(import.meta.dirname, set);
  const hash = createHash("sha256");
  for (const file of files) hash.update(await readFile(path.join(source, file)));
  const target = path.join(cache, `${set}-${hash.digest("hex").slice(0, 16)}`);
  if (!existsSync(target)) await install(source, target);
  return createRequire(path.join(target, "index.js"));
}

async function install(source: string, target: string): Promise<void> {
  await mkdir(cache, { recursive: true });
  const draft = await mkdtemp(`${target}-`);
  try {
    for (const file of files) await copyFile(path.join(source, file), path.join(draft, file));
    const flags = ["--ignore-scripts", "--no-audit", "--no-fund", "--loglevel=error"];
    await promisify(execFile)("npm", ["ci", ...flags], { cwd: draft });
    await rename(draft, target);
  } catch (error) {
    await rm(draft, { recursive: true, force: true });
    // Another process was faster.
    if (!existsSync(target)) throw error;
  }
}
