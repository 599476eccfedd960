import { copyFileSync, globSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { releaseNames } from "../release/names.ts";
import { run } from "../run.ts";
import { type PublishedPackage, root } from "./published-package.ts";

/** JavaScript and declarations, since Node strips no types inside node_modules. */
export const sdk: PublishedPackage = {
  name: releaseNames.npm.sdk,
  directory: "packages/sdk",
  hasTypes: true,
  async build(folder) {
    const source = path.join(root, "packages/sdk");
    const project = path.join(source, "tsconfig.build.json");
    const output = path.join(folder, "dist");
    const code = await run("tsc", ["-p", project, "--outDir", output]);
    if (code !== 0) throw new Error("the SDK could not be compiled");
    rewriteDeclarations(output);
    copyFileSync(path.join(source, "openapi.json"), path.join(folder, "openapi.json"));
    return {
      exports: {
        ".": { types: "./dist/index.d.ts", default: "./dist/index.js" },
        "./openapi.json": "./openapi.json",
        "./package.json": "./package.json",
      },
      types: "./dist/index.d.ts",
      files: ["dist", "openapi.json"],
      sideEffects: false,
      engines: { node: ">=20" },
    };
  },
};

/** The compiler rewrites imports in JavaScript only; the declarations would import `.ts` files. */
function rewriteDeclarations(output: string): void {
  for (const file of globSync(path.join(output, "**/*.d.ts"))) {
    const text = readFileSync(file, "utf8");
    writeFileSync(file, text.replaceAll(/((?:from |import\()"\.{1,2}\/[^"]+)\.ts"/g, '$1.js"'));
  }
}
