import { Marked, type Token, type Tokens } from "marked";
import { escapeHtml, plainText } from "./plain-text.ts";
import { createSlugger } from "./slug.ts";
import { type Row, tableHtml } from "./table.ts";

export interface Heading {
  readonly depth: number;
  readonly text: string;
  readonly id: string;
}

/** A piece of a page under one heading, for the search; or a row of a table that begins with a code. */
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

/** What a page refers to; each gives what to write, or throws what is wrong. */
export interface References {
  readonly link: (href: string) => string;
  /** A picture: an address for `src`, or SVG text to stand in the page itself. */
  readonly image: (href: string) => { readonly src: string } | { readonly svg: string };
}

export function renderMarkdown(text: string, references: References): RenderedPage {
  const headings: Heading[] = [];
  const slug = createSlugger();
  const marked = new Marked({ gfm: true });
  const tokens = marked.lexer(text);
  // Anchors are given in the order of the text, once, and found again by token when it is written.
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
    sections: sectionsOf(tokens, anchors, rows),
  };
}

function isTable(token: Token): token is Tokens.Table {
  return token.type === "table";
}

/** Rows that begin with a code or a variable: people look for exactly these, so each has an anchor. */
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
    // A picture is a block of its own, which no paragraph may hold.
    paragraph(this: InlineRenderer, { tokens }: Tokens.Paragraph): string {
      const inner = this.parser.parseInline(tokens);
      return tokens.length === 1 && tokens[0]?.type === "image"
        ? `${inner}\n`
        : `<p>${inner}</p>\n`;
    },
    code({ text: code, lang }: Tokens.Code): string {
      const name = /^\w+$/.test(lang ?? "") ? ` data-language="${lang}"` : "";
      return `<div class="code"${name}><pre tabindex="0"><code>${escapeHtml(code)}\n</code></pre></div>\n`;
    },
    table(this: InlineRenderer, token: Tokens.Table): string {
      return tableHtml(token, rows, (tokens) => this.parser.parseInline(tokens));
    },
    // The pages run under a policy without inline script or style; a comment is all that is let through.
    html({ text: raw }: Tokens.HTML | Tokens.Tag): string {
      if (/^\s*(?:<!--[\s\S]*?-->\s*)+$/.test(raw)) return "";
      throw new Error(`HTML in a page: ${raw.trim().slice(0, 60)}`);
    },
  };
}

interface InlineRenderer {
  readonly parser: { parseInline(tokens: Token[]): string };
}

function sectionsOf(
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

/** Rows that are found by themselves need not be found in their section as well. */
function withoutRows(token: Token, rows: ReadonlyMap<Row, Heading>): Token {
  return isTable(token) ? { ...token, rows: token.rows.filter((row) => !rows.has(row)) } : token;
}
