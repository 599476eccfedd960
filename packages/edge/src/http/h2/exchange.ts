import {
  constants,
  type IncomingHttpHeaders,
  type OutgoingHttpHeaders,
  type ServerHttp2Stream,
} from "node:http2";
import { BodyPace } from "../body-pace.ts";
import { writeCopy } from "../copied-writes.ts";
import type {
  BodySink,
  Exchange,
  ExchangeEvents,
  HttpLimits,
  RejectionPage,
  ResponseHead,
  Tunnel,
  TunnelLimits,
} from "../exchange.ts";
import { type Fields, isField } from "../fields.ts";
import { isGrpc } from "../grpc.ts";
import { measureFields, type RequestHead } from "../request-head.ts";

interface H2ExchangeOptions {
  readonly remoteAddress: string;
  readonly limits: HttpLimits;
  readonly closeAfter: () => void;
}

/**
 * Frames other than DATA that wait to be sent on a connection, from which it counts as full: some
 * streams may begin at once, but only a client that reads nothing has more in the next tick.
 */
const maxQueuedFrames = 64;

/** One HTTP/2 stream as an exchange. */
export class H2Exchange implements Exchange {
  readonly head: RequestHead;
  readonly remoteAddress: string;
  hasResponded = false;
  /** Since when the client reads nothing of the response; null while it reads. */
  stalledSince: number | null = null;
  readonly #stream: ServerHttp2Stream;
  readonly #options: H2ExchangeOptions;
  readonly #pace: BodyPace;
  #events: ExchangeEvents | null = null;
  #isEnded = false;
  #hasBody = false;
  #hasSink = false;
  #isContinued = false;
  /** Too many frames of the connection wait to be sent. */
  #isQueueFull = false;
  #trailers: Fields = [];
  /** Of a WebSocket: when it is closed, unless there are bytes before. */
  #tunnelDeadline = Number.POSITIVE_INFINITY;
  #tunnelEnd = Number.POSITIVE_INFINITY;

