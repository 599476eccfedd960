/** Reads primitives out of one DNS message; every method throws MalformedMessage past the end. */
export class MalformedMessage extends Error {
  override name = "MalformedMessage";
}

/** A compressed name needs fewer jumps than it can have labels. */
const MAX_POINTERS = 127;
const MAX_NAME_OCTETS = 255;

export interface Reader {
  readonly offset: () => number;
  readonly isAtEnd: () => boolean;
  u8(): number;
  u16(): number;
  u32(): number;
  bytes(length: number): Buffer;
  /** Lower-case text without trailing dot, "." for the root; odd octets are escaped as \DDD. */
  name(): string;
}

/** Reads `message` from `start` up to `end`; names may point back to anywhere before them. */
export function createReader(message: Buffer, start: number, end: number): Reader {
  let at = start;
  const take = (length: number): number => {
    if (at + length > end) throw new MalformedMessage("field runs past the end");
    at += length;
    return at - length;
  };
  return {
    offset: () => at,
    isAtEnd: () => at === end,
    u8: () => message.readUInt8(take(1)),
    u16: () => message.readUInt16BE(take(2)),
    u32: () => message.readUInt32BE(take(4)),
    bytes: (length) => message.subarray(take(length), at),
    name: () => {
      const read = readName(message, at, end);
      at = read.next;
      return read.name;
    },
  };
}

function readName(message: Buffer, start: number, end: number): { name: string; next: number } {
  const labels: string[] = [];
  let [at, limit, octets] = [start, end, 1];
  let next: number | null = null;
  for (let pointers = 0; pointers <= MAX_POINTERS; ) {
    const part = readPart(message, at, limit);
    if (part === null) {
      return { name: labels.join(".") || ".", next: next ?? at + 1 };
    }
    if (typeof part === "number") {
      next ??= at + 2;
      // Nothing at or after the pointer may be read again, which also rules out loops.
      [at, limit] = [part, at];
      pointers += 1;
    } else {
      octets += part.length + 1;
      if (octets > MAX_NAME_OCTETS) throw new MalformedMessage("name too long");
      labels.push(labelText(part));
      at += part.length + 1;
    }
  }
  throw new MalformedMessage("too many pointers");
}

/** One step through a name: a label, the offset a pointer leads to, or null at the root. */
function readPart(message: Buffer, at: number, limit: number): Buffer | number | null {
  if (at >= limit) throw new MalformedMessage("name runs past the end");
  const length = message.readUInt8(at);
  if (length === 0) return null;
  if (length < 0xc0) {
    if (length > 63 || at + 1 + length > limit) throw new MalformedMessage("bad label");
    return message.subarray(at + 1, at + 1 + length);
  }
  if (at + 2 > limit) throw new MalformedMessage("pointer runs past the end");
  const target = message.readUInt16BE(at) & 0x3fff;
  // RFC 1035 §4.1.4: a pointer leads to a prior occurrence.
  if (target >= at) throw new MalformedMessage("pointer leads forward");
  return target;
}

/**
 * A dot or any other unusual octet inside a label is escaped, so that a strange label can never be
 * taken for two ordinary ones; no canonical name contains a backslash.
 */
function labelText(bytes: Buffer): string {
  const text = bytes.toString("latin1");
  if (/^[A-Za-z0-9_*-]+$/.test(text)) return text.toLowerCase();
  return Array.from(bytes, (byte) => {
    const char = String.fromCharCode(byte);
    return /[A-Za-z0-9_*-]/.test(char) ? char.toLowerCase() : `\\${String(byte).padStart(3, "0")}`;
  }).join("");
}
