import { existsSync, globSync, readFileSync } from "node:fs";
import path from "node:path";
import { build } from "esbuild";
import { withIncludes } from "./include.ts";
import { type RenderedPage, renderMarkdown } from "./markdown.ts";
import { type PageEntry, pages } from "./navigation.ts";
import { type Gathered, referencesOf } from "./references.ts";
import type { SearchEntry } from "./score.ts";
import { searchEntries } from "./search-index.ts";
import { pageShell } from "./shell.ts";

/** The files of the guide by their names, and what is wrong with the pages. */
export interface Site {
  readonly files: ReadonlyMap<string, string | Uint8Array>;
  readonly problems: readonly string[];
}

interface Made {
  readonly entry: PageEntry;
  readonly page: RenderedPage;
}

export async function buildSite(root: string): Promise<Site> {
  const gathered: Gathered = { crossings: [], files: new Map(), problems: unplaced(root) };
  const made = pages.flatMap((entry) => renderPage(root, entry, gathered));
  const files = new Map<string, string | Uint8Array>();
  const index: SearchEntry[] = [];
  for (const { entry, page } of made) {
    files.set(`${entry.slug}.html`, pageShell(entry, page));
    index.push(...searchEntries(entry, page));
  }
  files.set("search.json", JSON.stringify(index));
  for (const [name, source] of gathered.files) {
    const file = path.join(root, source);
    if (existsSync(file)) files.set(name, readFileSync(file));
  }
  for (const [name, content] of await bundles()) files.set(name, content);
  return { files, problems: [...gathered.problems, ...brokenCrossings(made, gathered)] };
}

/** Every document has a place in the navigation, and every place a document. */
function unplaced(root: string): string[] {
  const placed = new Set(pages.map(({ source }) => source));
  const lost = globSync("docs/*.md", { cwd: root })
    .map((file) => file.replaceAll(path.sep, "/"))
    .filter((file) => !placed.has(file) && !file.endsWith("-draft.md"))
    .map((file) => `${file}: has no place in scripts/docs/navigation.ts`);
  const missing = pages
    .filter(({ source }) => !existsSync(path.join(root, source)))
    .map(({ source }) => `${source}: is in the navigation and does not exist`);
  return [...lost.sort(), ...missing];
}

function renderPage(root: string, entry: PageEntry, gathered: Gathered): readonly Made[] {
  const file = path.join(root, entry.source);
  if (!existsSync(file)) return [];
  try {
    const { text } = withIncludes(root, entry.source, readFileSync(file, "utf8"));
    const page = renderMarkdown(text, referencesOf(root, entry.source, gathered));
    return [{ entry, page }];
  } catch (error) {
    gathered.problems.push(`${entry.source}: ${error instanceof Error ? error.message : error}`);
    return [];
  }
}

function brokenCrossings(made: readonly Made[], { crossings }: Gathered): readonly string[] {
  const anchors = new Map(
    made.map(({ entry, page }) => [entry.slug, new Set(page.headings.map(({ id }) => id))]),
  );
  return crossings
    .filter(({ slug, anchor }) => !anchors.get(slug)?.has(anchor))
    .map(({ from, slug, anchor }) => `${from}: ${slug} has no heading #${anchor}`);
}

const browser = path.join(import.meta.dirname, "browser");

async function bundles(): Promise<readonly (readonly [string, Uint8Array])[]> {
  const result = await build({
    entryPoints: ["guide.css", "guide.js", "menu.js"].map((name) => path.join(browser, name)),
    outdir: browser,
    bundle: true,
    minify: true,
    format: "esm",
    platform: "browser",
    target: ["chrome120", "firefox121", "safari17.2"],
    charset: "utf8",
    write: false,
  });
  return result.outputFiles.map((file) => [path.basename(file.path), file.contents] as const);
}
