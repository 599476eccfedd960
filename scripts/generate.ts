import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { generators } from "./generators/all.ts";

/**
 * Writes every generated file; with `--check` it only reports stale ones. Each file has one source
 * and one generator, and is committed.
 */
const isCheck = process.argv.includes("--check");
let stale = 0;
for (const { file, make, isSlow } of generators) {
  if (isCheck && isSlow) continue;
  const text = await make();
  if (existsSync(file) && readFileSync(file, "utf8") === text) continue;
  if (isCheck) {
    console.error(`${file} is stale: run \`npm run generate\``);
    stale += 1;
  } else {
    writeFileSync(file, text);
    console.log(`wrote ${file}`);
  }
}
process.exitCode = stale === 0 ? 0 : 1;
