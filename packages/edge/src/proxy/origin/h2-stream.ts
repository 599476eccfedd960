import { type ClientHttp2Session, type ClientHttp2Stream, constants } from "node:http2";
import type { EdgeLimits } from "../../config/limits.ts";
import { writeCopy } from "../../http/copied-writes.ts";
import { type Fields, safeTrailers } from "../../http/fields.ts";
import { measureFields, type RequestHead } from "../../http/request-head.ts";
import type { ProcessorShares } from "../../scheduling/processor-shares.ts";
import { isDroppedFromRequest, type RequestContext } from "../headers.ts";
import { ResponseBudget } from "../limits/response-budget.ts";
import {
  isWaste,
  type OriginEvents,
  type OriginExchange,
  type OriginFailure,
  type OriginTimeouts,
} from "./exchange.ts";
import { originRequestFields, plainFields, responseStart } from "./h2-head.ts";

/** The connection as its streams use it. */
export interface H2StreamCarrier {
  readonly limits: EdgeLimits;
  readonly shares: ProcessorShares;
  /** Null when the connection takes no more streams. */
  session(): ClientHttp2Session | null;
  /** Whether the origin's GOAWAY says that it has not processed the stream. */
  isUnprocessed(streamId: number): boolean;
  /** The origin refused a stream; `isForH1` when it asked for HTTP/1.1. */
  refused(isForH1: boolean): void;
  /** The stream has ended. */
  release(stream: H2OriginStream): void;
  destroy(): void;
}

/**
 * What a DATA frame counts as framing. Its head has 9 bytes (RFC 9113 §4.1), but unlike a chunk
 * each frame passes through the runtime alone.
 */
const frameBytes = 32;
/** What the runtime spends on a DATA frame before its content is here, as measured. */
const frameMs = 0.003;
/** Content below this waits for more of the same tick: a write costs more than its bytes. */
const smallBytes = 4_096;
/** As much as a socket takes before it asks for a pause. */
const maxGatheredBytes = 16_384;
const endStreamFlag = constants.NGHTTP2_FLAG_END_STREAM;

/** One request to an origin as an HTTP/2 stream. */
export class H2OriginStream implements OriginExchange {
  readonly protocol = "h2";
  hasAnswered = false;
  readonly #carrier: H2StreamCarrier;
  #stream: ClientHttp2Stream | null = null;
  #events: OriginEvents | null = null;
  #trailers: Fields = [];
  #requestTrailers: Fields = [];
  readonly #budget: ResponseBudget;
  #applicationId = "";
  /** Content of this tick that is to be passed on together. */
  #gathered: Buffer[] = [];
  #gatheredBytes = 0;
  #isWebSocket = false;
  #isRequestSent = false;
  /** The origin ended the response by END_STREAM; a reset or a close also end the reading. */
  #isComplete = false;
  #isPaused = false;
  /** Waits for its share of the processor. */
  #isYielding = false;
  /** The origin does not read what was written. */
  #isBlocked = false;
  #deadline = Number.POSITIVE_INFINITY;
  #silenceMs: number;
  #firstByteMs: number;

  constructor(carrier: H2StreamCarrier) {
    this.#carrier = carrier;
    this.#budget = new ResponseBudget(carrier.limits.originHeadBytes);
    this.#silenceMs = carrier.limits.stallMs;
    this.#firstByteMs = carrier.limits.originFirstByteMs;
  }

