import { readFile } from "node:fs/promises";
import path from "node:path";

const root = path.resolve(import.meta.dirname, "../../../..");

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
  const blocks = [...section.matchAll(/^```(\w+)\n([\s\S]*?)^```/gm)];
  return blocks.filter(([, name]) => name === language).map(([, , block]) => block ?? "");
}
