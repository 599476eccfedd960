import {
  constants,
  type IncomingHttpHeaders,
  type OutgoingHttpHeaders,
  type ServerHttp2Stream,
} from "node:http2";
import type { BodySink, ResponseHead, Visitor, VisitorEvents } from "./exchange.ts";
import type { Fields } from "./fields.ts";
import type { RequestHead } from "./request-head.ts";

/** One HTTP/2 stream as a request and its response. */
export class H2Visitor implements Visitor {
  readonly head: RequestHead;
  readonly remoteAddress: string;
  hasResponded = false;
  /** Since when the visitor takes nothing of what is offered. */
  stalledSince: number | null = null;
  /** What has come of the body since the last look, while it is awaited. */
  bodyBytes = 0;
  isAwaitingBody = false;
  readonly #stream: ServerHttp2Stream;
  readonly #onCloseAfter: () => void;
  #events: VisitorEvents | null = null;
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
    stream.on("close", () => this.#gone());
    stream.on("wantTrailers", () => this.#sendTrailers());
  }

  listen(events: VisitorEvents): void {
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
    const hasRoom = this.#stream.write(chunk);
    if (!hasRoom) this.stalledSince ??= performance.now();
    return hasRoom;
  }

  end(trailers: Fields): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.#trailers = trailers;
    this.#stream.end();
    if (this.#stream.readableEnded || this.head.framing === "none") return;
    // RFC 9113 §8.1: a response may come before the request is read; then the rest is not wanted.
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

  /** The visitor broke a rule or a deadline; whoever answers is told. */
  refuse(): void {
    this.#stream.close(constants.NGHTTP2_CANCEL);
    this.#gone();
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

  /** The HTTP/2 layer has rules of its own for fields; an origin that breaks them loses the stream. */
  #try(send: () => void): void {
    try {
      send();
    } catch {
      this.#stream.close(constants.NGHTTP2_INTERNAL_ERROR);
      this.#gone();
    }
  }

  #gone(): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.#events?.onGone();
  }
}

/**
 * Repeated fields become one (RFC 9110 §5.3), except cookies, which cannot. The object has no
 * prototype, so no name can reach one.
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
