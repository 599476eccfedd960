import { copyFileSync, globSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { run } from "./run.ts";

/**
 * Builds the SDK for publication: JavaScript and declarations, since Node strips no types inside
 * node_modules. The output is a separate package (`npm publish packages/sdk/dist`), because the one
 * in the workspace runs from source and is private.
 *
 *     node scripts/build-sdk.ts [directory]
 */
const source = path.resolve(import.meta.dirname, "../packages/sdk");
const output = path.resolve(process.argv[2] ?? path.join(source, "dist"));

function writeManifest(): void {
  const manifest: unknown = JSON.parse(readFileSync(path.join(source, "package.json"), "utf8"));
  if (typeof manifest !== "object" || manifest === null) throw new Error("no manifest");
  const published = {
    ...manifest,
    private: undefined,
    exports: {
      ".": { types: "./index.d.ts", default: "./index.js" },
      "./openapi.json": "./openapi.json",
    },
    types: "./index.d.ts",
    sideEffects: false,
    engines: { node: ">=20" },
  };
  writeFileSync(path.join(output, "package.json"), `${JSON.stringify(published, null, 2)}\n`);
}

/** The compiler rewrites imports in JavaScript only; the declarations would import `.ts` files. */
function rewriteDeclarations(): void {
  for (const file of globSync(path.join(output, "**/*.d.ts"))) {
    const text = readFileSync(file, "utf8");
    writeFileSync(file, text.replaceAll(/((?:from |import\()"\.{1,2}\/[^"]+)\.ts"/g, '$1.js"'));
  }
}

rmSync(output, { recursive: true, force: true });
const code = await run("tsc", ["-p", path.join(source, "tsconfig.build.json"), "--outDir", output]);
if (code === 0) {
  rewriteDeclarations();
  writeManifest();
  for (const file of ["README.md", "openapi.json"]) {
    copyFileSync(path.join(source, file), path.join(output, file));
  }
  copyFileSync(path.join(source, "../../LICENSE"), path.join(output, "LICENSE"));
}
process.exitCode = code;
