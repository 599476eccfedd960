import assert from "node:assert/strict";
import { cp, mkdir, symlink } from "node:fs/promises";
import path from "node:path";
import { after, before, describe, it } from "node:test";
import { stagePackage } from "../../scripts/packages/published-package.ts";
import { widget } from "../../scripts/packages/widget.ts";
import { loadPackages } from "../npm-packages/load-packages.ts";
import { createScratch, type Scratch } from "./support/scratch.ts";

interface Framework {
  /** Its packages, by the name that the set of packages gives them. */
  readonly packages: Readonly<Record<string, string>>;
  readonly options: object;
  readonly file: string;
  /** The file with these elements, each on a line of its own. */
  readonly page: (elements: readonly string[]) => string;
  readonly checker: readonly [program: string, ...args: string[]];
  /** Attributes that must be accepted, each in an element of its own. */
  readonly accepts: readonly string[];
  /** Such that must be refused: without types an element would accept everything, or nothing. */
  readonly refuses: readonly string[];
}

const script = (name: string) => `import "@mooring/widget/element/${name}";
const theme = { accentColor: "#000" };
const getToken = async () => "t";
void theme, getToken;`;

function jsx(name: "preact" | "react", more: Partial<Framework>): Framework {
  return {
    packages: {},
    options: { jsx: "react-jsx", jsxImportSource: name },
    file: "src/page.tsx",
    page: (elements) => `${script(name)}\nexport const page = <p>\n${elements.join("\n")}\n</p>;\n`,
    checker: ["typescript/bin/tsc", "-p", "."],
    accepts: [...attributes, ...properties],
    refuses: [...wrong, "theme={1}"],
    ...more,
  };
}

const attributes = [
  `application-id="a" token="t" base-url="https://api.example" email`,
  `brand-name="B" domain="d.example" locale="de" visit-url="https://x" connection-id="c"`,
  `id="one" email={false}`,
];
const properties = ["theme={theme}", "getToken={getToken}"];
const wrong = ["application-id={1}", "brand-name={[]}", `email="no"`];

const frameworks: Readonly<Record<string, Framework>> = {
  "React 18": jsx("react", {
    packages: { "@types/react": "types-react-18" },
    accepts: [
      ...attributes,
      `className="x"`,
      "ref={(one) => { if (one) one.onSuccess = () => {}; }}",
    ],
    // It would write the properties as text.
    refuses: [...wrong, ...properties],
  }),
  "React 19": jsx("react", {
    packages: { "@types/react": "types-react-19" },
    // It would take the name for an event.
    refuses: [...wrong, "theme={1}", "onSuccess={() => undefined}"],
  }),
  "Preact 10": jsx("preact", { packages: { preact: "preact-10" } }),
  "Preact 11": jsx("preact", { packages: { preact: "preact" } }),
  Vue: {
    packages: { vue: "vue" },
    options: { jsx: "preserve" },
    file: "src/page.vue",
    page: (elements) =>
      `<script setup lang="ts">\n${script("vue")}\n</script>\n<template>\n${elements.join("\n")}\n</template>\n`,
    checker: ["vue-tsc/bin/vue-tsc.js", "-p", "."],
    accepts: [
      ...attributes.slice(0, 2),
      `id="one" class="x" :email="false" @click="getToken"`,
      `:theme="theme"`,
      `:get-token="getToken"`,
    ],
    refuses: [`:application-id="1"`, `:brand-name="[]"`, `:theme="1"`],
  },
  Svelte: {
    packages: { svelte: "svelte" },
    options: {},
    file: "src/page.svelte",
    page: (elements) =>
      `<script lang="ts">\n${script("svelte")}\n</script>\n${elements.join("\n")}\n`,
    checker: ["svelte-check/bin/svelte-check", "--tsconfig", "./tsconfig.json"],
    accepts: [...attributes, ...properties],
    refuses: [...wrong, "theme={1}"],
  },
};

describe("<svc-connect> in templates of others", () => {
  let installed: string;
  let scratch: Scratch;

  before(async () => {
    const load = await loadPackages("element-types");
    installed = path.dirname(path.dirname(load.resolve("typescript/package.json")));
    scratch = await createScratch("element-types");
    await stagePackage(widget, path.join(scratch.directory, "staged"), "0.0.0");
  });
  after(() => scratch.remove());

  /** A project with the widget's package and the framework's. */
  async function makeProject(folder: string, { packages, options }: Framework): Promise<void> {
    const modules = path.join(scratch.directory, folder, "node_modules");
    const own = path.join(modules, "@mooring/widget");
    await cp(path.join(scratch.directory, "staged"), own, { recursive: true });
    for (const [name, source] of Object.entries(packages)) {
      await mkdir(path.dirname(path.join(modules, name)), { recursive: true });
      await symlink(path.join(installed, source), path.join(modules, name));
    }
    const compilerOptions = {
      strict: true,
      noEmit: true,
      target: "es2022",
      module: "esnext",
      moduleResolution: "bundler",
      lib: ["es2022", "dom", "dom.iterable"],
      types: [],
      // Of TypeScript itself; the packages' own declarations are checked.
      skipDefaultLibCheck: true,
      ...options,
    };
    await scratch.write({
      [`${folder}/package.json`]: JSON.stringify({ private: true, type: "module" }),
      [`${folder}/tsconfig.json`]: JSON.stringify({ compilerOptions, include: ["src"] }),
    });
  }

  /** The lines of the page that the checker refuses; throws when it refuses another file. */
  async function complaints(folder: string, { file, checker }: Framework): Promise<Set<number>> {
    const [program, ...args] = checker;
    const command = [process.execPath, path.join(installed, program), ...args];
    const shell = ["-c", 'cd "$0" && NO_COLOR=1 "$@" || true', folder, ...command];
    const output = await scratch.run("sh", shell);
    const name = path.basename(file);
    const lines = [...output.matchAll(/([\w.-]+\.(?:tsx|vue|svelte|m?ts))[(:](\d+)[,:]/g)];
    for (const [whole, one] of lines) assert.equal(one, name, `${whole}\n${output}`);
    return new Set(lines.map(([, , line]) => Number(line)));
  }

  for (const [name, framework] of Object.entries(frameworks)) {
    it(`has types in ${name}`, async () => {
      const folder = name.replace(" ", "-");
      await makeProject(folder, framework);
      const { file, page, accepts, refuses } = framework;
      const elements = [...accepts, ...refuses].map((one) => `<svc-connect ${one}></svc-connect>`);
      const text = page(elements);
      await scratch.write({ [`${folder}/${file}`]: text });
      const found = await complaints(folder, framework);
      const refused = text.split("\n").filter((_, index) => found.has(index + 1));
      assert.deepEqual(refused, elements.slice(accepts.length));
    });
  }
});
