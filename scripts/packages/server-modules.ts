import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { stripTypeScriptTypes } from "node:module";
import path from "node:path";
import { parseSync } from "oxc-parser";
import { resolver } from "../check/import-graph.ts";
import { root } from "./published-package.ts";

/**
 * Writes the modules as JavaScript to the same paths below `folder`; imports of our own packages
 * become relative. Returns the folders of the packages that they belong to.
 */
export function writeModules(folder: string, files: readonly string[]): readonly string[] {
  const resolve = resolver(root);
  const modules = files.filter((file) => file.endsWith(".ts"));
  for (const file of modules) {
    const target = path.join(folder, toScript(file));
    mkdirSync(path.dirname(target), { recursive: true });
    writeFileSync(target, toJavaScript(file, resolve));
  }
  const packages = modules.map((file) => file.split("/").slice(0, 2).join("/"));
  return [...new Set(packages)].sort();
}

function toScript(file: string): string {
  return file.replace(/\.ts$/, ".js");
}

type Resolve = (from: string, specifier: string) => string;

function toJavaScript(file: string, resolve: Resolve): string {
  const stripped = stripTypeScriptTypes(readFileSync(path.join(root, file), "utf8"));
  const text = withSpecifiers(file, stripped, (specifier) => {
    const found = resolve(file, specifier);
    if (!found.startsWith("packages/")) return specifier;
    const to = path.posix.relative(path.posix.dirname(file), toScript(found));
    return to.startsWith(".") ? to : `./${to}`;
  });
  // Programs that are started by their path.
  const started = text.replaceAll(
    /(new URL\("[^"]+)\.ts(", import\.meta\.url\))/g,
    (_whole, before: string, after: string) => `${before}.js${after}`,
  );
  if (/["'`][^"'`\n]*\w\.ts["'`]/.test(withoutComments(started))) {
    throw new Error(`${file} names a .ts file otherwise than by an import or a URL`);
  }
  return started;
}

function withoutComments(text: string): string {
  return text.replaceAll(/\/\*[\s\S]*?\*\/|^\s*\/\/.*$/gm, "");
}

/** Replaces what a module imports, from its end so that offsets stay true. */
function withSpecifiers(file: string, text: string, change: (one: string) => string): string {
  const { module, errors } = parseSync(toScript(file), text);
  if (errors[0] !== undefined) throw new Error(`${file}: ${errors[0].message}`);
  const requests = [
    ...module.staticImports.map(({ moduleRequest }) => moduleRequest),
    ...module.staticExports.flatMap(({ entries }) => entries.map((one) => one.moduleRequest)),
    ...module.dynamicImports.map(({ moduleRequest }) => moduleRequest),
  ].filter((one) => one !== null);
  const ranges = new Map(requests.map(({ start, end }) => [start, end]));
  let changed = text;
  for (const [start, end] of [...ranges].sort(([a], [b]) => b - a)) {
    const quoted = /^"([^"]*)"$/.exec(changed.slice(start, end));
    // An expression names no module of ours.
    if (quoted === null) continue;
    changed = `${changed.slice(0, start)}"${change(quoted[1] ?? "")}"${changed.slice(end)}`;
  }
  return changed;
}
