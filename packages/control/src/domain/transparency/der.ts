/**
 * Walks DER (X.690) without copies: `read` sets the fields to the element at a position. Only what
 * certificates have: one octet for the tag, lengths of at most four octets, none indefinite.
 */
export interface DerCursor {
  /** Where the element's content begins and ends. */
  start: number;
  end: number;
  /** The element's tag; 0 where no whole element is between the position and the limit. */
  read(bytes: Uint8Array, position: number, limit: number): number;
}

export const derTags = {
  boolean: 0x01,
  integer: 0x02,
  octetString: 0x04,
  oid: 0x06,
  utcTime: 0x17,
  generalizedTime: 0x18,
  sequence: 0x30,
  set: 0x31,
  /** `[0]`, constructed. */
  context0: 0xa0,
  /** `[3]`, constructed. */
  context3: 0xa3,
} as const;

const multiByteTag = 0x1f;
const maxLengthOctets = 4;

export function createDerCursor(): DerCursor {
  return {
    start: 0,
    end: 0,
    read(bytes, position, limit) {
      const tag = bytes[position] ?? multiByteTag;
      const first = bytes[position + 1] ?? 0x80;
      if (position + 2 > limit || (tag & multiByteTag) === multiByteTag) return 0;
      const octets = first < 0x80 ? 0 : first & 0x7f;
      const start = position + 2 + octets;
      if (first === 0x80 || octets > maxLengthOctets || start > limit) return 0;
      const end = start + (octets === 0 ? first : readLength(bytes, position + 2, start));
      if (end > limit) return 0;
      this.start = start;
      this.end = end;
      return tag;
    },
  };
}

function readLength(bytes: Uint8Array, start: number, end: number): number {
  let length = 0;
  for (let at = start; at < end; at += 1) length = length * 256 + (bytes[at] ?? 0);
  return length;
}
