import type { BuildPart } from "./part.ts";

const widgetInputs = [
  "packages/widget/src/**/*",
  "packages/widget/package.json",
  "packages/sdk/src/**/*.ts",
  "scripts/build/widget.ts",
];

/** What browsers get and the server does not need; each names its inputs. */
export const buildParts: readonly BuildPart[] = [
  {
    name: "widget",
    inputs: widgetInputs,
    output: "packages/widget/dist/sdk/v1",
    // Loaded only when there is something to build: the bundler takes longer than the comparison.
    build: async () => (await import("./widget.ts")).buildWidgetScripts(),
  },
  {
    name: "types of the widget",
    inputs: widgetInputs,
    output: "packages/widget/dist/types",
    build: async () => (await import("./widget.ts")).buildWidgetTypes(),
  },
  {
    name: "console",
    inputs: [
      "packages/console/{bundle.ts,index.html,package.json}",
      "packages/console/src/**/*",
      "packages/sdk/src/**/*.ts",
      "packages/sdk/README.md",
      "docs/webhooks.md",
      "package-lock.json",
      "scripts/build/console.ts",
    ],
    output: "packages/console/dist",
    build: async () => (await import("./console.ts")).buildConsole(),
  },
  {
    name: "docs",
    inputs: [
      "*.md",
      "docs/**/*",
      "bench/README.md",
      "packages/{sdk,widget}/README.md",
      "deploy/**/*",
      "scripts/build/docs.ts",
      "scripts/docs/**/*",
    ],
    output: "docs/dist",
    build: async () => (await import("./docs.ts")).buildDocs(),
  },
  {
    name: "reference",
    inputs: ["scripts/build/reference.ts", "package-lock.json"],
    output: "packages/control/assets/docs/dist",
    build: async () => (await import("./reference.ts")).buildReference(),
  },
];
