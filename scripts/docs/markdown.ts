import { Marked, type Token, type Tokens } from "marked";

export interface Heading {
  readonly depth: number;
  readonly text: string;
  readonly id: string;
}

/** What the search finds: the text under one heading, or a table row that begins with a code. */
export interface Section {
  readonly heading: Heading;
  readonly text: string;
}

export interface RenderedPage {
  readonly title: string;
  readonly html: string;
  readonly headings: readonly Heading[];
  readonly sections: readonly Section[];
}

/** Resolves what a page refers to; returns what to write into the page. */
export interface References {
  readonly link: (href: string) => string;
  /** The address for `src`, or SVG text to put into the page itself. */
  readonly image: (href: string) => { readonly src: string } | { readonly svg: string };
}

export function renderMarkdown(text: string, references: References): RenderedPage {
  const headings: Heading[] = [];
  const slug = createSlugger();
  const marked = new Marked({ gfm: true });
  const tokens = marked.lexer(text);
  // Anchors are assigned in the order of the text, before rendering, and found by token then.
  const anchors = new Map<Token, Heading>();
  for (const token of tokens) {
    if (token.type !== "heading") continue;
    const plain = plainText(token.tokens ?? []);
    const heading = { depth: Number(token["depth"]), text: plain, id: slug(plain) };
    anchors.set(token, heading);
    headings.push(heading);
  }
  const rows = codeRows(tokens, slug);
  marked.use({ renderer: rendererFor(anchors, rows, references) });
  const title = headings.find(({ depth }) => depth === 1)?.text;
  if (title === undefined) throw new Error("the page has no title");
  return {
    title,
    html: marked.parser(tokens),
    headings,
    sections: splitSections(tokens, anchors, rows),
  };
}

function isTable(token: Token): token is Tokens.Table {
  return token.type === "table";
}

/** Rows that begin with a code or a variable. People search for these, so each has an anchor. */
function codeRows(
  tokens: readonly Token[],
  slug: (text: string) => string,
): ReadonlyMap<Row, Heading> {
  const found = new Map<Row, Heading>();
  for (const row of tokens.filter(isTable).flatMap((table) => table.rows)) {
    const [first, ...more] = row[0]?.tokens ?? [];
    if (first?.type !== "codespan" || more.length > 0) continue;
    const text = plainText([first]);
    if (/^[A-Za-z][\w.]+$/.test(text)) found.set(row, { depth: 4, text, id: slug(text) });
  }
  return found;
}

function rendererFor(
  anchors: ReadonlyMap<Token, Heading>,
  rows: ReadonlyMap<Row, Heading>,
  references: References,
) {
  return {
    heading(this: InlineRenderer, token: Tokens.Heading): string {
      const inner = this.parser.parseInline(token.tokens);
      const heading = anchors.get(token);
      if (!heading) return `<h${token.depth}>${inner}</h${token.depth}>\n`;
      const { id, text: name } = heading;
      if (token.depth === 1) return `<h1 id="${id}">${inner}</h1>\n`;
      const anchor = `<a class="anchor" href="#${id}" aria-label="Link to ${escapeHtml(name)}">#</a>`;
      return `<h${token.depth} id="${id}">${inner} ${anchor}</h${token.depth}>\n`;
    },
    link(this: InlineRenderer, token: Tokens.Link): string {
      const inner = this.parser.parseInline(token.tokens);
      return `<a href="${escapeHtml(references.link(token.href))}">${inner}</a>`;
    },
    image({ href, text: alt }: Tokens.Image): string {
      const image = references.image(href);
      if ("svg" in image) return `<figure tabindex="0">${image.svg}</figure>`;
      return `<img src="${escapeHtml(image.src)}" alt="${escapeHtml(alt)}" loading="lazy">`;
    },
    // A figure inside a paragraph is invalid HTML.
    paragraph(this: InlineRenderer, { tokens }: Tokens.Paragraph): string {
      const inner = this.parser.parseInline(tokens);
      return tokens.length === 1 && tokens[0]?.type === "image"
        ? `${inner}\n`
        : `<p>${inner}</p>\n`;
    },
    code({ text: code, lang }: Tokens.Code): string {
      const [, name, tab] = /^(\w+)(?: tab=([\w.]+))?$/.exec(lang ?? "") ?? [];
      const language = name === undefined ? "" : ` data-language="${name}"`;
      const choice = tab === undefined ? "" : ` data-tab="${tab}"`;
      return `<div class="code"${language}${choice}><pre tabindex="0"><code>${escapeHtml(code)}\n</code></pre></div>\n`;
    },
    table(this: InlineRenderer, token: Tokens.Table): string {
      return tableHtml(token, rows, (tokens) => this.parser.parseInline(tokens));
    },
    // The policy of the pages forbids inline script and style, so only comments are accepted.
    html({ text: raw }: Tokens.HTML | Tokens.Tag): string {
      if (/^\s*(?:<!--[\s\S]*?-->\s*)+$/.test(raw)) return "";
      throw new Error(`HTML in a page: ${raw.trim().slice(0, 60)}`);
    },
  };
}