  constructor(head: RequestHead, stream: ServerHttp2Stream, options: H2ExchangeOptions) {
    this.head = head;
    this.remoteAddress = options.remoteAddress;
    this.#stream = stream;
    this.#options = options;
    this.#pace = new BodyPace(choosePace(head, options.limits));
    stream.on("drain", () => {
      this.stalledSince = null;
      if (!this.#isEnded) this.#events?.onDrain();
    });
    stream.on("close", () => this.#closed());
    stream.on("wantTrailers", () => this.#sendTrailers());
  }

  listen(events: ExchangeEvents): void {
    this.#events = events;
  }

  startBody(sink: BodySink): void {
    let trailers: Fields = [];
    const pace = this.#pace;
    this.#hasSink = true;
    if (!this.head.expectsContinue || this.#isContinued) pace.wait(performance.now());
    this.#stream.on("data", (chunk: Buffer) => {
      const now = performance.now();
      pace.wait(now);
      pace.received(chunk.length, now);
      if (this.#isEnded || sink.write(chunk)) return;
      pace.pause(now);
      this.#stream.pause();
    });
    this.#stream.on("trailers", (headers: IncomingHttpHeaders) => {
      trailers = flatten(headers);
      if (!areTrailers(trailers, this.#options.limits)) this.refuse();
    });
    this.#stream.on("end", () => {
      pace.pause(performance.now());
      if (!this.#isEnded && !this.#stream.aborted) sink.end(trailers);
    });
  }

  resumeBody(): void {
    if (this.#isEnded || !this.#stream.isPaused()) return;
    this.#pace.wait(performance.now());
    this.#stream.resume();
  }

  /** Whether the body of the request stalls or arrives below the least rate. */
  isTooSlow(now: number): boolean {
    return !this.hasResponded && this.#pace.isTooSlow(now);
  }

  inform(status: number, fields: Fields): boolean {
    if (this.#isEnded || this.hasResponded || this.#stream.closed) return true;
    const headers = outgoing(fields);
    headers[":status"] = status;
    this.#try(() => this.#stream.additionalHeaders(headers));
    if (status === 100) {
      this.#isContinued = true;
      if (this.#hasSink && !this.#stream.isPaused()) this.#pace.wait(performance.now());
    }
    if (countQueuedFrames(this.#stream) < maxQueuedFrames) return true;
    this.#isQueueFull = true;
    this.stalledSince ??= performance.now();
    // What the connection can take, it takes in this tick.
    setImmediate(() => this.checkQueue());
    return false;
  }

  /** Informational responses are outside flow control, so no event says that they were sent. */
  checkQueue(): void {
    if (!this.#isQueueFull || countQueuedFrames(this.#stream) >= maxQueuedFrames) return;
    this.#isQueueFull = false;
    this.stalledSince = null;
    if (!this.#isEnded) this.#events?.onDrain();
  }

  respond(head: ResponseHead): void {
    if (this.#isEnded || this.hasResponded) return;
    this.hasResponded = true;
    this.#hasBody = head.hasBody;
    if (this.#stream.destroyed || this.#stream.closed) return;
    const raw = [":status", statusText(head.status), ...head.fields];
    if (head.length !== null) raw.push("content-length", String(head.length));
    // The HTTP/2 layer adds the date that is missing.
    this.#try(() =>
      this.#stream.respond(raw, {
        endStream: !head.hasBody,
        waitForTrailers: head.hasBody && head.length === null,
      }),
    );
  }

  write(chunk: Buffer): boolean {
    if (this.#isEnded || !this.#hasBody || this.#stream.destroyed) return true;
    const isWritable = writeCopy(this.#stream, [chunk]);
    if (!isWritable) this.stalledSince ??= performance.now();
    return isWritable;
  }

  end(trailers: Fields): void {
    if (this.#isEnded) return;
    this.#isEnded = true;
    this.#trailers = trailers;
    this.#stream.end();
    const { framing, isWebSocket } = this.head;
    if (framing !== "none" || isWebSocket) dropRestOfRequest(this.#stream);
  }

  cork(): void {
    this.#stream.cork();
  }

  uncork(): void {
    this.#stream.uncork();
  }

  abort(code: number = constants.NGHTTP2_INTERNAL_ERROR): void {
    if (this.#isEnded) return;
    this.#isEnded = true;
    this.#stream.close(code);
  }

  /** Resets the stream after a violated limit and emits `onClosed`. */
  refuse(): void {
    this.#stream.close(constants.NGHTTP2_CANCEL);
    this.#closed();
  }

  /** Emits `onClosed` and answers with the page, of which nothing may have been sent before. */
  reject(page: RejectionPage): void {
    this.#closed(page);
    this.hasResponded = true;
    rejectStream(this.#stream, this.head.method, page);
  }

  closeAfter(): void {
    this.#options.closeAfter();
  }

  /** RFC 8441 §5: 200 opens the WebSocket. */
  startTunnel(fields: Fields, { idleMs, lifetimeMs }: TunnelLimits): Tunnel | null {
    const stream = this.#stream;
    if (this.#isEnded || stream.destroyed || stream.closed) return null;
    this.#isEnded = true;
    this.hasResponded = true;
    const now = performance.now();
    this.#tunnelDeadline = now + idleMs;
    this.#tunnelEnd = now + lifetimeMs;
    stream.respond([":status", "200", ...fields]);
    return {
      stream,
      rest: null,
      onBytes: () => {
        this.#tunnelDeadline = performance.now() + idleMs;
      },
      finish: () => {
        stream.end();
        dropRestOfRequest(stream);
      },
      cut: () => stream.close(constants.NGHTTP2_CANCEL),
    };
  }

  /** Resets a WebSocket that has been silent or open for too long. */
  checkTunnel(now: number): void {
    if (now > this.#tunnelDeadline || now > this.#tunnelEnd) {
      this.#stream.close(constants.NGHTTP2_CANCEL);
    }
  }

  /** Without trailers this sends an empty DATA frame: only END_STREAM ends a response. */
  #sendTrailers(): void {
    if (this.#stream.destroyed) return;
    this.#try(() => this.#stream.sendTrailers(outgoing(this.#trailers)));
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

  #closed(rejection?: Pick<ResponseHead, "status" | "fields">): void {
    if (this.#isEnded) return;
    this.#isEnded = true;
    this.#events?.onClosed(rejection);
  }
}

/**
 * The body of a call of gRPC is messages; between two of them it may be silent, as a WebSocket may.
 */
function choosePace({ framing, fields }: RequestHead, limits: HttpLimits): HttpLimits {
  if (framing === "none" || !isGrpc(fields)) return limits;
  return { ...limits, stallMs: limits.quietStreamMs, bodyBytesPerSecond: 0 };
}

/** Answers a request that could not be read. */
export function rejectStream(
  stream: ServerHttp2Stream,
  method: string,
  { status, fields, body }: RejectionPage,
): void {
  if (stream.destroyed || stream.closed) return;
  const length = body === "" ? [] : ["content-length", String(Buffer.byteLength(body))];
  const endStream = method === "HEAD" || body === "";
  stream.respond([":status", String(status), ...fields, ...length], { endStream });
  if (!endStream) stream.end(body);
  dropRestOfRequest(stream);
}

/**
 * The rest of a request is read and dropped: some clients take a reset while they send for a
 * failure.
 */
const silentMs = 2_000;
const longestDiscardMs = 10_000;

/**
 * RFC 9113 §8.1: after an early response the client is asked, without an error, to send no more;
 * but only after the frame with END_STREAM, which a reset would overtake. There is no event for it.
 */
function dropRestOfRequest(stream: ServerHttp2Stream): void {
  if (stream.readableEnded) return;
  const deadline = performance.now() + longestDiscardMs;
  let isSending = false;
  stream.on("data", () => {
    isSending = true;
  });
  stream.resume();
  const timer = setInterval(() => {
    const mayContinue = isSending && performance.now() < deadline;
    isSending = false;
    if (!mayContinue && !stream.readableEnded && stream.state.localClose === 1) {
      stream.close(constants.NGHTTP2_NO_ERROR);
    }
  }, silentMs).unref();
  stream.once("close", () => clearInterval(timer));
}

function countQueuedFrames({ session }: ServerHttp2Stream): number {
  return session?.destroyed === false ? (session.state.outboundQueueSize ?? 0) : 0;
}

/**
 * The status as the HTTP/2 layer takes it. That layer refuses a number above 599, which a client
 * has to process as 5xx (RFC 9110 §15) and HTTP/2 itself can carry; it sends the text. So such a
 * status is 502 as a number and itself as a text. Were the number sent, that would be an answer
 * with the same meaning.
 */
function statusText(status: number): string {
  if (status <= 599) return String(status);
  const text = { toString: () => String(status), valueOf: () => 502 };
  // The layer converts the value itself, as it does for numbers.
  return text as unknown as string;
}

function areTrailers(trailers: Fields, limits: HttpLimits): boolean {
  if (trailers.length / 2 > limits.fields || measureFields(trailers) > limits.headBytes)
    return false;
  for (let index = 0; index < trailers.length; index += 2) {
    if (!isField(trailers[index] ?? "", trailers[index + 1] ?? "")) return false;
  }
  return true;
}

/**
 * Repeated fields stay apart: not every one may be joined. No prototype, so no name can reach one.
 */
function outgoing(fields: Fields): OutgoingHttpHeaders {
  const headers: Record<string, string[]> = Object.create(null);
  for (let index = 0; index < fields.length; index += 2) {
    const name = fields[index] ?? "";
    headers[name] ??= [];
    headers[name].push(fields[index + 1] ?? "");
  }
  return headers;
}

function flatten(headers: IncomingHttpHeaders): string[] {
  return Object.entries(headers).flatMap(([name, value]) =>
    value === undefined ? [] : [value].flat().flatMap((one) => [name, one]),
  );
}
