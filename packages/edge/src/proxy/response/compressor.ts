import {
  type BrotliCompress,
  constants,
  createBrotliCompress,
  createGzip,
  createZstdCompress,
  type Gzip,
  type ZstdCompress,
} from "node:zlib";
import type { ContentCoding } from "./content-coding.ts";

type Encoder = BrotliCompress | Gzip | ZstdCompress;

/** Where compressed bytes go. */
interface CompressedSink {
  /** False asks for a pause until `resume`. */
  write(chunk: Buffer): boolean;
  end(): void;
  /** More may be written to the compressor after `write` returned false. */
  onDrain(): void;
  onFail(): void;
}

/** A piece that is followed by nothing for this long is sent on. */
const flushAfterMs = 20;

/**
 * Compresses one response on the threads of the runtime, not on the event loop. Levels are those
 * that cost about as much as sending the bytes saves.
 */
export class Compressor {
  readonly #encoder: Encoder;
  readonly #isEventStream: boolean;
  #flushTimer: NodeJS.Timeout | undefined;

  constructor(coding: ContentCoding, isEventStream: boolean, sink: CompressedSink) {
    this.#encoder = createEncoder(coding);
    this.#isEventStream = isEventStream;
    const encoder = this.#encoder;
    encoder.on("data", (chunk: Buffer) => {
      if (!sink.write(chunk)) encoder.pause();
    });
    encoder.on("drain", () => sink.onDrain());
    encoder.on("end", () => sink.end());
    encoder.on("error", () => sink.onFail());
  }

  /**
   * False asks for a pause until `onDrain`. An event is sent on at once, other pieces after a
   * while.
   */
  write(chunk: Buffer): boolean {
    const isWritable = this.#encoder.write(Buffer.from(chunk));
    if (this.#isEventStream) this.#encoder.flush();
    else this.#flushTimer ??= setTimeout(() => this.#flush(), flushAfterMs);
    return isWritable;
  }

  end(): void {
    clearTimeout(this.#flushTimer);
    this.#encoder.end();
  }

  resume(): void {
    this.#encoder.resume();
  }

  destroy(): void {
    clearTimeout(this.#flushTimer);
    this.#encoder.destroy();
  }

  #flush(): void {
    this.#flushTimer = undefined;
    if (!this.#encoder.writableNeedDrain) this.#encoder.flush();
  }
}

function createEncoder(coding: ContentCoding): Encoder {
  if (coding === "gzip") return createGzip({ level: 5 });
  if (coding === "zstd") return createZstdCompress();
  return createBrotliCompress({
    params: {
      [constants.BROTLI_PARAM_QUALITY]: 4,
      [constants.BROTLI_PARAM_LGWIN]: 18,
    },
  });
}
