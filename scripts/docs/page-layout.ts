import type { Heading, RenderedPage } from "./markdown.ts";
import { escapeHtml } from "./markdown.ts";
import { navigation, type PageEntry, pages } from "./navigation.ts";

const icon =
  "data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 16 16'%3E%3Cpath d='M8 5v9M4 7h8M2 10c0 3 3 4 6 4s6-1 6-4' fill='none' stroke='%230b7285' stroke-width='2'/%3E%3Ccircle cx='8' cy='3' r='2' fill='none' stroke='%230b7285' stroke-width='2'/%3E%3C/svg%3E";

/**
 * A whole page. Script and style are files, so that it works under a policy without inline code.
 */
export function pageShell(entry: PageEntry, page: RenderedPage): string {
  const title = entry.slug === "index" ? "Mooring" : `${page.title} · Mooring`;
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${escapeHtml(title)}</title>
<link rel="icon" href="${icon}">
<link rel="stylesheet" href="guide.css">
<script type="module" src="guide.js"></script>
</head>
<body>
<a class="skip" href="#content">Skip to the text</a>
<header class="top">
<a class="brand" href="index.html">Mooring <span>guide</span></a>
<div class="search" hidden>
<input id="search" type="search" role="combobox" aria-label="Search the guide" aria-expanded="false" aria-controls="found" aria-autocomplete="list" placeholder="Search" autocomplete="off" spellcheck="false">
<kbd aria-hidden="true">/</kbd>
<div id="found" role="listbox" aria-label="Found" hidden></div>
</div>
<a class="reference" href="../docs">API reference</a>
</header>
<p id="announcement" class="visually-hidden" role="status"></p>
<details class="menu" data-from="64rem" open>
<summary>All pages</summary>
<nav aria-label="Pages">
${navigation.map((group) => groupHtml(group.title, group.pages, entry)).join("\n")}
<ul class="besides"><li><a href="../docs">API reference</a></li></ul>
</nav>
</details>
<script src="menu.js"></script>
<main id="content" tabindex="-1">
<article>
${withContents(page)}</article>
${neighbours(entry)}
</main>
</body>
</html>
`;
}

function groupHtml(title: string, group: readonly PageEntry[], current: PageEntry): string {
  const items = group.map(({ slug, label }) => {
    const here = slug === current.slug ? ' aria-current="page"' : "";
    return `<li><a href="${slug}.html"${here}>${escapeHtml(label)}</a></li>`;
  });
  return `<h2>${escapeHtml(title)}</h2>\n<ul>\n${items.join("\n")}\n</ul>`;
}

/** The contents are below the title; on a wide page the style moves them to the side. */
function withContents({ html, headings }: RenderedPage): string {
  const list = contents(headings);
  return html.replace("</h1>\n", () => `</h1>\n${list}`);
}

/** With more headings than this, only those of level 2 are listed; the search finds the others. */
const maxContents = 40;

function contents(headings: readonly Heading[]): string {
  const second = headings.filter(({ depth }) => depth === 2);
  const both = headings.filter(({ depth }) => depth === 2 || depth === 3);
  const shown = both.length > maxContents ? second : both;
  if (shown.length < 2) return "";
  const items = shown.map(
    ({ id, text, depth }) =>
      `<li class="level-${depth}"><a href="#${id}">${escapeHtml(text)}</a></li>`,
  );
  return `<div class="side"><details class="contents" data-from="80rem" open><summary>On this page</summary><nav aria-label="On this page"><ul>\n${items.join("\n")}\n</ul></nav></details><script src="menu.js"></script></div>\n`;
}

function neighbours(entry: PageEntry): string {
  const at = pages.findIndex(({ slug }) => slug === entry.slug);
  const link = (page: PageEntry | undefined, word: string) =>
    page
      ? `<a class="${word.toLowerCase()}" href="${page.slug}.html"><span>${word}</span>${escapeHtml(page.label)}</a>`
      : "";
  const before = at > 0 ? pages[at - 1] : undefined;
  return `<nav class="neighbours" aria-label="Neighbouring pages">${link(before, "Previous")}${link(pages[at + 1], "Next")}</nav>`;
}