interface InlineRenderer {
  readonly parser: { parseInline(tokens: Token[]): string };
}

function splitSections(
  tokens: readonly Token[],
  anchors: ReadonlyMap<Token, Heading>,
  rows: ReadonlyMap<Row, Heading>,
): readonly Section[] {
  const sections: { heading: Heading; parts: string[] }[] = [];
  for (const token of tokens) {
    const heading = anchors.get(token);
    if (heading) sections.push({ heading, parts: [] });
    else sections.at(-1)?.parts.push(plainText([withoutRows(token, rows)]));
  }
  const ofRows = [...rows].map(([row, heading]) => ({
    heading,
    parts: row.slice(1).map((cell) => plainText(cell.tokens)),
  }));
  return [...sections, ...ofRows].map(({ heading, parts }) => ({
    heading,
    text: parts.join(" ").replace(/\s+/g, " ").trim(),
  }));
}

/** Without the rows that the search finds on their own. */
function withoutRows(token: Token, rows: ReadonlyMap<Row, Heading>): Token {
  return isTable(token) ? { ...token, rows: token.rows.filter((row) => !rows.has(row)) } : token;
}

type Row = readonly Tokens.TableCell[];

/**
 * A table that fits a phone. With more than two columns and long cells it becomes a list of its
 * rows there, for which every cell carries the name of its column; other tables scroll.
 */
function tableHtml(
  { header, rows }: Tokens.Table,
  anchors: ReadonlyMap<Row, { readonly id: string }>,
  inline: (tokens: Token[]) => string,
): string {
  const isLong = header.map((_cell, column) =>
    rows.some((row) => plainText(row[column]?.tokens ?? []).length > 36),
  );
  const size = (column: number) => (isLong[column] ? ' class="long"' : "");
  const names = header.map(({ tokens }) => escapeHtml(plainText(tokens)));
  const head = header.map(
    ({ tokens }, column) => `<th scope="col"${size(column)}>${inline(tokens)}</th>`,
  );
  const body = rows.map((row) => {
    const anchor = anchors.get(row);
    const cells = row.map(
      ({ tokens }, column) =>
        `<td${size(column)} data-column="${names[column] ?? ""}">${inline(tokens)}</td>`,
    );
    return `<tr${anchor ? ` id="${anchor.id}"` : ""}>${cells.join("")}</tr>`;
  });
  const isList = header.length > 2 && isLong.includes(true);
  const kind = isList ? "table list" : "table";
  return `<div class="${kind}" tabindex="0" role="group" aria-label="Table"><table>\n<thead><tr>${head.join("")}</tr></thead>\n<tbody>${body.join("\n")}</tbody>\n</table></div>\n`;
}

const escapes: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
};

export function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (sign) => escapes[sign] ?? sign);
}

/** The text without its markup. */
function plainText(tokens: readonly Token[]): string {
  return tokens.map(tokenText).join("");
}

function tokenText(token: Token): string {
  switch (token.type) {
    case "html":
      return "";
    case "table": {
      const rows = [token["header"], ...token["rows"]] as readonly (readonly Tokens.TableCell[])[];
      return rows.flatMap((row) => row.map((cell) => `${plainText(cell.tokens)} `)).join("");
    }
    case "list":
      return (token["items"] as readonly Token[]).map((item) => `${tokenText(item)} `).join("");
    default: {
      const inner: unknown = "tokens" in token ? token["tokens"] : null;
      if (Array.isArray(inner)) return `${plainText(inner)}${isBlock(token) ? " " : ""}`;
      return "text" in token ? withoutEntities(String(token["text"])) : "";
    }
  }
}

function isBlock(token: Token): boolean {
  return token.type === "paragraph" || token.type === "list_item" || token.type === "blockquote";
}

/** marked's lexer does not decode entities in inline text. */
function withoutEntities(text: string): string {
  return text.replace(/&(amp|lt|gt|quot|#39);/g, (entity) => {
    const found = Object.entries(escapes).find(([, escaped]) => escaped === entity);
    return found?.[0] ?? entity;
  });
}

/** Anchors as code hosts generate them, so that a link works in the repository and on the page. */
function createSlugger(): (text: string) => string {
  const taken = new Map<string, number>();
  return (text) => {
    const base = slugify(text);
    const before = taken.get(base);
    taken.set(base, (before ?? 0) + 1);
    return before === undefined ? base : `${base}-${before}`;
  };
}

export function slugify(text: string): string {
  return text
    .trim()
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\p{M}\s_-]/gu, "")
    .replace(/\s/g, "-");
}
