import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { pathToFileURL } from "node:url";

/** Starting a process takes longer than most files without servers; this many share one. */
const filesPerProcess = 12;

/**
 * The files to give to `node --test`, which sorts them and runs each in a process of its own. Files without a database
 * or other servers are imported by generated files, one for several neighbours.
 */
export function groupFiles(files: readonly string[], directory: string): string[] {
  const alone = files.filter((file) => !canShare(file));
  const shared = files.filter(canShare);
  mkdirSync(directory, { recursive: true });
  const groups: string[] = [];
  for (let first = 0; first < shared.length; first += filesPerProcess) {
    const members = shared.slice(first, first + filesPerProcess);
    const group = path.join(directory, `group-${groups.length + 1}.test.ts`);
    writeFileSync(group, members.map(importOf).join(""));
    groups.push(group);
  }
  return [...alone, ...groups];
}

const packagesWithoutServers = /^packages\/(dns|egress|vault|sdk|widget|control|edge)\/src\//;

/** A measurement of memory counts what the neighbours left, so it has its own process. */
function canShare(file: string): boolean {
  if (!packagesWithoutServers.test(file) || /\.(db|soak)\.test\.ts$/.test(file)) return false;
  return !readFileSync(file, "utf8").includes("memoryUsage(");
}

function importOf(file: string): string {
  return `import ${JSON.stringify(pathToFileURL(path.resolve(file)).href)};\n`;
}
