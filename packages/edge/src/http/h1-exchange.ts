import type { Socket } from "node:net";
import type { BodySink, ResponseHead, Visitor, VisitorEvents } from "./exchange.ts";
import { type Fields, fieldLines } from "./fields.ts";
import type { RequestHead } from "./request-head.ts";

/** What a request asks of the connection that it came on. */
export interface H1Carrier {
  readonly remoteAddress: string;
  /** The connection carries another request after this one's response. */
  willStay(): boolean;
  startBody(visitor: H1Visitor, sink: BodySink): void;
  resumeBody(visitor: H1Visitor): void;
  finished(visitor: H1Visitor): void;
  closeAfter(): void;
  stalled(): void;
  takeSocket(visitor: H1Visitor): { readonly socket: Socket; readonly rest: Buffer | null };
}

/** One request on an HTTP/1.1 connection: writes its response. */
export class H1Visitor implements Visitor {
  readonly head: RequestHead;
  hasResponded = false;
  /** The response is complete, or never will be. */
  isOver = false;
  events: VisitorEvents | null = null;
  readonly #carrier: H1Carrier;
  readonly #socket: Socket;
  #isChunked = false;
  #hasBody = false;

  constructor(head: RequestHead, carrier: H1Carrier, socket: Socket) {
    this.head = head;
    this.#carrier = carrier;
    this.#socket = socket;
  }

  get remoteAddress(): string {
    return this.#carrier.remoteAddress;
  }

  listen(events: VisitorEvents): void {
    this.events = events;
  }

  startBody(sink: BodySink): void {
    if (!this.isOver) this.#carrier.startBody(this, sink);
  }

  resumeBody(): void {
    if (!this.isOver) this.#carrier.resumeBody(this);
  }

  inform(status: number, fields: Fields): void {
    if (this.isOver || this.hasResponded || this.head.isHttp10) return;
    const reason = status === 100 ? "Continue" : "";
    this.#socket.write(`HTTP/1.1 ${status} ${reason}\r\n${fieldLines(fields)}\r\n`, "latin1");
  }

  respond(head: ResponseHead): void {
    if (this.isOver || this.hasResponded) return;
    this.hasResponded = true;
    this.#hasBody = head.hasBody;
    const isEndless = head.hasBody && head.length === null;
    this.#isChunked = isEndless && !this.head.isHttp10;
    // RFC 9112 §6.3: to HTTP/1.0 only the close can end a body of unknown length.
    if (isEndless && this.head.isHttp10) this.#carrier.closeAfter();
    const length = head.length === null ? "" : `content-length: ${head.length}\r\n`;
    const framing = this.#isChunked ? "transfer-encoding: chunked\r\n" : length;
    const willStay = this.#carrier.willStay();
    // What is said here holds, even if the rest of the request arrives before the response is out.
    if (!willStay) this.#carrier.closeAfter();
    const stay = willStay ? "" : "connection: close\r\n";
    this.#socket.write(
      `HTTP/1.1 ${head.status} ${head.reason}\r\n${fieldLines(head.fields)}${framing}${stay}\r\n`,
      "latin1",
    );
  }

  write(chunk: Buffer): boolean {
    if (this.isOver || !this.#hasBody) return true;
    let hasRoom: boolean;
    if (this.#isChunked) {
      this.#socket.write(`${chunk.length.toString(16)}\r\n`, "latin1");
      this.#socket.write(chunk);
      hasRoom = this.#socket.write("\r\n", "latin1");
    } else hasRoom = this.#socket.write(chunk);
    if (!hasRoom) this.#carrier.stalled();
    return hasRoom;
  }

  end(trailers: Fields): void {
    if (this.isOver) return;
    this.isOver = true;
    if (this.#isChunked) this.#socket.write(`0\r\n${fieldLines(trailers)}\r\n`, "latin1");
    this.#carrier.finished(this);
  }

  cork(): void {
    this.#socket.cork();
  }

  uncork(): void {
    this.#socket.uncork();
  }

  abort(): void {
    if (this.isOver) return;
    this.isOver = true;
    this.#socket.destroy();
  }

  closeAfter(): void {
    this.#carrier.closeAfter();
  }

  takeSocket(): { readonly socket: Socket; readonly rest: Buffer | null } | null {
    if (this.isOver) return null;
    this.isOver = true;
    return this.#carrier.takeSocket(this);
  }
}
