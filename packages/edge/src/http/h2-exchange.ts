import {
  constants,
  type IncomingHttpHeaders,
  type OutgoingHttpHeaders,
  type ServerHttp2Stream,
} from "node:http2";
import type { BodySink, Exchange, ExchangeEvents, ResponseHead } from "./exchange.ts";
import type { Fields } from "./fields.ts";
import type { RequestHead } from "./request-head.ts";

/** One HTTP/2 stream as an exchange. */
export class H2Exchange implements Exchange {
  readonly head: RequestHead;
  readonly remoteAddress: string;
  hasResponded = false;
  /** Since when the client reads nothing of the response; null while it reads. */
  stalledSince: number | null = null;
  /** Bytes of the body since the last check of the rate. */
  bodyBytes = 0;
  isAwaitingBody = false;
  readonly #stream: ServerHttp2Stream;
  readonly #onCloseAfter: () => void;
  #events: ExchangeEvents | null = null;
  #isOver = false;
  #hasBody = false;
  #trailers: Fields = [];

  constructor(
    head: RequestHead,
    stream: ServerHttp2Stream,
    options: { readonly remoteAddress: string; readonly closeAfter: () => void },
  ) {
    this.head = head;
    this.remoteAddress = options.remoteAddress;
    this.#stream = stream;
    this.#onCloseAfter = options.closeAfter;
    stream.on("drain", () => {
      this.stalledSince = null;
      if (!this.#isOver) this.#events?.onDrain();
    });
    stream.on("close", () => this.#closed());
    stream.on("wantTrailers", () => this.#sendTrailers());
  }

  listen(events: ExchangeEvents): void {
    this.#events = events;
  }

  startBody(sink: BodySink): void {
    let trailers: Fields = [];
    this.isAwaitingBody = true;
    this.#stream.on("data", (chunk: Buffer) => {
      this.bodyBytes += chunk.length;
      if (this.#isOver || sink.write(chunk)) return;
      this.isAwaitingBody = false;
      this.#stream.pause();
    });
    this.#stream.on("trailers", (headers: IncomingHttpHeaders) => {
      trailers = flatten(headers);
    });
    this.#stream.on("end", () => {
      this.isAwaitingBody = false;
      if (!this.#isOver && !this.#stream.aborted) sink.end(trailers);
    });
  }

  resumeBody(): void {
    if (this.#isOver || !this.#stream.isPaused()) return;
    this.isAwaitingBody = true;
    this.bodyBytes = 0;
    this.#stream.resume();
  }

  inform(status: number, fields: Fields): void {
    if (this.#isOver || this.hasResponded || this.#stream.closed) return;
    const headers = outgoing(fields);
    headers[":status"] = status;
    this.#try(() => this.#stream.additionalHeaders(headers));
  }

  respond(head: ResponseHead): void {
    if (this.#isOver || this.hasResponded) return;
    this.hasResponded = true;
    this.#hasBody = head.hasBody;
    if (this.#stream.destroyed || this.#stream.closed) return;
    const headers = outgoing(head.fields);
    headers[":status"] = head.status;
    if (head.length !== null) headers["content-length"] = head.length;
    this.#try(() =>
      this.#stream.respond(headers, {
        endStream: !head.hasBody,
        waitForTrailers: head.hasBody && head.length === null,
      }),
    );
  }

  write(chunk: Buffer): boolean {
    if (this.#isOver || !this.#hasBody || this.#stream.destroyed) return true;
    const isWritable = this.#stream.write(chunk);
    if (!isWritable) this.stalledSince ??= performance.now();
    return isWritable;
  }

  end(trailers: Fields): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.#trailers = trailers;
    this.#stream.end();
    if (this.#stream.readableEnded || this.head.framing === "none") return;
    // RFC 9113 §8.1: after an early response the rest of the request is not read.
    this.#stream.resume();
    this.#stream.once("finish", () => this.#stream.close(constants.NGHTTP2_NO_ERROR));
  }

  cork(): void {
    this.#stream.cork();
  }

  uncork(): void {
    this.#stream.uncork();
  }

  abort(): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.#stream.close(constants.NGHTTP2_INTERNAL_ERROR);
  }

  /** Resets the stream after a violated limit and emits `onClosed`. */
  refuse(): void {
    this.#stream.close(constants.NGHTTP2_CANCEL);
    this.#closed();
  }

  closeAfter(): void {
    this.#onCloseAfter();
  }

  takeSocket(): null {
    return null;
  }

  #sendTrailers(): void {
    if (this.#stream.destroyed) return;
    const trailers = this.#trailers;
    if (trailers.length > 0) this.#try(() => this.#stream.sendTrailers(outgoing(trailers)));
    else this.#stream.close();
  }

  /** The HTTP/2 layer validates fields; a response that it rejects resets the stream. */
  #try(send: () => void): void {
    try {
      send();
    } catch {
      this.#stream.close(constants.NGHTTP2_INTERNAL_ERROR);
      this.#closed();
    }
  }

  #closed(): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.#events?.onClosed();
  }
}

/**
 * Joins repeated fields (RFC 9110 §5.3), except `Set-Cookie`, which cannot be joined. The object has
 * no prototype, so no field name can reach one.
 */
function outgoing(fields: Fields): OutgoingHttpHeaders {
  const headers: OutgoingHttpHeaders = Object.create(null);
  for (let index = 0; index < fields.length; index += 2) {
    const name = fields[index] ?? "";
    const value = fields[index + 1] ?? "";
    const before = headers[name];
    if (name === "set-cookie") headers[name] = [...(Array.isArray(before) ? before : []), value];
    else headers[name] = before === undefined ? value : `${before}, ${value}`;
  }
  return headers;
}

function flatten(headers: IncomingHttpHeaders): string[] {
  return Object.entries(headers).flatMap(([name, value]) =>
    value === undefined ? [] : [value].flat().flatMap((one) => [name, one]),
  );
}
