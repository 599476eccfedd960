import { createHash } from "node:crypto";
import {
  existsSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { gzipSync } from "node:zlib";
import { type BuildOptions, build, type Plugin } from "esbuild";
import { fieldTexts } from "../../packages/control/src/domain/locales/fields/texts.ts";
import { findingTexts } from "../../packages/control/src/domain/locales/findings/texts.ts";
import { languages } from "../../packages/control/src/domain/locales/languages.ts";
import { noteTexts } from "../../packages/control/src/domain/locales/notes/texts.ts";
import { warningTexts } from "../../packages/control/src/domain/locales/warnings/texts.ts";
import { connectionStates, setupTypes } from "../../packages/sdk/src/index.ts";
import { servedLocales } from "../../packages/widget/src/locales/messages.ts";
import { run } from "../run.ts";

/**
 * Builds the widget that is served under `/sdk/v1/`: a script for pages, modules with types for
 * bundlers, and the languages. Skipped when no input has changed.
 *
 *     node scripts/build/widget.ts
 */
const root = path.resolve(import.meta.dirname, "../..");
const source = path.join(root, "packages/widget/src");
const outDir = path.join(root, "packages/widget/dist/sdk/v1");
const packageDir = path.join(root, "packages/widget/dist/package");
const dist = path.join(root, "packages/widget/dist");

/** The limit of `widget.js`, which has the first screens in English; the others load on opening. */
export const budgetBytes = 20 * 1_024;

export interface BuiltWidget {
  readonly outDir: string;
  /** The modules of the npm package, with maps; later screens are files of their own. */
  readonly packageDir: string;
  /** The size of `widget.js`. */
  readonly gzipBytes: number;
}

export async function buildWidget(): Promise<BuiltWidget> {
  const [built] = await Promise.all([buildWidgetScripts(), buildWidgetTypes()]);
  return built;
}

/** What pages load. */
export async function buildWidgetScripts(): Promise<BuiltWidget> {
  const forget = await unlessCurrent("scripts", () =>
    Promise.all([writeScripts(), writePackage(), writeLocales()]),
  );
  const gzipBytes = gzipSync(readFileSync(path.join(outDir, "widget.js")), { level: 9 }).length;
  if (gzipBytes > budgetBytes) {
    forget();
    throw new Error(`widget.js has ${gzipBytes} bytes gzipped; the budget is ${budgetBytes}`);
  }
  return { outDir, packageDir, gzipBytes };
}

/** What only bundlers of other products read. */
export async function buildWidgetTypes(): Promise<void> {
  await unlessCurrent("types", writeTypes);
}

/**
 * Runs `write` unless it has run for these inputs. The returned function makes it run again the
 * next time.
 */
async function unlessCurrent(name: string, write: () => Promise<unknown>): Promise<() => void> {
  const stamp = path.join(dist, `${name}.sha256`);
  const forget = (): void => rmSync(stamp, { force: true });
  const inputs = hashInputs();
  if (existsSync(stamp) && readFileSync(stamp, "utf8") === inputs) return forget;
  forget();
  await write();
  replaceFile(stamp, inputs);
  return forget;
}

function hashInputs(): string {
  const files = [
    ...globSync("packages/widget/src/**/*", { cwd: root }).filter((file) => /\.\w+$/.test(file)),
    ...globSync("packages/control/src/domain/locales/**/*.ts", { cwd: root }),
    "packages/widget/package.json",
    "packages/sdk/src/schema.gen.ts",
    "package-lock.json",
    "scripts/build/widget.ts",
  ].sort();
  const hash = createHash("sha256");
  for (const file of files) hash.update(`${file}\0`).update(readFileSync(path.join(root, file)));
  return hash.digest("hex");
}

/** Replaces the file atomically: a server may be reading it, and two builds may run at once. */
function replaceFile(file: string, content: string | Uint8Array): void {
  mkdirSync(path.dirname(file), { recursive: true });
  const draft = `${file}.${process.pid}.draft`;
  writeFileSync(draft, content);
  renameSync(draft, file);
}

/** Loads a style sheet as a string, bundled and minified. */
const styles: Plugin = {
  name: "styles",
  setup(builder) {
    builder.onLoad({ filter: /\.css$/ }, async (file) => {
      const result = await build({
        entryPoints: [file.path],
        bundle: true,
        minify: true,
        write: false,
        target: "es2022",
      });
      const css = result.outputFiles[0]?.text.trim() ?? "";
      return {
        contents: `export const css = ${JSON.stringify(css)};`,
        loader: "js",
        watchFiles: globSync(path.join(source, "styles/*.css")),
      };
    });
  },
};

/** The wrappers import `widget.mjs` instead of containing a second copy. */
const externalWidget: Plugin = {
  name: "external-widget",
  setup(builder) {
    builder.onResolve({ filter: /^\.\/index\.ts$/ }, () => ({
      path: "./widget.mjs",
      external: true,
    }));
  },
};

async function writeScripts(): Promise<void> {
  const screens = await bundle("ui/later.tsx", "screens.mjs", { format: "esm" });
  // The hash in the URL prevents a page from combining the script with cached screens of another
  // release.
  const version = JSON.stringify(screens.slice(0, 12));
  const define = { "globalThis.SVC_SCREENS": version };
  const wrapper: BundleOptions = { format: "esm", plugins: [externalWidget] };
  await Promise.all([
    bundle("global.ts", "widget.js", { format: "iife", define }),
    bundle("index.ts", "widget.mjs", { format: "esm" }),
    bundle("element.ts", "element.mjs", wrapper),
    bundle("react.tsx", "react.mjs", wrapper),
  ]);
}

/** Each file is replaced at once; then what an earlier build left is removed. */
async function writePackage(): Promise<void> {
  const shared = {
    ...common,
    outdir: packageDir,
    outExtension: { ".js": ".mjs" },
    sourcemap: true,
    write: false,
  } as const;
  const results = await Promise.all([
    build({
      ...shared,
      entryPoints: { widget: path.join(source, "index.ts") },
      plugins: [styles],
      splitting: true,
      chunkNames: "[name]-[hash]",
    }),
    build({
      ...shared,
      entryPoints: ["element.ts", "react.tsx"].map((name) => path.join(source, name)),
      plugins: [styles, externalWidget],
    }),
  ]);
  const files = results.flatMap(({ outputFiles }) => outputFiles);
  for (const file of files) replaceFile(file.path, file.contents);
  const names = new Set(files.map((file) => path.basename(file.path)));
  for (const name of readdirSync(packageDir)) {
    const isOld = /\.mjs(?:\.map)?$/.test(name) && !names.has(name);
    if (isOld) rmSync(path.join(packageDir, name), { force: true });
  }
}

const common = {
  bundle: true,
  minify: true,
  format: "esm",
  platform: "browser",
  target: ["chrome120", "firefox121", "safari17.2"],
  charset: "utf8",
  legalComments: "none",
  external: ["react", "react/jsx-runtime"],
  tsconfig: path.join(root, "packages/widget/tsconfig.json"),
} as const satisfies BuildOptions;

interface BundleOptions {
  readonly format: "iife" | "esm";
  readonly plugins?: readonly Plugin[];
  readonly define?: Record<string, string>;
}

/** Writes one file and returns the hash of its content. */
async function bundle(entry: string, name: string, options: BundleOptions): Promise<string> {
  const { format, plugins = [], define = {} } = options;
  const result = await build({
    ...common,
    entryPoints: [path.join(source, entry)],
    outfile: path.join(outDir, name),
    format,
    plugins: [styles, ...plugins],
    define,
    write: false,
  });
  const contents = result.outputFiles[0]?.contents ?? new Uint8Array();
  replaceFile(path.join(outDir, name), contents);
  return createHash("sha256").update(contents).digest("hex");
}

async function writeLocales(): Promise<void> {
  for (const locale of servedLocales) {
    const file = path.join(source, `locales/${locale.toLowerCase()}.ts`);
    const module: Readonly<Record<string, unknown>> = await import(file);
    const messages = module[locale.replace("-", "")];
    if (typeof messages !== "object") throw new Error(`${file} has no messages`);
    replaceFile(path.join(outDir, `locales/${locale}.json`), `${JSON.stringify(messages)}\n`);
  }
  for (const language of languages.filter((one) => one !== "en")) {
    const { provider, texts: findings } = findingTexts[language];
    const words = {
      provider,
      findings,
      warnings: warningTexts[language],
      notes: noteTexts[language],
      fields: fieldTexts[language],
    };
    replaceFile(path.join(outDir, `locales/words/${language}.json`), `${JSON.stringify(words)}\n`);
  }
}

const entries = { index: "widget", element: "element", react: "react" } as const;

/** Writes the declarations of the entry modules and of the files that they import. */
async function writeTypes(): Promise<void> {
  const draft = mkdtempSync(path.join(tmpdir(), "mooring-widget-types-"));
  try {
    const project = path.join(root, "packages/widget/tsconfig.json");
    // `npm run check` checks them.
    const flags = ["--noEmit", "false", "--noCheck", "--declaration", "--emitDeclarationOnly"];
    const code = await run("tsc", ["-p", project, ...flags, "--outDir", draft, "--rootDir", root]);
    if (code !== 0) throw new Error("the declarations could not be emitted");
    const from = path.join(draft, "packages/widget/src");
    const done = new Set<string>();
    for (const entry of Object.keys(entries)) copyTypes(from, entry, done);
  } finally {
    rmSync(draft, { recursive: true, force: true });
  }
}

/** Copies a declaration and those that it imports, each under the name of its module. */
function copyTypes(from: string, name: string, done: Set<string>): void {
  if (done.has(name)) return;
  done.add(name);
  const text = withoutSdk(readFileSync(path.join(from, `${name}.d.ts`), "utf8"));
  const imports = /((?:from |import\()")\.\/([\w-]+)\.tsx?"/g;
  for (const [, , imported] of text.matchAll(imports)) copyTypes(from, imported ?? "", done);
  const rewritten = text.replaceAll(
    imports,
    (_whole, before: string, imported: string) => `${before}./${published(imported)}.mjs"`,
  );
  replaceFile(path.join(outDir, `${published(name)}.d.mts`), rewritten);
}

/** The published types do not depend on the SDK: its enums are written out. */
function withoutSdk(declaration: string): string {
  const enums = { ConnectionState: connectionStates, SetupType: setupTypes };
  const types = Object.entries(enums).map(
    ([name, values]) =>
      `type ${name} = ${values.map((value) => JSON.stringify(value)).join(" | ")};`,
  );
  const text = declaration.replace(
    'import type { ConnectionState, SetupType } from "@mooring/sdk";',
    types.join("\n"),
  );
  if (text.includes("@mooring/sdk")) throw new Error("a public type imports another SDK type");
  return text;
}

function published(name: string): string {
  return name === "index" ? entries.index : name;
}

if (import.meta.main) {
  const { gzipBytes } = await buildWidget();
  console.log(`widget.js: ${gzipBytes} of ${budgetBytes} bytes gzipped`);
}
