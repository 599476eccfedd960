import type { Heading, RenderedPage } from "./markdown.ts";
import { navigation, type PageEntry, pages } from "./navigation.ts";
import { escapeHtml } from "./plain-text.ts";

const icon =
  "data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 16 16'%3E%3Cpath d='M8 5v9M4 7h8M2 10c0 3 3 4 6 4s6-1 6-4' fill='none' stroke='%230b7285' stroke-width='2'/%3E%3Ccircle cx='8' cy='3' r='2' fill='none' stroke='%230b7285' stroke-width='2'/%3E%3C/svg%3E";

/** A whole page. Script and style are files, so that the strictest policy lets it work. */
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
<p id="told" class="visually-hidden" role="status"></p>
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

/** Below the title: where it stands on a phone, and from where a wide page takes it to the side. */
function withContents({ html, headings }: RenderedPage): string {
  const list = contents(headings);
  return html.replace("</h1>\n", () => `</h1>\n${list}`);
}

/** Long lists of third rank, such as one heading for each provider, are left to the search. */
const longest = 40;

function contents(headings: readonly Heading[]): string {
  const second = headings.filter(({ depth }) => depth === 2);
  const both = headings.filter(({ depth }) => depth === 2 || depth === 3);
  const shown = both.length > longest ? second : both;
  if (shown.length < 2) return "";
  const items = shown.map(
    ({ id, text, depth }) =>
      `<li class="rank-${depth}"><a href="#${id}">${escapeHtml(text)}</a></li>`,
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
  return `<nav class="neighbours" aria-label="Neighbouring pages">${link(before, "Before")}${link(pages[at + 1], "Next")}</nav>`;
}
