import { type Fields, parseFields } from "../fields.ts";

export type BodyFraming = "chunked" | "close" | number;

const maxChunkLine = 1_024;
/** Of all chunk extensions of a body together: they carry nothing. */
const maxExtensionBytes = 16_384;
const maxTrailerBytes = 16_384;
const maxTrailerFields = 256;
const maxSizeDigits = 8;
const lf = 10;
const cr = 13;
/** Shorter pieces are moved byte by byte: a call of `copyWithin` costs more. */
const shortPiece = 24;

/** The value of a hexadecimal digit by its code; -1 for others. */
const hexValues = Int8Array.from({ length: 256 }, (_, code) =>
  "0123456789abcdef".indexOf(String.fromCharCode(code).toLowerCase()),
);

/** Where in the framing the next byte is. */
type Part = "size" | "size-end" | "extension" | "data" | "data-end" | "trailers";

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
  #digits = 0;
  /** The carriage return after the data of a chunk has been read. */
  #hasReturn = false;
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
   * belong to this body; -1 when they are malformed. Bytes after the end are not read. The content
   * of several chunks is joined inside `bytes`, which must be the caller's own.
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
    let at = 0;
    let start = -1;
    let end = 0;
    while (at < bytes.length && !this.isDone) {
      if (this.#part !== "data") {
        at = this.#takeFraming(bytes, at);
        if (at === -1) return -1;
        continue;
      }
      const stop = Math.min(at + this.#left, bytes.length);
      if (start === -1) start = end = at;
      end = movePiece(bytes, end, at, stop);
      this.#countData(stop - at);
      at = stop;
    }
    if (start !== -1) onData(bytes.subarray(start, end));
    return at;
  }

  #countData(size: number): void {
    this.#left -= size;
    if (this.#left === 0) this.#part = "data-end";
  }

  /** Reads one part of the framing; returns where the next one begins, or -1. */
  #takeFraming(bytes: Buffer, at: number): number {
    switch (this.#part) {
      case "size":
        return this.#takeSize(bytes, at);
      case "size-end":
        return bytes[at] === lf && this.#startChunk() ? at + 1 : -1;
      case "data-end":
        return this.#takeDataEnd(bytes, at);
      default:
        return this.#takeLineBytes(bytes, at);
    }
  }

  #takeSize(bytes: Buffer, from: number): number {
    for (let at = from; at < bytes.length; at += 1) {
      const value = hexValues[bytes[at] ?? 0] ?? -1;
      if (value === -1) return this.#endSize(bytes, at);
      this.#digits += 1;
      if (this.#digits > maxSizeDigits) return -1;
      this.#left = this.#left * 16 + value;
    }
    return bytes.length;
  }

  /** What follows the digits is the end of the line, or an extension. */
  #endSize(bytes: Buffer, at: number): number {
    if (this.#digits === 0) return -1;
    const isEnd = bytes[at] === cr;
    this.#part = isEnd ? "size-end" : "extension";
    return isEnd ? at + 1 : at;
  }

  /** The line of the size has ended. */
  #startChunk(): true {
    this.#digits = 0;
    this.#part = this.#left === 0 ? "trailers" : "data";
    return true;
  }

  #takeDataEnd(bytes: Buffer, from: number): number {
    let at = from;
    if (!this.#hasReturn) {
      if (bytes[at] !== cr) return -1;
      this.#hasReturn = true;
      at += 1;
      if (at === bytes.length) return at;
    }
    if (bytes[at] !== lf) return -1;
    this.#hasReturn = false;
    this.#part = "size";
    return at + 1;
  }

  #takeLineBytes(bytes: Buffer, at: number): number {
    const end = bytes.indexOf(lf, at);
    const stop = end === -1 ? bytes.length : end + 1;
    this.#line += bytes.toString("latin1", at, stop);
    if (this.#line.length > this.#maxLine()) return -1;
    return end === -1 || this.#takeLine() ? stop : -1;
  }

  #maxLine(): number {
    return this.#part === "trailers" ? maxTrailerBytes - this.#trailerBytes : maxChunkLine;
  }

  #takeLine(): boolean {
    const raw = this.#line;
    this.#line = "";
    if (!raw.endsWith("\r\n")) return false;
    const line = raw.slice(0, -2);
    return this.#part === "extension" ? this.#takeExtension(line) : this.#takeTrailer(line);
  }

  #takeExtension(line: string): boolean {
    const shape = this.#sender === "client" ? clientExtensions : originExtensions;
    if (!shape.test(line)) return false;
    this.#extensionBytes += line.length;
    return this.#extensionBytes <= maxExtensionBytes && this.#startChunk();
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

/** Moves bytes towards the beginning of the buffer, to `to`; returns where they end then. */
function movePiece(bytes: Buffer, to: number, from: number, stop: number): number {
  if (to === from) return stop;
  const size = stop - from;
  if (size > shortPiece) bytes.copyWithin(to, from, stop);
  else for (let index = 0; index < size; index += 1) bytes[to + index] = bytes[from + index] ?? 0;
  return to + size;
}

function parseTrailers(lines: readonly string[]): Fields | null {
  if (lines.length === 0) return [];
  const text = lines.join("\r\n");
  return parseFields({ bytes: Buffer.from(text, "latin1"), text, at: 0 }, 0, text.length);
}

/** RFC 9112 §7.1.1: `;name`, `;name=token` or `;name="text"`, with blanks around the marks. */
const clientExtensions =
  /^(?:[\t ]*;[\t ]*[!#$%&'*+.^_`|~0-9A-Za-z-]+(?:[\t ]*=[\t ]*(?:[!#$%&'*+.^_`|~0-9A-Za-z-]+|"(?:[\t\x20\x21\x23-\x5b\x5d-\x7e\x80-\xff]|\\[\t\x20-\x7e\x80-\xff])*"))?)*$/;
const originExtensions = /^[\t ]*(?:;[\t\x20-\x7e\x80-\xff]*)?$/;
