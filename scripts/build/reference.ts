import { mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { runInNewContext } from "node:vm";
import { gzip } from "node:zlib";

/**
 * The script of the API reference (Scalar), compressed once, as packages/control/src/api/docs
 * serves it. It is taken from Scalar's Fastify plugin, which has it as a string: 4 MB, while the
 * package that the script comes from installs in 287 MB. The plugin is never loaded; package.json
 * leaves its dependencies out.
 *
 *     node scripts/build/reference.ts
 */
const root = path.resolve(import.meta.dirname, "../..");
const referenceOutput = "packages/control/assets/docs/dist";

export async function buildReference(outDir = path.join(root, referenceOutput)): Promise<void> {
  const plugin = readFileSync(
    fileURLToPath(import.meta.resolve("@scalar/fastify-api-reference")),
    "utf8",
  );
  const literal = /^var standalone_default = ("(?:[^"\\\n]|\\.)*");$/m.exec(plugin)?.[1];
  if (literal === undefined) throw new Error("Scalar's plugin has no script of the known form");
  const script: string = runInNewContext(literal);
  mkdirSync(outDir, { recursive: true });
  // Renamed when complete: a running API may be reading the old file.
  const draft = path.join(outDir, `scalar.js.gz.${process.pid}.draft`);
  writeFileSync(draft, await promisify(gzip)(script));
  renameSync(draft, path.join(outDir, "scalar.js.gz"));
}

if (import.meta.main) {
  await buildReference();
  console.log(`the script of the API reference is in ${referenceOutput}`);
}
