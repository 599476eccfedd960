/** RFC 1035 §3.3: a character-string carries at most 255 octets. */
const MAX_STRING_BYTES = 255;

/** The character-strings that a TXT text is sent as; an empty text is one empty string. */
export function splitTxt(text: string): readonly Buffer[] {
  const bytes = Buffer.from(text, "utf8");
  const strings: Buffer[] = [];
  for (let at = 0; at === 0 || at < bytes.length; at += MAX_STRING_BYTES) {
    strings.push(bytes.subarray(at, at + MAX_STRING_BYTES));
  }
  return strings;
}

/** The text that character-strings make together (RFC 7208 §3.3: no separator is put between). */
export function joinTxt(strings: readonly Uint8Array[]): string {
  return Buffer.concat(strings).toString("utf8");
}

/** Zone-file presentation: quoted strings of at most 255 octets, other octets as \DDD. */
export function quoteTxt(text: string): string {
  return splitTxt(text)
    .map((bytes) => `"${Array.from(bytes, quoteByte).join("")}"`)
    .join(" ");
}

function quoteByte(byte: number): string {
  if (byte === 0x22 || byte === 0x5c) return `\\${String.fromCharCode(byte)}`;
  if (byte >= 0x20 && byte <= 0x7e) return String.fromCharCode(byte);
  return `\\${String(byte).padStart(3, "0")}`;
}

/**
 * Reads zone-file presentation back: quoted or bare strings with spaces between, \DDD and \X
 * escapes (RFC 1035 §5.1). Null when the quoting is broken.
 */
export function unquoteTxt(presentation: string): string | null {
  const strings: Buffer[] = [];
  const token = /[ \t]*(?:"((?:[^"\\]|\\[\s\S])*)"|((?:[^\s"\\]|\\[\s\S])+))(?=[ \t]|$)/y;
  const text = presentation.replace(/[ \t]+$/, "");
  while (token.lastIndex < text.length) {
    const found = token.exec(text);
    const bytes = found === null ? null : unescapeText(found[1] ?? found[2] ?? "");
    if (bytes === null) return null;
    strings.push(bytes);
  }
  return strings.length === 0 ? null : joinTxt(strings);
}

function unescapeText(text: string): Buffer | null {
  const parts: Buffer[] = [];
  for (const [piece] of text.matchAll(/\\\d{3}|\\[\s\S]|[^\\]+/g)) {
    const isCode = /^\\\d{3}$/.test(piece);
    if (isCode && Number(piece.slice(1)) > 255) return null;
    if (!isCode && /^\\\d/.test(piece)) return null;
    const literal = piece.startsWith("\\") ? piece.slice(1) : piece;
    parts.push(isCode ? Buffer.from([Number(piece.slice(1))]) : Buffer.from(literal, "utf8"));
  }
  return Buffer.concat(parts);
}
