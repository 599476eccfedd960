import { widthOf } from "./paint.ts";

/**
 * Breaks a text at spaces so that each line, with its indent, fits into the width; a longer word has
 * a line of its own. Without a width nothing is broken.
 */
export function wrap(text: string, width: number | null, indent: string): string {
  if (width === null) return indent + text;
  const room = width - indent.length;
  const lines: string[] = [];
  for (const word of text.split(" ")) {
    const last = lines.at(-1);
    if (last !== undefined && widthOf(last) + 1 + widthOf(word) <= room) {
      lines[lines.length - 1] = `${last} ${word}`;
    } else {
      lines.push(word);
    }
  }
  return lines.map((line) => indent + line).join("\n");
}
