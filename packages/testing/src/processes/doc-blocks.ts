import { readFile } from "node:fs/promises";
import path from "node:path";

const root = path.resolve(import.meta.dirname, "../../../..");

/** A code block of a document, with what the document says about running it. */
export interface DocBlock {
  readonly line: number;
  readonly language: string;
  readonly text: string;
  /** The file that runs it, or the reason why none does; null where the document says neither. */
  readonly mark: { readonly runBy: string } | { readonly notRun: string } | null;
}

/** A heading, a mark, or a whole block with its indentation. */
const parts =
  /^(#+ .*)$|^ *<!-- (?:run by (\S+)|not run: (.+)) -->$|^( *)```(\w*).*\n([\s\S]*?)^ *```$/gm;

/**
 * The blocks of a document. `<!-- run by FILE -->` and `<!-- not run: REASON -->` hold for the
 * blocks after them, up to the next such line or heading.
 */
export function parseDocBlocks(document: string): readonly DocBlock[] {
  const blocks: DocBlock[] = [];
  let mark: DocBlock["mark"] = null;
  for (const found of document.matchAll(parts)) {
    const [, heading, runBy, notRun, indent = "", language = "", text = ""] = found;
    if (heading !== undefined) mark = null;
    else if (runBy !== undefined) mark = { runBy };
    else if (notRun !== undefined) mark = { notRun };
    else {
      const line = document.slice(0, found.index).split("\n").length;
      blocks.push({ line, language, text: text.replaceAll(`\n${indent}`, "\n").trimStart(), mark });
    }
  }
  return blocks;
}

/** The blocks of a document of the repository that say that this file runs them. */
export async function readMarkedBlocks(
  document: string,
  file: string,
): Promise<readonly DocBlock[]> {
  const text = await readFile(path.join(root, document), "utf8");
  return parseDocBlocks(text).filter(
    ({ mark }) => mark !== null && "runBy" in mark && mark.runBy === file,
  );
}

/** The code blocks of one section of a page in `docs`, without those of other sections. */
export async function readDocBlocks(
  page: string,
  heading: string,
  language: string,
): Promise<readonly string[]> {
  const text = await readFile(path.join(root, "docs", page), "utf8");
  const start = text.indexOf(`\n${heading}\n`);
  if (start < 0) throw new Error(`docs/${page} has no section ${heading}`);
  const rest = text.slice(start + heading.length + 2);
  const section = rest.slice(0, /^#{1,3} /m.exec(rest)?.index ?? rest.length);
  return parseDocBlocks(section)
    .filter((block) => block.language === language)
    .map((block) => block.text);
}
