import { cpSync, globSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { buildPart } from "../build/part.ts";
import { buildParts } from "../build/parts.ts";
import { readImports } from "../check/import-graph.ts";
import { releaseNames } from "../release/names.ts";
import { type PublishedPackage, root } from "./published-package.ts";
import { serverDependencies, shrinkwrap } from "./server-dependencies.ts";
import { writeModules } from "./server-modules.ts";

/** The programs; what they import follows. Other modules are started by their paths. */
const programs = [
  "packages/local/src/server-main.ts",
  "packages/local/src/main.ts",
  "packages/cli/src/main.ts",
  "packages/embedded-postgres/src/thread.ts",
];

/** What the modules read from disk, and what browsers get. */
const assets = [
  "packages/cli/src/commands/shim/node-preload.js",
  "packages/cli/src/operator/serve/*.cnf",
  "packages/control/assets/**/*",
  "packages/control/migrations/*.sql",
  "packages/local/assets/**/*",
  "packages/widget/dist/sdk/v1/**/*",
  "packages/console/dist/**/*",
  "docs/dist/**/*",
];

/**
 * The whole product: the folders of the repository, with the types stripped, since Node strips none
 * inside node_modules. Modules find files by their path from each other, so the folders stay. Lines
 * and columns stay too: a stack trace points into the source of the release.
 */
export const server: PublishedPackage = {
  name: releaseNames.npm.server,
  directory: "packages/local",
  hasTypes: false,
  async build(folder, version) {
    for (const part of buildParts) await buildPart(root, part);
    const graph = readImports(root, programs, () => false);
    const packages = writeModules(folder, [...graph.keys()]);
    copyAssets(folder);
    for (const one of packages) writeManifest(folder, one, version);
    const needs = serverDependencies(packages);
    const wrapped = shrinkwrap({ name: server.name, version, ...needs });
    writeFileSync(
      path.join(folder, "npm-shrinkwrap.json"),
      `${JSON.stringify(wrapped, null, 2)}\n`,
    );
    const program = "packages/local/src/server-main.js";
    return {
      exports: { "./package.json": "./package.json" },
      // Two names of one file: npx takes the first.
      bin: { "mooring-server": program, mooring: program },
      files: ["packages", "docs", "npm-shrinkwrap.json"],
      // Of the program; it runs the rest on the Node among its dependencies if this one is older.
      engines: { node: ">=20" },
      ...needs,
    };
  },
};

/** Dotfiles are notes of the build. */
function copyAssets(folder: string): void {
  for (const pattern of assets) {
    const found = globSync(pattern, { cwd: root, withFileTypes: true });
    const files = found.filter((file) => file.isFile() && !file.name.startsWith("."));
    if (files.length === 0) throw new Error(`${pattern} matches nothing`);
    for (const { parentPath, name } of files) {
      const file = path.relative(root, path.join(parentPath, name));
      cpSync(path.join(root, file), path.join(folder, file));
    }
  }
}

/** Some modules read the version of their package from it. */
function writeManifest(folder: string, directory: string, version: string): void {
  const { name } = JSON.parse(readFileSync(path.join(root, directory, "package.json"), "utf8"));
  const manifest = { name, version, private: true, type: "module" };
  mkdirSync(path.join(folder, directory), { recursive: true });
  writeFileSync(path.join(folder, directory, "package.json"), JSON.stringify(manifest));
}
