import { copyFileSync, globSync, mkdirSync } from "node:fs";
import path from "node:path";
import { buildWidget } from "../build/widget.ts";
import { releaseNames } from "../release/names.ts";
import type { PublishedPackage } from "./published-package.ts";

/**
 * The modules that the service also serves under `/sdk/v1/`; the plain script stays with the
 * service.
 */
export const widget: PublishedPackage = {
  name: releaseNames.npm.widget,
  directory: "packages/widget",
  hasTypes: true,
  async build(folder) {
    const { outDir } = await buildWidget();
    mkdirSync(path.join(folder, "dist"));
    for (const file of globSync("{widget,element,react}.mjs", { cwd: outDir }).concat(
      globSync("*.d.mts", { cwd: outDir }),
    )) {
      copyFileSync(path.join(outDir, file), path.join(folder, "dist", file));
    }
    return {
      exports: {
        ".": entry("widget"),
        "./react": entry("react"),
        "./element": entry("element"),
        "./package.json": "./package.json",
      },
      types: "./dist/widget.d.mts",
      files: ["dist"],
      // Importing the element registers it; a bundler may not drop that.
      sideEffects: ["./dist/element.mjs"],
      engines: { node: ">=20" },
      peerDependencies: { react: ">=18" },
      peerDependenciesMeta: { react: { optional: true } },
    };
  },
};

function entry(name: string): Readonly<Record<string, string>> {
  return { types: `./dist/${name}.d.mts`, default: `./dist/${name}.mjs` };
}
