import { readFileSync } from "node:fs";
import path from "node:path";

/**
 * `<!-- include ../README.md#a-short-tour -->` on a line of its own stands for that section of another
 * document. What exists is shown where it helps and kept in one place.
 */
const directive = /^<!-- include ([^\s#]+)#([\w-]+) -->$/gm;

export interface Included {
  readonly text: string;
  /** The documents that were taken from, from the root; their links are relative to themselves. */
  readonly sources: readonly string[];
}

export function withIncludes(root: string, source: string, text: string): Included {
  const sources: string[] = [];
  const whole = text.replace(directive, (_line, file: string, anchor: string) => {
    const from = path.posix.join(path.posix.dirname(source), file);
    const document = readFileSync(path.join(root, from), "utf8");
    const section = sectionOf(document, anchor);
    if (section === null) throw new Error(`${from} has no section ${anchor}`);
    sources.push(from);
    return rebased(section, path.posix.dirname(from), path.posix.dirname(source));
  });
  return { text: whole, sources };
}

/** The section under a heading with that anchor, up to the next heading of its rank or a higher one. */
function sectionOf(document: string, anchor: string): string | null {
  const lines = document.split("\n");
  const headings = headingLines(lines);
  const start = headings.find(({ title }) => anchorOf(title) === anchor);
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

function anchorOf(title: string): string {
  return title
    .toLowerCase()
    .replace(/[^\w\s-]/g, "")
    .trim()
    .replace(/\s/g, "-");
}

/** Relative links as they would be written in the including document. */
function rebased(section: string, from: string, to: string): string {
  return section.replace(/\]\((?!https?:|#|mailto:)([^)\s]+)\)/g, (_whole, href: string) => {
    return `](${path.posix.relative(to, path.posix.join(from, href))})`;
  });
}
