import { existsSync, globSync, readFileSync, statSync } from "node:fs";
import path from "node:path";
import { build } from "esbuild";
import { withCode } from "./code-regions.ts";
import { type References, type RenderedPage, renderMarkdown, slugify } from "./markdown.ts";
import { type PageEntry, pages, shownElsewhere } from "./navigation.ts";
import { pageShell } from "./page-layout.ts";
import type { SearchEntry } from "./search.ts";

/** The files of the guide by name, and the mistakes in its pages. */
export interface Site {
  readonly files: ReadonlyMap<string, string | Uint8Array>;
  readonly problems: readonly string[];
}

interface BuiltPage {
  readonly entry: PageEntry;
  readonly page: RenderedPage;
}

/** A link to an anchor, checked when all pages are rendered. */
interface AnchorLink {
  readonly from: string;
  readonly slug: string;
  readonly anchor: string;
}

/** What rendering the pages collects. */
interface Collected {
  readonly anchorLinks: AnchorLink[];
  /** Files of the repository that pages link to or show: output name → source. */
  readonly files: Map<string, string>;
  readonly problems: string[];
}

/** The whole guide: pages, search index, linked files, script and style. Nothing is written. */
export async function buildSite(root: string): Promise<Site> {
  const collected: Collected = {
    anchorLinks: [],
    files: new Map(),
    problems: navigationProblems(root),
  };
  const built = pages.flatMap((entry) => renderPage(root, entry, collected));
  const files = new Map<string, string | Uint8Array>();
  const index: SearchEntry[] = [];
  for (const { entry, page } of built) {
    files.set(`${entry.slug}.html`, pageShell(entry, page));
    index.push(...searchEntries(entry, page));
  }
  files.set("search.json", JSON.stringify(index));
  for (const [name, source] of collected.files) {
    const file = path.join(root, source);
    if (existsSync(file)) files.set(name, readFileSync(file));
  }
  for (const [name, content] of await bundles()) files.set(name, content);
  return { files, problems: [...collected.problems, ...brokenAnchors(built, collected)] };
}

/** Every document is in the navigation, and every entry of the navigation is a document. */
function navigationProblems(root: string): string[] {
  const listed = new Set(pages.map(({ source }) => source));
  const lost = globSync("docs/*.md", { cwd: root })
    .map((file) => file.replaceAll(path.sep, "/"))
    .filter((file) => !listed.has(file) && !file.endsWith("-draft.md"))
    .map((file) => `${file}: is not in scripts/docs/navigation.ts`);
  const missing = pages
    .filter(({ source }) => !existsSync(path.join(root, source)))
    .map(({ source }) => `${source}: is in the navigation and does not exist`);
  return [...lost.sort(), ...missing];
}

function renderPage(root: string, entry: PageEntry, collected: Collected): readonly BuiltPage[] {
  const file = path.join(root, entry.source);
  if (!existsSync(file)) return [];
  try {
    const own = withCode(root, entry.source, readFileSync(file, "utf8"));
    const text = withIncludes(root, entry.source, own);
    const page = renderMarkdown(text, createReferences(root, entry.source, collected));
    return [{ entry, page }];
  } catch (error) {
    collected.problems.push(`${entry.source}: ${error instanceof Error ? error.message : error}`);
    return [];
  }
}

function brokenAnchors(built: readonly BuiltPage[], { anchorLinks }: Collected): readonly string[] {
  const anchors = new Map(
    built.map(({ entry, page }) => [entry.slug, new Set(page.headings.map(({ id }) => id))]),
  );
  return anchorLinks
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

const isExternal = /^(?:https?:|mailto:)/;

function createReferences(root: string, source: string, collected: Collected): References {
  const resolve = (href: string) => {
    const [file = "", anchor = ""] = href.split("#");
    const target = file === "" ? source : path.posix.join(path.posix.dirname(source), file);
    return { target, anchor };
  };
  const problem = (what: string): void => {
    collected.problems.push(`${source}: ${what}`);
  };
  return {
    link(href) {
      if (isExternal.test(href)) return href;
      const { target, anchor } = resolve(href);
      const page = findPage(target);
      if (page) {
        if (anchor !== "") collected.anchorLinks.push({ from: source, slug: page.slug, anchor });
        return `${page.slug}.html${anchor === "" ? "" : `#${anchor}`}`;
      }
      if (!isFile(root, target)) problem(`the link ${href} leads nowhere`);
      // As text, so that a browser shows the file instead of downloading it.
      const name = `files/${target.replace(/(^|\/)\./g, "$1dot-")}.txt`;
      collected.files.set(name, target);
      return name;
    },
    image(href) {
      if (isExternal.test(href)) problem(`the picture ${href} is on another host`);
      const { target } = resolve(href);
      if (!isFile(root, target)) {
        problem(`there is no picture ${href}`);
        return { src: href };
      }
      if (target.endsWith(".svg")) return { svg: readFileSync(path.join(root, target), "utf8") };
      const name = `pictures/${path.posix.basename(target)}`;
      collected.files.set(name, target);
      return { src: name };
    },
  };
}

function findPage(target: string) {
  const source = shownElsewhere[target] ?? target;
  return pages.find((page) => page.source === source);
}

function isFile(root: string, target: string): boolean {
  const file = path.join(root, target);
  return existsSync(file) && statSync(file).isFile();
}

/**
 * `<!-- include ../README.md#a-short-tour -->` on its own line is replaced by that section of
 * another document, so that a text exists once and appears where it helps.
 */
const directive = /^<!-- include ([^\s#]+)#([\w-]+) -->$/gm;

function withIncludes(root: string, source: string, text: string): string {
  return text.replace(directive, (_line, file: string, anchor: string) => {
    const from = path.posix.join(path.posix.dirname(source), file);
    const section = findSection(readFileSync(path.join(root, from), "utf8"), anchor);
    if (section === null) throw new Error(`${from} has no section ${anchor}`);
    return rebased(section, path.posix.dirname(from), path.posix.dirname(source));
  });
}

/** The section with that anchor, up to the next heading of the same or a higher level. */
function findSection(document: string, anchor: string): string | null {
  const lines = document.split("\n");
  const headings = headingLines(lines);
  const start = headings.find(({ title }) => slugify(title) === anchor);
  if (!start) return null;
  const end = headings.find(({ line, depth }) => line > start.line && depth <= start.depth);
  return lines.slice(start.line, end?.line).join("\n").trim();
}

function headingLines(lines: readonly string[]) {
  let isCode = false;
  return lines.flatMap((text, line) => {
    if (/^\s*(```|~~~)/.test(text)) isCode = !isCode;
    const match = isCode ? null : /^(#{1,6}) (.+)$/.exec(text);
    return match ? [{ line, depth: match[1]?.length ?? 0, title: match[2] ?? "" }] : [];
  });
}

/** Relative links as the including document has to write them. */
function rebased(section: string, from: string, to: string): string {
  return section.replace(/\]\((?!https?:|#|mailto:)([^)\s]+)\)/g, (_whole, href: string) => {
    return `](${path.posix.relative(to, path.posix.join(from, href))})`;
  });
}

/** The sections of a page for the search; one without text is found by its heading. */
function searchEntries(entry: PageEntry, page: RenderedPage): readonly SearchEntry[] {
  return page.sections.map(({ heading, text }) => ({
    page: page.title,
    heading: heading.text,
    url: heading.depth === 1 ? `${entry.slug}.html` : `${entry.slug}.html#${heading.id}`,
    text,
  }));
}
