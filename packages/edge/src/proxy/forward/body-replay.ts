import type { BodySink } from "../../http/exchange.ts";
import type { Fields } from "../../http/fields.ts";

/** Enough for most calls of an API; a longer body is sent only once. */
const maxReplayBytes = 65_536;

/** The body of a request as sent so far, so that the request can be sent to another origin. */
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
    else this.#chunks.push(Buffer.from(chunk));
  }

  end(trailers: Fields): void {
    this.#trailers = trailers;
  }

  /**
   * Sends everything again. `ended` when that was the whole body; otherwise whether the sink takes
   * more.
   */
  into(sink: BodySink): "ended" | "writable" | "full" {
    let isWritable = true;
    for (const chunk of this.#chunks ?? []) isWritable = sink.write(chunk);
    if (this.#trailers === null) return isWritable ? "writable" : "full";
    sink.end(this.#trailers);
    return "ended";
  }
}
