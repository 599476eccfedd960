import type { Host } from "../hosts/host.ts";
import { bucketCount, bucketFor, packBucket } from "./time-buckets.ts";

/** The numbers of a slot, in the order in which a batch has them. */
export const field = {
  aborted: 0,
  status1xx: 1,
  status2xx: 2,
  status3xx: 3,
  status4xx: 4,
  status5xx: 5,
  bytesIn: 6,
  bytesOut: 7,
  handshakes: 8,
  refused: 9,
  unattributed: 10,
} as const;
export const fieldCount = 11;

const firstSlots = 64;

/**
 * Numbers for up to `most` subjects, in arrays that grow to that size and no further. A subject has
 * its slot until the table is cleared.
 */
export class SlotTable {
  readonly #most: number;
  readonly #slots = new Map<string, number>();
  readonly #hosts: Host[] = [];
  #numbers = new Float64Array(firstSlots * fieldCount);
  #times = new Uint32Array(firstSlots * bucketCount);

  constructor(most: number) {
    this.#most = most;
  }

  get size(): number {
    return this.#hosts.length;
  }

  /** The slot of the subject, a new one where it has none; -1 when all are taken. */
  take(subject: string, host: Host): number {
    const known = this.#slots.get(subject);
    if (known !== undefined) return known;
    const slot = this.#hosts.length;
    if (slot >= this.#most) return -1;
    if (slot * fieldCount >= this.#numbers.length) this.#grow();
    this.#hosts.push(host);
    this.#slots.set(subject, slot);
    return slot;
  }

  add(slot: number, at: number, amount: number): void {
    const index = slot * fieldCount + at;
    this.#numbers[index] = (this.#numbers[index] ?? 0) + amount;
  }

  addTime(slot: number, ms: number): void {
    const index = slot * bucketCount + bucketFor(ms);
    this.#times[index] = (this.#times[index] ?? 0) + 1;
  }

  /** Adds all numbers of a slot of another table. */
  addSlot(slot: number, from: SlotTable, other: number): void {
    for (let at = 0; at < fieldCount; at += 1) {
      this.add(slot, at, from.#numbers[other * fieldCount + at] ?? 0);
    }
    for (let bucket = 0; bucket < bucketCount; bucket += 1) {
      const index = slot * bucketCount + bucket;
      this.#times[index] =
        (this.#times[index] ?? 0) + (from.#times[other * bucketCount + bucket] ?? 0);
    }
  }

  *entries(): IterableIterator<[slot: number, subject: string, host: Host]> {
    for (const [subject, slot] of this.#slots) {
      const host = this.#hosts[slot];
      if (host !== undefined) yield [slot, subject, host];
    }
  }

  numbers(slot: number): Float64Array {
    return this.#numbers.subarray(slot * fieldCount, (slot + 1) * fieldCount);
  }

  /** The buckets that are not empty, packed, in their order. */
  times(slot: number): number[] {
    const packed: number[] = [];
    for (let bucket = 0; bucket < bucketCount; bucket += 1) {
      const count = this.#times[slot * bucketCount + bucket] ?? 0;
      if (count > 0) packed.push(packBucket(bucket, count));
    }
    return packed;
  }

  clear(): void {
    this.#numbers.fill(0, 0, this.size * fieldCount);
    this.#times.fill(0, 0, this.size * bucketCount);
    this.#slots.clear();
    this.#hosts.length = 0;
  }

  #grow(): void {
    const slots = Math.min(this.#most, (this.#numbers.length / fieldCount) * 2);
    const numbers = new Float64Array(slots * fieldCount);
    numbers.set(this.#numbers);
    this.#numbers = numbers;
    const times = new Uint32Array(slots * bucketCount);
    times.set(this.#times);
    this.#times = times;
  }
}
