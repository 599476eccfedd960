import type { Fields } from "../http/fields.ts";
import type { OriginExchange } from "./origin-exchange.ts";

/** Enough for most calls of an API; a longer body is sent only once. */
const maxReplayBytes = 16_384;

/**
 * The body of a request as sent so far, so that a request which the origin refused before it processed
 * anything can be sent again (RFC 9113 §8.7).
 */
export class BodyReplay {
  #chunks: Buffer[] | null = [];
  #bytes = 0;
  #trailers: Fields | null = null;

  /** Whether everything sent so far is here. */
  get isWhole(): boolean {
    return this.#chunks !== null;
  }

  /** `isWaiting` while no connection takes the body: then what arrives must not be lost. */
  add(chunk: Buffer, isWaiting: boolean): void {
    if (this.#chunks === null) return;
    this.#bytes += chunk.length;
    if (this.#bytes > maxReplayBytes && !isWaiting) this.#chunks = null;
    else this.#chunks.push(chunk);
  }

  end(trailers: Fields): void {
    this.#trailers = trailers;
  }

  /** Sends everything again; returns whether that was the whole body. */
  into(origin: OriginExchange): boolean {
    for (const chunk of this.#chunks ?? []) origin.write(chunk);
    if (this.#trailers !== null) origin.end(this.#trailers);
    return this.#trailers !== null;
  }
}
