/** Reads primitives out of one DNS message; every method throws MalformedMessage past the end. */
export class MalformedMessage extends Error {
  override name = "MalformedMessage";
}

/** A compressed name needs fewer jumps than it can have labels. */
const maxPointers = 127;
const maxNameOctets = 255;
const headerBytes = 12;

/** A name already decoded at an offset, so pointers to it need no decoding. */
export interface KnownName {
  readonly offset: number;
  readonly name: string;
}

/** Reads `message` from `start` up to `end`; names may point back to anywhere before them. */
export function createReader(
  message: Buffer,
  start: number,
  end: number,
  known: KnownName | null = null,
): Reader {
  return new Reader(message, start, end, known);
}

/** A class, not closures: one is created for every record that arrives. */
export class Reader {
  readonly #message: Buffer;
  readonly #end: number;
  readonly #known: KnownName | null;
  #at: number;

  constructor(message: Buffer, start: number, end: number, known: KnownName | null) {
    this.#message = message;
    this.#at = start;
    this.#end = end;
    this.#known = known;
  }

  offset(): number {
    return this.#at;
  }

  isAtEnd(): boolean {
    return this.#at === this.#end;
  }

  u8(): number {
    return this.#message.readUInt8(this.#take(1));
  }

  u16(): number {
    return this.#message.readUInt16BE(this.#take(2));
  }

  u32(): number {
    return this.#message.readUInt32BE(this.#take(4));
  }

  bytes(length: number): Buffer {
    return this.#message.subarray(this.#take(length), this.#at);
  }

  skip(length: number): void {
    this.#take(length);
  }

  /** Lower-case text without trailing dot, "." for the root; odd octets are escaped as \DDD. */
  name(): string {
    const [message, at] = [this.#message, this.#at];
    const known = this.#known;
    // Most answers name their owner by a pointer to the question.
    if (
      known !== null &&
      at + 2 <= this.#end &&
      message.readUInt16BE(at) === (0xc000 | known.offset)
    ) {
      this.#at += 2;
      return known.name;
    }
    const read = readName(message, at, this.#end);
    this.#at = read.next;
    return read.name;
  }

  #take(length: number): number {
    if (this.#at + length > this.#end) throw new MalformedMessage("field runs past the end");
    this.#at += length;
    return this.#at - length;
  }
}

function readName(message: Buffer, start: number, end: number): { name: string; next: number } {
  const labels: string[] = [];
  let [at, limit, octets] = [start, end, 1];
  let next: number | null = null;
  for (let pointers = 0; pointers <= maxPointers; ) {
    const part = readPart(message, at, limit);
    if (part === 0) {
      return { name: labels.join(".") || ".", next: next ?? at + 1 };
    }
    if (part < 0) {
      next ??= at + 2;
      // Nothing at or after the pointer may be read again, which also rules out loops.
      limit = at;
      at = -part;
      pointers += 1;
    } else {
      octets += part + 1;
      if (octets > maxNameOctets) throw new MalformedMessage("name too long");
      labels.push(labelText(message, at + 1, at + 1 + part));
      at += part + 1;
    }
  }
  throw new MalformedMessage("too many pointers");
}

/**
 * One step through a name: a label's length, minus the offset a pointer leads to, or 0 at the root.
 */
function readPart(message: Buffer, at: number, limit: number): number {
  if (at >= limit) throw new MalformedMessage("name runs past the end");
  const length = message.readUInt8(at);
  if (length < 0xc0) {
    if (length > 63 || at + 1 + length > limit) throw new MalformedMessage("bad label");
    return length;
  }
  if (at + 2 > limit) throw new MalformedMessage("pointer runs past the end");
  const target = message.readUInt16BE(at) & 0x3fff;
  // RFC 1035 §4.1.4: a pointer leads to a prior occurrence.
  if (target >= at) throw new MalformedMessage("pointer leads forward");
  // The first twelve octets of a message are its header, which contains no name.
  if (target < headerBytes) throw new MalformedMessage("pointer leads into the header");
  return -target;
}

/**
 * Escapes a dot or any other unusual octet inside a label, so that one label is never read as two.
 * No canonical name contains a backslash.
 */
function labelText(message: Buffer, start: number, end: number): string {
  const text = message.toString("latin1", start, end);
  if (/^[A-Za-z0-9_*-]+$/.test(text)) return text.toLowerCase();
  return Array.from(message.subarray(start, end), (byte) => {
    const char = String.fromCharCode(byte);
    return /[A-Za-z0-9_*-]/.test(char) ? char.toLowerCase() : `\\${String(byte).padStart(3, "0")}`;
  }).join("");
}
