import type { Socket } from "node:net";
import { writeCopy } from "../copied-writes.ts";
import type {
  BodySink,
  Exchange,
  ExchangeEvents,
  ResponseHead,
  Tunnel,
  TunnelLimits,
} from "../exchange.ts";
import { type Fields, fieldLines, fieldValue } from "../fields.ts";
import { httpDate } from "../http-date.ts";
import type { RequestHead } from "../request-head.ts";

/** The connection as its exchanges use it. */
export interface H1Carrier {
  readonly remoteAddress: string;
  /** Whether the connection accepts another request after this response. */
  isPersistent(): boolean;
  /** 100 (Continue) was sent: the client may send the body now. */
  continued(exchange: H1Exchange): void;
  startBody(exchange: H1Exchange, sink: BodySink): void;
  resumeBody(exchange: H1Exchange): void;
  finished(exchange: H1Exchange): void;
  closeAfter(): void;
  stalled(): void;
  takeSocket(limits: TunnelLimits): { readonly socket: Socket; readonly rest: Buffer | null };
}

/** One request on an HTTP/1.1 connection; writes its response. */
export class H1Exchange implements Exchange {
  readonly head: RequestHead;
  hasResponded = false;
  /** The response is complete, or never will be. */
  isEnded = false;
  /** 100 (Continue) was sent. */
  isContinued = false;
  events: ExchangeEvents | null = null;
  readonly #carrier: H1Carrier;
  readonly #socket: Socket;
  #isChunked = false;
  #hasBody = false;
  #isCorked = false;
  /** A corked `write` has returned false. */
  #hasAskedForPause = false;
  /** Of the response, to be written together. */
  #pieces: (Buffer | string)[] = [];
  #pieceBytes = 0;

  constructor(head: RequestHead, carrier: H1Carrier, socket: Socket) {
    this.head = head;
    this.#carrier = carrier;
    this.#socket = socket;
  }

  get #isHttp10(): boolean {
    return this.head.version === "1.0";
  }

  get remoteAddress(): string {
    return this.#carrier.remoteAddress;
  }

  listen(events: ExchangeEvents): void {
    this.events = events;
  }

  startBody(sink: BodySink): void {
    if (!this.isEnded) this.#carrier.startBody(this, sink);
  }

  resumeBody(): void {
    if (!this.isEnded) this.#carrier.resumeBody(this);
  }

  inform(status: number, fields: Fields): boolean {
    if (this.isEnded || this.hasResponded || this.#isHttp10) return true;
    const reason = status === 100 ? "Continue" : "";
    const head = `HTTP/1.1 ${status} ${reason}\r\n${fieldLines(fields)}\r\n`;
    const isWritable = this.#socket.write(head, "latin1");
    if (!isWritable) this.#carrier.stalled();
    if (status === 100) {
      this.isContinued = true;
      this.#carrier.continued(this);
    }
    return isWritable;
  }

  respond(head: ResponseHead): void {
    if (this.isEnded || this.hasResponded) return;
    this.hasResponded = true;
    this.#hasBody = head.hasBody;
    const isOpenEnded = head.hasBody && head.length === null;
    this.#isChunked = isOpenEnded && !this.#isHttp10;
    // RFC 9112 §6.3: to HTTP/1.0 only the close can end a body of unknown length.
    if (isOpenEnded && this.#isHttp10) this.#carrier.closeAfter();
    const framing = this.#isChunked ? "transfer-encoding: chunked\r\n" : this.#lengthLine(head);
    const isPersistent = this.#carrier.isPersistent();
    // The header announces a close, so it must happen even if the rest of the request still
    // arrives.
    if (!isPersistent) this.#carrier.closeAfter();
    const http10 = this.#isHttp10 ? "connection: keep-alive\r\n" : "";
    const connection = isPersistent ? http10 : "connection: close\r\n";
    // RFC 9110 §6.6.1: a gateway adds the date that is missing.
    const date = fieldValue(head.fields, "date") === null ? `date: ${httpDate()}\r\n` : "";
    this.#put(
      `HTTP/1.1 ${head.status} ${head.reason}\r\n${fieldLines(head.fields)}${date}${framing}${connection}\r\n`,
    );
    if (!this.#isCorked) this.#flush();
  }

  /** A head from HTTP/2 may be a whole response without saying so: here a length of 0 does. */
  #lengthLine({ length, hasBody, status }: ResponseHead): string {
    if (length !== null) return `content-length: ${length}\r\n`;
    return hasBody || isBodyless(status, this.head.method) ? "" : "content-length: 0\r\n";
  }

  write(chunk: Buffer): boolean {
    if (this.isEnded || !this.#hasBody) return true;
    if (this.#isChunked) {
      this.#put(`${chunk.length.toString(16)}\r\n`);
      this.#put(chunk);
      this.#put("\r\n");
    } else this.#put(chunk);
    if (!this.#isCorked) return this.#flush();
    const { writableLength, writableHighWaterMark } = this.#socket;
    const isWritable = writableLength + this.#pieceBytes < writableHighWaterMark;
    if (!isWritable) this.#hasAskedForPause = true;
    return isWritable;
  }

  #put(piece: Buffer | string): void {
    this.#pieces.push(piece);
    this.#pieceBytes += piece.length;
  }

  #flush(): boolean {
    if (this.#pieces.length === 0) return true;
    const isWritable = writeCopy(this.#socket, this.#pieces);
    if (!isWritable) this.#carrier.stalled();
    this.#pieces = [];
    this.#pieceBytes = 0;
    return isWritable;
  }

  end(trailers: Fields): void {
    if (this.isEnded) return;
    this.isEnded = true;
    if (this.#isChunked) this.#put(`0\r\n${fieldLines(trailers)}\r\n`);
    this.#flush();
    this.#carrier.finished(this);
  }

  cork(): void {
    this.#isCorked = true;
  }

  uncork(): void {
    this.#isCorked = false;
    const isWritable = this.#flush();
    if (!this.#hasAskedForPause) return;
    this.#hasAskedForPause = false;
    // Without TLS the system may have taken all at once: then the socket has no drain to emit.
    if (isWritable) process.nextTick(() => this.#drained());
  }

  #drained(): void {
    if (!this.isEnded) this.events?.onDrain();
  }

  abort(): void {
    if (this.isEnded) return;
    this.isEnded = true;
    this.#socket.destroy();
  }

  closeAfter(): void {
    this.#carrier.closeAfter();
  }

  startTunnel(fields: Fields, limits: TunnelLimits): Tunnel | null {
    if (this.isEnded) return null;
    this.isEnded = true;
    const { socket, rest } = this.#carrier.takeSocket(limits);
    socket.write(
      "HTTP/1.1 101 Switching Protocols\r\nconnection: Upgrade\r\nupgrade: websocket\r\n" +
        `${fieldLines(fields)}\r\n`,
      "latin1",
    );
    return {
      stream: socket,
      rest,
      // The connection counts the socket's bytes itself.
      onBytes: () => undefined,
      finish: () => socket.destroySoon(),
      cut: () => socket.destroy(),
    };
  }
}

/** RFC 9110 §6.4.1: responses that never have content, whatever their fields say. */
function isBodyless(status: number, method: string): boolean {
  return method === "HEAD" || status < 200 || status === 204 || status === 304;
}
