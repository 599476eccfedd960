import { type Fields, parseFields } from "../fields.ts";

export type BodyFraming = "chunked" | "close" | number;

const maxChunkLine = 1_024;
/** Of all chunk extensions of a body together: they carry nothing. */
const maxExtensionBytes = 16_384;
const maxTrailerBytes = 16_384;
const maxTrailerFields = 256;
const lf = 10;

type Part = "size" | "data" | "data-end" | "trailers";

/**
 * Decodes the framing of a body (RFC 9112 §6, §7) incrementally. Chunk extensions are dropped;
 * those of a client must be well-formed, because servers disagree on where a malformed line ends.
 */
export class BodyDecoder {
  isDone = false;
  trailers: Fields = [];
  readonly #sender: "client" | "origin";
  readonly #framing: BodyFraming;
  #left: number;
  #part: Part = "size";
  #line = "";
  #trailerLines: string[] = [];
  #trailerBytes = 0;
  #extensionBytes = 0;

  constructor(framing: BodyFraming, sender: "client" | "origin") {
    this.#framing = framing;
    this.#sender = sender;
    this.#left = typeof framing === "number" ? framing : 0;
    this.isDone = framing === 0;
  }

  /**
   * Passes the content in `bytes` to `onData`, in one call at most, and returns how many bytes
   * belong to this body; -1 when they are malformed. Bytes after the end are not read.
   */
  feed(bytes: Buffer, onData: (data: Buffer) => void): number {
    if (this.#framing === "chunked") return this.#feedChunked(bytes, onData);
    if (this.#framing === "close") {
      onData(bytes);
      return bytes.length;
    }
    const taken = Math.min(this.#left, bytes.length);
    this.#left -= taken;
    this.isDone = this.#left === 0;
    if (taken > 0) onData(taken === bytes.length ? bytes : bytes.subarray(0, taken));
    return taken;
  }

  #feedChunked(bytes: Buffer, onData: (data: Buffer) => void): number {
    const pieces: Buffer[] = [];
    let at = 0;
    while (at < bytes.length && !this.isDone) {
      if (this.#part === "data") {
        const piece = this.#takeData(bytes, at);
        pieces.push(piece);
        at += piece.length;
      } else {
        at = this.#takeLineBytes(bytes, at);
        if (at === -1) return -1;
      }
    }
    const first = pieces[0];
    if (first !== undefined) onData(pieces.length === 1 ? first : Buffer.concat(pieces));
    return at;
  }

  #takeData(bytes: Buffer, at: number): Buffer {
    const piece = bytes.subarray(at, at + this.#left);
    this.#left -= piece.length;
    if (this.#left === 0) this.#part = "data-end";
    return piece;
  }

  #takeLineBytes(bytes: Buffer, at: number): number {
    const end = bytes.indexOf(lf, at);
    const stop = end === -1 ? bytes.length : end + 1;
    this.#line += bytes.toString("latin1", at, stop);
    if (this.#line.length > this.#maxLine()) return -1;
    return end === -1 || this.#takeLine() ? stop : -1;
  }

  #maxLine(): number {
    if (this.#part === "trailers") return maxTrailerBytes - this.#trailerBytes;
    return this.#part === "data-end" ? 2 : maxChunkLine;
  }

  #takeLine(): boolean {
    const raw = this.#line;
    this.#line = "";
    if (!raw.endsWith("\r\n")) return false;
    const line = raw.slice(0, -2);
    if (this.#part === "data-end") {
      this.#part = "size";
      return line === "";
    }
    return this.#part === "size" ? this.#takeSize(line) : this.#takeTrailer(line);
  }

  #takeSize(line: string): boolean {
    const shape = this.#sender === "client" ? clientChunkLine : originChunkLine;
    const digits = shape.exec(line)?.[1];
    if (digits === undefined) return false;
    this.#extensionBytes += line.length - digits.length;
    if (this.#extensionBytes > maxExtensionBytes) return false;
    this.#left = Number.parseInt(digits, 16);
    this.#part = this.#left === 0 ? "trailers" : "data";
    return true;
  }

  #takeTrailer(line: string): boolean {
    if (line !== "") {
      this.#trailerBytes += line.length;
      this.#trailerLines.push(line);
      return this.#trailerLines.length <= maxTrailerFields;
    }
    const fields = parseTrailers(this.#trailerLines);
    if (fields === null) return false;
    this.trailers = fields;
    this.isDone = true;
    return true;
  }
}

function parseTrailers(lines: readonly string[]): Fields | null {
  if (lines.length === 0) return [];
  const text = lines.join("\r\n");
  return parseFields({ bytes: Buffer.from(text, "latin1"), text, at: 0 }, 0, text.length);
}

/** RFC 9112 §7.1.1: `;name`, `;name=token` or `;name="text"`, with blanks around the marks. */
const clientChunkLine =
  /^([0-9A-Fa-f]{1,8})(?:[\t ]*;[\t ]*[!#$%&'*+.^_`|~0-9A-Za-z-]+(?:[\t ]*=[\t ]*(?:[!#$%&'*+.^_`|~0-9A-Za-z-]+|"(?:[\t\x20\x21\x23-\x5b\x5d-\x7e\x80-\xff]|\\[\t\x20-\x7e\x80-\xff])*"))?)*$/;
const originChunkLine = /^([0-9A-Fa-f]{1,8})[\t ]*(?:;[\t\x20-\x7e\x80-\xff]*)?$/;
