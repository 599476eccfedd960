import type { HttpLimits } from "./exchange.ts";

/**
 * How fast a client sends the body of one request. Only time in which the edge was ready to read
 * counts: not while the origin reads slowly, nor while the client waits for 100 (Continue).
 */
export class BodyPace {
  readonly #limits: Pick<HttpLimits, "stallMs" | "bodyBytesPerSecond">;
  #isReading = false;
  /** The last byte, or when the edge began to wait for it. */
  #waitingSince = 0;
  /** The rate counts from the first byte on; null before. */
  #countedUntil: number | null = null;
  #countedMs = 0;
  #bytes = 0;

  constructor(limits: Pick<HttpLimits, "stallMs" | "bodyBytesPerSecond">) {
    this.#limits = limits;
  }

  /** The edge is ready for the next bytes. */
  wait(now: number): void {
    if (this.#isReading) return;
    this.#isReading = true;
    this.#waitingSince = now;
    if (this.#countedUntil !== null) this.#countedUntil = now;
  }

  /** The edge does not read. */
  pause(now: number): void {
    this.#count(now);
    this.#isReading = false;
  }

  received(bytes: number, now: number): void {
    if (this.#countedUntil === null) this.#countedUntil = now;
    this.#bytes += bytes;
    this.#waitingSince = now;
  }

  /** Whether the body stalls, or arrived below the least rate for as long as a stall may last. */
  isTooSlow(now: number): boolean {
    if (!this.#isReading) return false;
    const { stallMs, bodyBytesPerSecond } = this.#limits;
    if (now - this.#waitingSince > stallMs) return true;
    this.#count(now);
    if (this.#countedMs < stallMs) return false;
    const isSlow = this.#bytes < (this.#countedMs / 1_000) * bodyBytesPerSecond;
    this.#countedMs = 0;
    this.#bytes = 0;
    return isSlow;
  }

  #count(now: number): void {
    if (!this.#isReading || this.#countedUntil === null) return;
    this.#countedMs += now - this.#countedUntil;
    this.#countedUntil = now;
  }
}
