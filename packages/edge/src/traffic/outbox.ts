import type { TrafficBatch } from "./batch.ts";

/** What waits for the feed, in bytes; then the oldest is dropped. */
export const maxWaiting = 16 * 1_024 * 1_024;

/** Batches in their order until they were received; of a bounded size. */
export class Outbox {
  readonly #most: number;
  #batches: TrafficBatch[] = [];
  #length = 0;
  /** Batches that were dropped for others. */
  dropped = 0;

  constructor(most = maxWaiting) {
    this.#most = most;
  }

  get size(): number {
    return this.#batches.length;
  }

  add(batches: readonly TrafficBatch[]): void {
    for (const batch of batches) {
      this.#batches.push(batch);
      this.#length += batch.text.length;
    }
    while (this.#length > this.#most && this.#batches.length > 1) {
      this.#removeFirst();
      this.dropped += 1;
    }
  }

  /**
   * Sends all, the oldest first, until one fails; that one is sent again by the next call. Returns
   * when nothing is left.
   */
  async send(report: (text: string) => Promise<boolean>): Promise<void> {
    for (;;) {
      const [first] = this.#batches;
      if (first === undefined) return;
      await report(first.text);
      // It may have been dropped meanwhile.
      if (this.#batches[0] === first) this.#removeFirst();
    }
  }

  #removeFirst(): void {
    const [first] = this.#batches;
    this.#batches = this.#batches.slice(1);
    this.#length -= first?.text.length ?? 0;
  }
}
