import { globSync, readFileSync } from "node:fs";
import path from "node:path";
import { parseSync } from "oxc-parser";

export interface Import {
  /** A path of the repository, `node:<module>`, or `node_modules/<package>`. */
  readonly to: string;
  /** The import ends with the types and loads nothing. */
  readonly isTypeOnly: boolean;
}

/** The imports of each module, by its path from the root of the repository. */
export type ImportGraph = ReadonlyMap<string, readonly Import[]>;

/** The modules that match the globs, and what they import, directly and through others. */
export function readImports(
  root: string,
  globs: readonly string[],
  isExcluded: (file: string) => boolean,
): ImportGraph {
  const graph = new Map<string, readonly Import[]>();
  const exclude = ["**/node_modules/**"];
  const waiting = globSync([...globs], { cwd: root, exclude }).filter((file) => !isExcluded(file));
  const resolve = resolver(root);
  for (let file = waiting.pop(); file !== undefined; file = waiting.pop()) {
    if (graph.has(file)) continue;
    const from = file;
    const imports = importsIn(path.join(root, from))
      .map(({ specifier, isTypeOnly }) => ({ to: resolve(from, specifier), isTypeOnly }))
      .filter(({ to }) => !isExcluded(to));
    graph.set(from, imports);
    waiting.push(...imports.map(({ to }) => to).filter((to) => /^(?!node_).*\.tsx?$/.test(to)));
  }
  return graph;
}

interface Specifier {
  readonly specifier: string;
  readonly isTypeOnly: boolean;
}

function importsIn(file: string): readonly Specifier[] {
  const text = readFileSync(file, "utf8");
  const { module, errors } = parseSync(file, text);
  if (errors[0] !== undefined) throw new Error(`${file}: ${errors[0].message}`);
  const direct = module.staticImports.map(({ moduleRequest, entries }) => ({
    specifier: moduleRequest.value,
    isTypeOnly: entries.length > 0 && entries.every(({ isType }) => isType),
  }));
  const passedOn = module.staticExports.flatMap(({ entries }) =>
    entries.flatMap(({ moduleRequest, isType }) =>
      moduleRequest === null ? [] : { specifier: moduleRequest.value, isTypeOnly: isType },
    ),
  );
  const later = module.dynamicImports.map(({ moduleRequest: { start, end } }) => ({
    specifier: text.slice(start, end),
    isTypeOnly: false,
  }));
  const literals = later
    .filter(({ specifier }) => /^"[^"]*"$/.test(specifier))
    .map((one) => ({ ...one, specifier: one.specifier.slice(1, -1) }));
  return [...direct, ...passedOn, ...literals, ...withoutStatement(text)];
}

/** `import("…").Type`, and built-in modules that are taken from the process. */
function withoutStatement(text: string): readonly Specifier[] {
  const types = [...text.matchAll(/import\("([^"]+)"\)\.[A-Z]/g)];
  const builtIn = [...text.matchAll(/getBuiltinModule\("([^"]+)"\)/g)];
  return [
    ...types.map(([, specifier = ""]) => ({ specifier, isTypeOnly: true })),
    ...builtIn.map(([, specifier = ""]) => ({ specifier, isTypeOnly: false })),
  ];
}

/** Follows `exports` of our own packages; of others only the name matters. */
export function resolver(root: string): (from: string, specifier: string) => string {
  const ours = new Map<string, string>();
  for (const file of globSync("packages/*/package.json", { cwd: root })) {
    const { name, exports = {} } = JSON.parse(readFileSync(path.join(root, file), "utf8")) as {
      readonly name: string;
      readonly exports?: string | Readonly<Record<string, string>>;
    };
    const entries = typeof exports === "string" ? { ".": exports } : exports;
    for (const [entry, target] of Object.entries(entries)) {
      ours.set(path.posix.join(name, entry), path.join(path.dirname(file), target));
    }
  }
  /** Of `exports` whose key ends with `*`. */
  const fromPattern = (specifier: string): string | undefined => {
    for (const [entry, target] of ours) {
      const prefix = entry.endsWith("*") ? entry.slice(0, -1) : null;
      if (prefix === null || !specifier.startsWith(prefix)) continue;
      return target.replace("*", specifier.slice(prefix.length));
    }
    return undefined;
  };
  return (from, specifier) => {
    if (specifier.startsWith(".")) return path.join(path.dirname(from), specifier);
    if (specifier.startsWith("node:")) return specifier;
    return ours.get(specifier) ?? fromPattern(specifier) ?? `node_modules/${specifier}`;
  };
}
