import { stripVTControlCharacters } from "node:util";

/** SGR parameters (ECMA-48 §8.3.117) of the few styles that output uses. */
const styles = { bold: 1, dim: 2, red: 31, green: 32, yellow: 33, cyan: 36 } as const;
export type Style = keyof typeof styles;

const esc = "\u001b";

export function paint(style: Style, text: string): string {
  return `${esc}[${styles[style]}m${text}${esc}[0m`;
}

const ownStyle = /^\[(?:0|1|2|31|32|33|36)m/;
/** Characters that reorder the text on screen: U+202A to U+202E and U+2066 to U+2069. */
const directions = /[\u202A-\u202E\u2066-\u2069]/gu;

/**
 * Text that is safe to write to a terminal. Customers and DNS servers wrote parts of it, so control
 * characters are replaced; only our own colours pass, and only where `hasColour` is set.
 */
export function safeText(text: string, hasColour: boolean): string {
  const [first = "", ...rest] = text.split(esc);
  const parts = rest.map((part) => {
    const style = ownStyle.exec(part)?.[0];
    if (style === undefined) return `\uFFFD${plain(part)}`;
    return `${hasColour ? esc + style : ""}${plain(part.slice(style.length))}`;
  });
  return plain(first) + parts.join("");
}

function plain(text: string): string {
  return text
    .replaceAll(directions, "\uFFFD")
    .replaceAll(/\p{Cc}/gu, (one) => (one === "\n" ? one : "\uFFFD"));
}

/** How many terminal columns a text takes; colours take none. */
export function shownWidth(text: string): number {
  let width = 0;
  for (const { segment } of graphemes.segment(stripVTControlCharacters(text))) {
    width += wide.test(segment) ? 2 : 1;
  }
  return width;
}

const graphemes = new Intl.Segmenter("en", { granularity: "grapheme" });
const wide =
  /\p{Script=Han}|\p{Script=Hiragana}|\p{Script=Katakana}|\p{Script=Hangul}|\p{Emoji_Presentation}/u;

/** Cuts a text to this many columns, with an ellipsis at the end; a cut text loses its colours. */
export function shorten(text: string, width: number): string {
  if (shownWidth(text) <= width) return text;
  let shown = "";
  let left = width - 1;
  for (const { segment } of graphemes.segment(stripVTControlCharacters(text))) {
    left -= wide.test(segment) ? 2 : 1;
    if (left < 0) break;
    shown += segment;
  }
  return `${shown}…`;
}

/**
 * Breaks a text at spaces so that each line, with its indent, fits into the width. A longer word
 * gets a separate line. Without a width nothing is broken.
 */
export function wrap(text: string, width: number | null, indent: string): string {
  if (width === null) return indent + text;
  const available = width - indent.length;
  const lines: string[] = [];
  for (const word of text.split(" ")) {
    const last = lines.at(-1);
    if (last !== undefined && shownWidth(last) + 1 + shownWidth(word) <= available) {
      lines[lines.length - 1] = `${last} ${word}`;
    } else {
      lines.push(word);
    }
  }
  return lines.map((line) => indent + line).join("\n");
}
