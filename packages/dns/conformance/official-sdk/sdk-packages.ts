import { execFile } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";

/** Installs packages from the registry into a folder of their own for as long as `work` runs. */
export async function withPackages<T>(
  specs: readonly string[],
  work: (load: NodeJS.Require) => Promise<T>,
): Promise<T> {
  const folder = await mkdtemp(join(tmpdir(), "official-sdk-"));
  try {
    await writeFile(join(folder, "package.json"), '{"private":true}');
    const flags = ["--no-audit", "--no-fund", "--ignore-scripts"];
    await promisify(execFile)("npm", ["install", ...flags, ...specs], { cwd: folder });
    return await work(createRequire(join(folder, "index.js")));
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
