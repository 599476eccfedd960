import { globSync, readFileSync, writeFileSync } from "node:fs";
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
    const maps = ["--sourceMap", "--inlineSources"];
    const code = await run("tsc", ["-p", project, "--outDir", output, ...maps]);
    if (code !== 0) throw new Error("the SDK could not be compiled");
    rewriteDeclarations(output);
    rewriteMaps(output);
    return {
      exports: {
        ".": { types: "./dist/index.d.ts", default: "./dist/index.js" },
        "./package.json": "./package.json",
      },
      types: "./dist/index.d.ts",
      files: ["dist"],
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

/** The maps carry the sources; their paths would be those of the machine that built them. */
function rewriteMaps(output: string): void {
  for (const file of globSync(path.join(output, "**/*.js.map"))) {
    const map = JSON.parse(readFileSync(file, "utf8")) as { sources: readonly string[] };
    const sources = map.sources.map((one) => `../src/${path.basename(one)}`);
    writeFileSync(file, JSON.stringify({ ...map, sources }));
  }
}