  start(head: RequestHead, context: RequestContext, events: OriginEvents): void {
    this.#events = events;
    this.#isWebSocket = head.isWebSocket;
    this.#applicationId = context.target.applicationId;
    const isWhole = head.framing === "none" && !head.isWebSocket;
    this.#isRequestSent = head.framing === "none";
    const stream = this.#open(originRequestFields(head, context), isWhole);
    if (stream === null) {
      // The connection was closed at this very moment. Not at once: the caller is not ready for it.
      process.nextTick(() => this.#fail("refused", null));
      return;
    }
    this.#stream = stream;
    this.#listen(stream);
    this.#restartDeadline();
  }

  write(chunk: Buffer): boolean {
    if (this.#stream === null || this.#stream.destroyed) return true;
    this.#isBlocked = !writeCopy(this.#stream, [chunk]);
    this.#restartDeadline();
    return !this.#isBlocked;
  }

  end(trailers: Fields): void {
    this.#requestTrailers = safeTrailers(trailers, isDroppedFromRequest);
    this.#isRequestSent = true;
    this.#restartDeadline();
    this.#stream?.end();
  }

  resume(): void {
    this.#isPaused = false;
    this.#restartDeadline();
    if (!this.#isYielding) this.#stream?.resume();
  }

  useTimeouts({ firstByteMs, silenceMs }: OriginTimeouts): void {
    this.#firstByteMs = firstByteMs;
    this.#silenceMs = silenceMs;
    this.#restartDeadline();
  }

  abandon(): void {
    this.#events = null;
    this.#close();
  }

  check(now: number): void {
    if (this.#events !== null && now >= this.#deadline && !this.#isPaused) {
      this.#fail("timeout", null);
    }
  }

  #open(fields: string[], endStream: boolean): ClientHttp2Stream | null {
    try {
      const session = this.#carrier.session();
      return session?.request(fields, { endStream, waitForTrailers: !endStream }) ?? null;
    } catch {
      return null;
    }
  }

  #listen(stream: ClientHttp2Stream): void {
    const push = stream.push;
    // There is no event for END_STREAM: after a reset without an error the reading ends all the
    // same.
    stream.push = (chunk: unknown, encoding?: BufferEncoding) => {
      if (chunk === null && !stream.closed) this.#isComplete = true;
      return push.call(stream, chunk, encoding);
    };
    stream.on("headers", (_headers, _flags, raw) => this.#inform(raw as unknown as string[]));
    stream.on("response", (_headers, flags, raw) =>
      this.#respond(raw as unknown as string[], flags),
    );
    stream.on("trailers", (_headers, _flags, raw?: Fields) => this.#takeTrailers(raw ?? []));
    stream.on("wantTrailers", () => this.#sendTrailers(stream));
    stream.on("drain", () => this.#drained());
    // The code of a reset is read at "close".
    stream.on("error", () => undefined);
    stream.on("close", () => this.#closed(stream));
  }

  /** As over HTTP/1.1: see OriginConnection. */
  #restartDeadline(): void {
    const now = performance.now();
    if (this.hasAnswered) this.#deadline = now + this.#silenceMs;
    else if (this.#isRequestSent) this.#deadline = now + this.#firstByteMs;
    else if (this.#isBlocked) this.#deadline = now + this.#carrier.limits.stallMs;
    else this.#deadline = Number.POSITIVE_INFINITY;
  }

  #inform(raw: Fields): void {
    const head = responseStart(raw, false, this.#carrier.limits);
    if (head === null) this.#fail("malformed", null);
    else if (!this.#budget.inform(measureFields(raw))) this.#fail("informational", null);
    else if (this.#events?.onInform(head) === false) this.#pause();
  }

  #respond(raw: Fields, flags: number): void {
    const stream = this.#stream;
    const events = this.#events;
    if (stream === null || events === null) return;
    this.hasAnswered = true;
    const isWhole = (flags & endStreamFlag) !== 0;
    const head = responseStart(raw, isWhole, this.#carrier.limits);
    if (head === null) {
      this.#fail("malformed", null);
      return;
    }
    if (this.#isWebSocket && head.status < 300) {
      this.#events = null;
      this.#deadline = Number.POSITIVE_INFINITY;
      events.onSwitch(head, stream, null);
      return;
    }
    this.#restartDeadline();
    events.onHead(head);
    stream.on("data", (chunk: Buffer) => this.#take(chunk));
    stream.on("end", () => this.#finish());
  }

  #take(chunk: Buffer): void {
    if (this.#events === null) return;
    const startedAt = performance.now();
    this.#restartDeadline();
    if (!this.#budget.frame(frameBytes, chunk.length, startedAt)) {
      this.#fail("framing", null);
      return;
    }
    this.#gather(chunk);
    const ms = performance.now() - startedAt + frameMs;
    if (this.#carrier.shares.spend(this.#applicationId, ms, this.#onShare)) return;
    this.#isYielding = true;
    this.#stream?.pause();
  }

  readonly #onShare = (): void => {
    this.#isYielding = false;
    if (!this.#isPaused) this.#stream?.resume();
  };

  /** Frames arrive one by one; small ones of a tick become one piece. */
  #gather(chunk: Buffer): void {
    const isFirst = this.#gathered.length === 0;
    this.#gathered.push(chunk);
    this.#gatheredBytes += chunk.length;
    if (isFirst && chunk.length < smallBytes) setImmediate(() => this.#passOn());
    else if (isFirst || this.#gatheredBytes >= maxGatheredBytes) this.#passOn();
  }

  #passOn(): void {
    const pieces = this.#gathered;
    const [first] = pieces;
    if (first === undefined) return;
    this.#gathered = [];
    this.#gatheredBytes = 0;
    const piece = pieces.length === 1 ? first : Buffer.concat(pieces);
    if (this.#events?.onData(piece) === false) this.#pause();
  }

  #pause(): void {
    this.#isPaused = true;
    this.#stream?.pause();
  }

  #takeTrailers(raw: Fields): void {
    const trailers = plainFields(raw, this.#carrier.limits);
    if (trailers === null) this.#fail("malformed", null);
    else this.#trailers = trailers;
  }

  /** Without trailers this sends an empty DATA frame: only END_STREAM ends a request. */
  #sendTrailers(stream: ClientHttp2Stream): void {
    if (stream.destroyed || stream.closed) return;
    const trailers: Record<string, string[]> = Object.create(null);
    for (let index = 0; index < this.#requestTrailers.length; index += 2) {
      const name = this.#requestTrailers[index] ?? "";
      trailers[name] ??= [];
      trailers[name].push(this.#requestTrailers[index + 1] ?? "");
    }
    try {
      stream.sendTrailers(trailers);
    } catch {
      this.#fail("malformed", null);
    }
  }

  #drained(): void {
    this.#isBlocked = false;
    if (this.#events === null) return;
    this.#restartDeadline();
    this.#events.onOriginDrain();
  }

  #finish(): void {
    this.#passOn();
    const events = this.#events;
    if (events === null || !this.#isComplete) return;
    this.#events = null;
    // RFC 9113 §8.1: the origin does not want the rest of the request.
    if (!this.#isRequestSent) this.#close();
    events.onEnd(this.#trailers);
  }

  #closed(stream: ClientHttp2Stream): void {
    this.#carrier.release(this);
    this.#passOn();
    if (this.#events === null) return;
    const { rstCode, id = 0 } = stream;
    // Without an error code, but also without its end, the response is cut all the same.
    const code = rstCode === constants.NGHTTP2_NO_ERROR ? null : rstCode;
    const isForH1 = rstCode === constants.NGHTTP2_HTTP_1_1_REQUIRED;
    const isRefused = isForH1 || rstCode === constants.NGHTTP2_REFUSED_STREAM;
    if (!this.hasAnswered && isRefused) this.#carrier.refused(isForH1);
    if (!this.hasAnswered && (isRefused || this.#carrier.isUnprocessed(id))) {
      this.#fail("refused", code);
    } else if (this.#carrier.session() === null) this.#fail("closed", null);
    else this.#fail("reset", code);
  }

  #fail(failure: OriginFailure, code: number | null): void {
    const events = this.#events;
    this.#events = null;
    // Frames of a stream that has been reset still arrive, and nothing else stops them.
    if (isWaste(failure)) this.#carrier.destroy();
    else this.#close();
    events?.onFail(failure, code);
  }

  #close(): void {
    const stream = this.#stream;
    if (stream === null) this.#carrier.release(this);
    else if (!stream.closed) {
      stream.close(constants.NGHTTP2_CANCEL);
      stream.resume();
    }
  }
}
