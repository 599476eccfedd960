import { randomBytes } from "node:crypto";

/**
 * Tells most names that are not in a set, in memory and without a read: a Bloom filter. It never
 * denies a name that was added; of others it lets about one in a thousand pass, for which the exact
 * lookup decides. Unlike a binary fuse filter it takes a name at any time, so that there is no
 * moment in which a new name is denied.
 */
export interface NameFilter {
  /** How many names it is made for; beyond, it lets more and more others pass. */
  readonly capacity: number;
  add(name: string): void;
  mayHave(name: string): boolean;
  /** For storage. */
  toBytes(): Uint8Array;
}

/** 14 bits and 7 probes let 0.16 % of other names pass when the filter is full. */
const bitsPerName = 14;
const probes = 7;
const leastCapacity = 4_096;
/** The capacity and two seeds, before the bits. */
const headBytes = 12;

/** The seeds are secret: nobody can compute names that pass. */
export function createNameFilter(names: number): NameFilter {
  const capacity = Math.max(leastCapacity, names);
  const bytes = Buffer.alloc(headBytes + Math.ceil((capacity * bitsPerName) / 8));
  bytes.writeUInt32LE(capacity, 0);
  randomBytes(headBytes - 4).copy(bytes, 4);
  return createFilter(bytes);
}

/** Of what `toBytes` returned; a copy, since a filter changes. */
export function readNameFilter(stored: Uint8Array): NameFilter {
  return createFilter(Buffer.from(stored));
}

function createFilter(bytes: Buffer): NameFilter {
  const capacity = bytes.readUInt32LE(0);
  const [seed, otherSeed] = [bytes.readUInt32LE(4), bytes.readUInt32LE(8)];
  const bits = bytes.subarray(headBytes);
  const size = bits.length * 8;
  /** The first bit and the step of a name; set by `hash`, so that a lookup allocates nothing. */
  let [first, step] = [0, 0];

  function hash(name: string): void {
    let [one, other] = [seed, otherSeed];
    for (let index = 0; index < name.length; index += 1) {
      const code = name.charCodeAt(index);
      one = Math.imul(one ^ code, 0x9e3779b1);
      one = (one << 13) | (one >>> 19);
      other = Math.imul(other ^ code, 0x85ebca77);
      other = (other << 17) | (other >>> 15);
    }
    first = mixed(one ^ name.length);
    step = mixed(other ^ first) | 1;
  }

  const bitAt = (probe: number): number => ((first + Math.imul(step, probe)) >>> 0) % size;

  return {
    capacity,
    add(name) {
      hash(name);
      for (let probe = 0; probe < probes; probe += 1) {
        const bit = bitAt(probe);
        bits[bit >>> 3] = (bits[bit >>> 3] ?? 0) | (1 << (bit & 7));
      }
    },
    mayHave(name) {
      hash(name);
      for (let probe = 0; probe < probes; probe += 1) {
        const bit = bitAt(probe);
        if (((bits[bit >>> 3] ?? 0) & (1 << (bit & 7))) === 0) return false;
      }
      return true;
    },
    toBytes: () => bytes,
  };
}

/** Every bit of the result depends on every bit of the value. */
function mixed(value: number): number {
  let bits = value ^ (value >>> 16);
  bits = Math.imul(bits, 0x7feb352d);
  bits ^= bits >>> 15;
  bits = Math.imul(bits, 0x846ca68b);
  return (bits ^ (bits >>> 16)) >>> 0;
}
