/**
 * Informational responses (RFC 9110 §15.2) before the response, and their bytes in all: a page of
 * early hints needs one or two, a WebDAV server sends 102 every 20 seconds.
 */
const maxInformational = 32;

/**
 * Bytes of framing beyond those of content that a response may have ahead, and gains each second:
 * a page of 256 KB in chunks of one byte passes, and 16,000 such chunks a second for ever. From 5
 * bytes of content on a chunk has more content than framing, and costs nothing of this.
 */
const framingBurst = 1_048_576;
const framingPerSecond = 65_536;

/** What of one response of an origin may be other than content. */
export class ResponseBudget {
  readonly #informationalBytes: number;
  #informed = 0;
  #informedBytes = 0;
  #framing = framingBurst;
  #refilledAt: number | null = null;

  /** `headBytes` is what all informational heads together may have, as one head may. */
  constructor(headBytes: number) {
    this.#informationalBytes = headBytes;
  }

  /** Whether the origin may send one more informational response, of so many bytes. */
  inform(bytes: number): boolean {
    this.#informed += 1;
    this.#informedBytes += bytes;
    return this.#informed <= maxInformational && this.#informedBytes <= this.#informationalBytes;
  }

  /** Whether a response with so many bytes of framing and of content more may continue. */
  frame(framing: number, content: number, now: number): boolean {
    const elapsed = now - (this.#refilledAt ?? now);
    const gained = content - framing + (elapsed / 1_000) * framingPerSecond;
    this.#framing = Math.min(framingBurst, this.#framing + gained);
    this.#refilledAt = now;
    return this.#framing >= 0;
  }
}
