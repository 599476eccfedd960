import { copyFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { build, type Metafile, type Plugin } from "esbuild";
import { readLicences } from "../release/files.ts";
import { releaseNames } from "../release/names.ts";
import { type PublishedPackage, root } from "./published-package.ts";

const source = path.join(root, "packages/cli");

/**
 * The commands for daily use, with what they import in the same files: one download, no dependency
 * to resolve, and what a command alone needs is loaded with that command.
 */
export const cli: PublishedPackage = {
  name: releaseNames.npm.cli,
  directory: "packages/cli",
  hasTypes: false,
  async build(folder, version) {
    const { metafile } = await build({
      entryPoints: { mooring: path.join(source, "src/published-main.ts") },
      outdir: path.join(folder, "dist"),
      bundle: true,
      splitting: true,
      format: "esm",
      platform: "node",
      target: "node20",
      charset: "utf8",
      legalComments: "none",
      // Smaller by a fifth; names stay, so that a stack trace can be read.
      minifyWhitespace: true,
      minifySyntax: true,
      chunkNames: "[name]-[hash]",
      // Some libraries are CommonJS inside and ask for `require`, which a module does not have.
      banner: {
        js: 'import { createRequire as __createRequire } from "node:module";\nconst require = __createRequire(import.meta.url);',
      },
      plugins: [versionOnly(version)],
      metafile: true,
      absWorkingDir: root,
    });
    const preload = "node-preload.js";
    copyFileSync(
      path.join(source, "src/commands/shim", preload),
      path.join(folder, "dist", preload),
    );
    const locations = bundledLocations(metafile);
    writeFileSync(path.join(folder, "THIRD_PARTY_LICENSES.txt"), readLicences(locations));
    return {
      exports: { "./package.json": "./package.json" },
      bin: { mooring: "dist/mooring.js" },
      files: ["dist", "THIRD_PARTY_LICENSES.txt"],
      engines: { node: ">=20" },
    };
  },
};

/**
 * Of its manifest the program needs the version; the workspace's dependencies are nobody's
 * business.
 */
function versionOnly(version: string): Plugin {
  return {
    name: "version-only",
    setup(builder) {
      builder.onLoad({ filter: /packages\/cli\/package\.json$/ }, () => ({
        contents: JSON.stringify({ version }),
        loader: "json",
      }));
    },
  };
}

/** The packages of others whose code is in the output, by their location in the lockfile. */
function bundledLocations({ outputs }: Metafile): ReadonlySet<string> {
  const files = Object.values(outputs).flatMap(({ inputs }) => Object.keys(inputs));
  const locations = files.map(
    // A folder above the root has the node_modules of a working copy inside the repository.
    (file) => /^(?:\.\.\/)*(.*node_modules\/(?:@[^/]+\/)?[^/]+)/.exec(file)?.[1],
  );
  return new Set(locations.filter((location) => location !== undefined));
}
