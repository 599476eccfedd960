import type { BuildPart } from "./build-part.ts";

/** What browsers get and the server does not need; each names its inputs. */
export const buildParts: readonly BuildPart[] = [
  {
    name: "widget",
    inputs: [
      "packages/widget/src/**/*",
      "packages/widget/package.json",
      "packages/sdk/src/**/*.ts",
      "scripts/build-widget*.ts",
    ],
    output: "packages/widget/dist",
    // Loaded only when there is something to build: the bundler takes longer than the comparison.
    build: async () => (await import("./build-widget.ts")).buildWidget(),
  },
  {
    name: "docs",
    inputs: [
      "*.md",
      "docs/**/*",
      "bench/README.md",
      "packages/{sdk,widget}/README.md",
      "deploy/**/*",
      "scripts/build-docs*.ts",
      "scripts/docs/**/*",
    ],
    output: "docs/dist",
    build: async () => (await import("./build-docs.ts")).buildDocs(),
  },
];
