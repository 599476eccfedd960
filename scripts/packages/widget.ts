import { copyFileSync, cpSync, globSync } from "node:fs";
import path from "node:path";
import { buildWidget } from "../build/widget.ts";
import { releaseNames } from "../release/names.ts";
import { type PublishedPackage, root } from "./published-package.ts";

/**
 * Modules for bundlers, which load the screens after the first when the widget opens. The plain
 * script stays with the service, and so do the languages.
 */
export const widget: PublishedPackage = {
  name: releaseNames.npm.widget,
  directory: "packages/widget",
  hasTypes: true,
  async build(folder) {
    const { outDir, packageDir } = await buildWidget();
    const output = path.join(folder, "dist");
    cpSync(packageDir, output, { recursive: true });
    for (const file of globSync("*.d.mts", { cwd: outDir })) {
      copyFileSync(path.join(outDir, file), path.join(output, file));
    }
    cpSync(path.join(root, "packages/widget/jsx"), output, { recursive: true });
    return {
      exports: {
        ".": entry("widget"),
        "./react": entry("react"),
        "./element": entry("element"),
        ...Object.fromEntries(frameworks.map((name) => [`./element/${name}`, typedElement(name)])),
        "./package.json": "./package.json",
      },
      types: "./dist/widget.d.mts",
      files: ["dist"],
      // Importing the element registers it; a bundler may not drop that.
      sideEffects: ["./dist/element.mjs"],
      engines: { node: ">=20" },
      peerDependencies: { preact: ">=10", react: ">=18", svelte: ">=5", vue: ">=3.4" },
      peerDependenciesMeta: Object.fromEntries(frameworks.map((one) => [one, { optional: true }])),
    };
  },
};

/** Whose templates know `<svc-connect>` after an import of `element/<name>`. */
const frameworks = ["preact", "react", "svelte", "vue"] as const;

/** The element, with types that extend those of the framework. */
function typedElement(name: string): Readonly<Record<string, string>> {
  return { types: `./dist/element-${name}.d.mts`, default: "./dist/element.mjs" };
}

function entry(name: string): Readonly<Record<string, string>> {
  return { types: `./dist/${name}.d.mts`, default: `./dist/${name}.mjs` };
}
