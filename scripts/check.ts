import { run } from "./run.ts";

/** The static checks; they need no database and take seconds. */
const steps: readonly (readonly [name: string, command: string, ...args: string[]])[] = [
  ["format and lint", "biome", "check", "--error-on-warnings", "."],
  ["types", "tsc", "--noEmit", "-p", "tsconfig.json"],
  ["types of the console", "tsc", "--noEmit", "-p", "packages/console/tsconfig.json"],
  ["types of the widget", "tsc", "--noEmit", "-p", "packages/widget/tsconfig.json"],
  ["types of the examples", "tsc", "--noEmit", "-p", "examples/tsconfig.json"],
  ["import law", "node", "scripts/check/imports.ts"],
  ["unused code", "knip", "--no-progress"],
  ["unused code in production", "knip", "--no-progress", "--production"],
  ["quarantine of flaky tests", "node", "scripts/check/quarantine.ts"],
  ["lockfile", "node", "scripts/check/lockfile.ts"],
  ["supply chain", "node", "scripts/check/supply-chain.ts"],
  ["names of a release", "node", "scripts/check/names.ts"],
  ["vocabulary", "node", "scripts/check/vocabulary.ts"],
  ["width of comments", "node", "scripts/check/comment-width.ts"],
  ["documents", "node", "scripts/check/doc-refs.ts"],
  ["lines of documents", "node", "scripts/check/document-blocks.ts"],
  ["generated files", "node", "scripts/generate.ts", "--check"],
];

let failed = 0;
for (const [name, command, ...args] of steps) {
  const startedAt = performance.now();
  const code = await run(command, args);
  const took = ((performance.now() - startedAt) / 1_000).toFixed(1);
  console.log(`${code === 0 ? "ok  " : "FAIL"} ${name} (${took} s)`);
  if (code !== 0) failed += 1;
}
process.exitCode = failed === 0 ? 0 : 1;
