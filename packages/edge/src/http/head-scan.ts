import { headEndIn } from "./head-end.ts";

/**
 * The reads in which a head may arrive. A client that writes each name, mark and value of 256
 * fields by itself needs as many; one byte at a time, no head of more than 1 KB passes.
 */
const maxPieces = 1_024;

const cr = 13;
const lf = 10;

/** Searches the end of a head that arrives in pieces; each byte is read once. */
export class HeadScan {
  #end = 0;
  #lines = 0;
  #pieces = 0;

  /** For the next head. */
  reset(): void {
    this.#end = 0;
    this.#lines = 0;
    this.#pieces = 0;
  }

  /** Called again with the same bytes and what followed; the empty line, or -1 without one. */
  find(bytes: Buffer, start: number): number {
    const end = headEndIn(bytes, Math.max(start, this.#end - 3));
    if (end !== -1) return end;
    this.#end = bytes.length;
    this.#pieces += 1;
    return -1;
  }

  /** Whether the head arrives in so many pieces that reading it costs more than serving it. */
  get isShattered(): boolean {
    return this.#pieces > maxPieces;
  }

  /** Whether there is a line feed without its carriage return. */
  hasBareLineEnd(bytes: Buffer): boolean {
    for (let at = this.#lines; at < bytes.length; at += 1) {
      if (bytes[at] === lf && bytes[at - 1] !== cr) return true;
    }
    this.#lines = bytes.length;
    return false;
  }
}

const leastBytes = 1_024;

/**
 * Joins the reads of a connection in one buffer that doubles, so that the cost is that of the
 * bytes, in however many reads they come.
 */
export class JoinedReads {
  #buffer: Buffer | null = null;
  #end = 0;

  /** The bytes that are left of the reads before, and what has arrived; null are none. */
  join(rest: Buffer | null, chunk: Buffer): Buffer {
    if (rest === null) {
      this.#buffer = null;
      return chunk;
    }
    const length = rest.length + chunk.length;
    let buffer = this.#buffer;
    if (buffer === null || rest.buffer !== buffer.buffer || !this.#hasRoom(buffer, chunk.length)) {
      buffer = Buffer.allocUnsafeSlow(Math.max(leastBytes, 2 * length));
      rest.copy(buffer);
      this.#buffer = buffer;
      this.#end = rest.length;
    }
    chunk.copy(buffer, this.#end);
    this.#end += chunk.length;
    return buffer.subarray(this.#end - length, this.#end);
  }

  /** Nothing is left of the bytes. */
  release(): void {
    this.#buffer = null;
  }

  #hasRoom(buffer: Buffer, bytes: number): boolean {
    return this.#end + bytes <= buffer.length;
  }
}
