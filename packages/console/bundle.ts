import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { build, type Metafile, type OutputFile, type Plugin } from "esbuild";

/** Where the API serves the console. */
const base = "/console/";
const directory = import.meta.dirname;
const outDir = path.join(directory, "dist");
const target = ["chrome120", "firefox121", "safari17.2"];

/** What a page loads for a module: its file, and the files that it imports before it runs. */
export interface Chunk {
  readonly file: string;
  readonly imports: readonly string[];
}

export interface Bundle {
  readonly outDir: string;
  readonly entry: Chunk;
  readonly styles: string;
  /**
   * The file of a module that is loaded when it is needed, by the module's path below
   * `packages/console`.
   */
  chunkOf(module: string): Chunk;
}

/**
 * Writes the console to `dist`, every file under the hash of its content. The page comes last and
 * old files go after it, so that a server can serve the directory meanwhile.
 */
export async function buildBundle(): Promise<Bundle> {
  const imported = new Set<string>();
  const { outputFiles, metafile } = await build({
    entryPoints: [path.join(directory, "src/main.tsx")],
    absWorkingDir: directory,
    outdir: path.join(outDir, "assets"),
    entryNames: "[name]-[hash]",
    chunkNames: "[name]-[hash]",
    bundle: true,
    splitting: true,
    format: "esm",
    minify: true,
    target,
    jsx: "automatic",
    charset: "utf8",
    legalComments: "none",
    define: { "process.env.NODE_ENV": '"production"' },
    plugins: [withoutStyleElements, asText, collectStyles(imported)],
    metafile: true,
    write: false,
  });
  const chunks = chunksIn(metafile);
  const entry = chunkNamed(chunks, "src/main.tsx");
  const styles = await bundleStyles(imported);
  const icon = await bundleIcon();
  const files = [...outputFiles, ...styles, ...icon];
  const names = files.map(({ path: file }) => path.relative(outDir, file));
  const page = pageWith(entry, { styles: nameOf(styles), icon: nameOf(icon) });
  mkdirSync(path.join(outDir, "assets"), { recursive: true });
  for (const { path: file, contents } of files) write(file, contents);
  write(path.join(outDir, "index.html"), page);
  for (const name of readdirSync(path.join(outDir, "assets"))) {
    if (!names.includes(`assets/${name}`)) rmSync(path.join(outDir, "assets", name));
  }
  const chunkOf = (module: string): Chunk => chunkNamed(chunks, module);
  return { outDir, entry, styles: nameOf(styles), chunkOf };
}

/** See the file: the package of this name writes a `<style>` element. */
const withoutStyleElements: Plugin = {
  name: "without-style-elements",
  setup(builder) {
    builder.onResolve({ filter: /^react-remove-scroll$/ }, () => ({
      path: path.join(directory, "src/ui/remove-scroll.tsx"),
    }));
  },
};

/** `import text from "./file.md?raw"`. */
const asText: Plugin = {
  name: "as-text",
  setup(builder) {
    builder.onResolve({ filter: /\?raw$/ }, ({ path: file, resolveDir }) => ({
      path: path.join(resolveDir, file.replace(/\?raw$/, "")),
      namespace: "text",
    }));
    builder.onLoad({ filter: /.*/, namespace: "text" }, ({ path: file }) => ({
      contents: readFileSync(file, "utf8"),
      loader: "text",
    }));
  },
};

/** All style sheets become one file; the scripts load none. */
function collectStyles(imported: Set<string>): Plugin {
  return {
    name: "collect-styles",
    setup(builder) {
      builder.onLoad({ filter: /\.css$/ }, ({ path: file }) => {
        imported.add(file);
        return { contents: "", loader: "js" };
      });
    },
  };
}

/** Our sheets are in layers, of which `base.css` declares the order: it comes first. */
async function bundleStyles(imported: ReadonlySet<string>): Promise<readonly OutputFile[]> {
  const first = ["/src/styles/base.css", "/src/styles/"];
  const rankOf = (file: string): number => {
    const rank = first.findIndex((part) => file.includes(part));
    return rank === -1 ? first.length : rank;
  };
  const sheets = [...imported].sort((a, b) => rankOf(a) - rankOf(b) || (a < b ? -1 : 1));
  const contents = sheets.map((file) => `@import ${JSON.stringify(file)};`).join("\n");
  const { outputFiles } = await build({
    stdin: { contents, loader: "css", resolveDir: directory, sourcefile: "styles.css" },
    outdir: path.join(outDir, "assets"),
    entryNames: "styles-[hash]",
    bundle: true,
    minify: true,
    target,
    charset: "utf8",
    write: false,
  });
  return outputFiles;
}

async function bundleIcon(): Promise<readonly OutputFile[]> {
  const { outputFiles } = await build({
    entryPoints: [path.join(directory, "src/icon.svg")],
    outdir: path.join(outDir, "assets"),
    entryNames: "[name]-[hash]",
    loader: { ".svg": "copy" },
    write: false,
  });
  return outputFiles;
}

function nameOf([file]: readonly OutputFile[]): string {
  if (file === undefined) throw new Error("the bundler wrote nothing");
  return path.relative(outDir, file.path);
}

/** By the path of the module that a chunk was made for. */
function chunksIn({ outputs }: Metafile): ReadonlyMap<string, Chunk> {
  const nameIn = (file: string): string => path.relative("dist", file);
  const importsOf = (file: string, found = new Set<string>()): ReadonlySet<string> => {
    for (const { path: next, kind } of outputs[file]?.imports ?? []) {
      if (kind !== "import-statement" || found.has(next)) continue;
      found.add(next);
      importsOf(next, found);
    }
    return found;
  };
  return new Map(
    Object.entries(outputs).flatMap(([file, { entryPoint }]) =>
      entryPoint === undefined
        ? []
        : [[entryPoint, { file: nameIn(file), imports: [...importsOf(file)].map(nameIn) }]],
    ),
  );
}

function chunkNamed(chunks: ReadonlyMap<string, Chunk>, module: string): Chunk {
  const found = chunks.get(module);
  if (found === undefined) throw new Error(`the console has no chunk of ${module}`);
  return found;
}

/** `index.html` with the built files in place of the sources. */
function pageWith(entry: Chunk, { styles, icon }: Readonly<Record<"styles" | "icon", string>>) {
  const preload = entry.imports.map((file) => `<link rel="modulepreload" href="${base}${file}" />`);
  const links = [...preload, `<link rel="stylesheet" href="${base}${styles}" />`].join("\n    ");
  return readFileSync(path.join(directory, "index.html"), "utf8")
    .replace('"/src/icon.svg"', `"${base}${icon}"`)
    .replace('"/src/main.tsx"', `"${base}${entry.file}"`)
    .replace("</script>\n", `</script>\n    ${links}\n`);
}

/** Replaces the file atomically: a server may be reading it. */
function write(file: string, content: string | Uint8Array): void {
  const draft = `${file}.${process.pid}.draft`;
  writeFileSync(draft, content);
  renameSync(draft, file);
}
