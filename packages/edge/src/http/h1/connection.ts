import { STATUS_CODES } from "node:http";
import type { Socket } from "node:net";
import { BodyPace } from "../body-pace.ts";
import type {
  BodySink,
  Closable,
  ConnectionOptions,
  HttpLimits,
  TunnelLimits,
} from "../exchange.ts";
import { fieldLines } from "../fields.ts";
import { bytesAfterHead } from "../head-end.ts";
import { HeadScan, JoinedReads } from "../head-scan.ts";
import { httpDate } from "../http-date.ts";
import { ReadBudget, RecordCount } from "../read-budget.ts";
import { findHead, parseRequestHead, type Rejection, type RequestHead } from "../request-head.ts";
import { BodyDecoder } from "./body-decoder.ts";
import { type H1Carrier, H1Exchange } from "./exchange.ts";
import { createLentReads } from "./lent-reads.ts";

/**
 * head: waiting for a request. body: reading its body. response: the request is complete, the
 * response is not. discard: the response is written and further bytes are dropped, because closing
 * a socket with unread bytes resets it and can lose the response. tunnel: a WebSocket owns the
 * socket.
 */
type Phase = "head" | "body" | "response" | "discard" | "tunnel";

const reads = createLentReads();

/** Bytes of pipelined requests that are buffered behind the request in flight. */
const maxPipelinedBytes = 65_536;
/**
 * The reads in which they arrive, or the start of a body that nobody takes yet; then the client
 * waits. A usual client needs one or two, and while the edge reads it sees a client disconnect.
 */
const maxWaitingReads = 32;
const discardMs = 2_000;

/** The server side of one HTTP/1.1 connection; responses are sent in the order of the requests. */
export class H1Connection implements Closable, H1Carrier {
  readonly remoteAddress: string;
  readonly #socket: Socket;
  readonly #options: ConnectionOptions;
  readonly #limits: HttpLimits;
  #phase: Phase = "head";
  #pending: Buffer | null = null;
  readonly #joined = new JoinedReads();
  readonly #scan = new HeadScan();
  readonly #budget: ReadBudget;
  #waitingReads = 0;
  #isOverspent = false;
  #current: H1Exchange | null = null;
  #decoder: BodyDecoder | null = null;
  #sink: BodySink | null = null;
  #pace: BodyPace;
  #isBodyPaused = false;
  #isPumping = false;
  #isHeadBegun = false;
  #isLast = false;
  #isDraining = false;
  #requests = 0;
  #deadline: number;
  #stalledSince: number | null = null;
  #tunnelBytes = 0;
  #tunnelIdleMs = 0;
  #tunnelEnd = Number.POSITIVE_INFINITY;
  /** Of a tunnel: its owner reads. */
  #records: RecordCount | null = null;
  readonly #onData = (chunk: Buffer) => this.#receive(chunk);
  readonly #onDrain = () => this.#drained();

  constructor(socket: Socket, options: ConnectionOptions) {
    this.remoteAddress = options.remoteAddress;
    this.#socket = socket;
    this.#options = options;
    this.#limits = options.limits;
    this.#pace = new BodyPace(options.limits);
    this.#budget = new ReadBudget(options.areReadsLimited, options.sharedReads);
    this.#deadline = performance.now() + this.#limits.keepAliveMs;
    socket.on("drain", this.#onDrain);
    socket.on("error", () => socket.destroy());
    socket.on("close", () => this.#closed());
    reads.start(socket, this.#onData);
  }

  check(now: number): void {
    if (!this.#options.isCurrent()) {
      this.destroy();
      return;
    }
    if (this.#phase === "tunnel") {
      this.#checkTunnel(now);
      return;
    }
    if (this.#stalledSince !== null && now - this.#stalledSince > this.#limits.stallMs) {
      this.destroy();
      return;
    }
    if (this.#phase === "body" && this.#current?.hasResponded === false) {
      if (this.#pace.isTooSlow(now)) this.#reject({ status: 408, reason: "body too slow" });
      return;
    }
    if (now < this.#deadline) return;
    if (this.#phase === "head" && this.#isHeadBegun) {
      this.#reject({ status: 408, reason: "head timeout" });
    } else if (this.#phase !== "response" && this.#phase !== "body") this.destroy();
  }

  checkReads(): void {
    if (this.#records?.charge(this.#budget) === false) this.#overspent();
  }

  drain(): void {
    this.#isDraining = true;
    // Closing is announced by `Connection: close` first: the client may send a request meanwhile.
    if (this.#current !== null && !this.#current.hasResponded) this.#isLast = true;
    if (this.#phase === "head" && !this.#isHeadBegun) this.#awaitHead();
  }

  destroy(): void {
    this.#socket.destroy();
  }

  isPersistent(): boolean {
    return !this.#isLast && this.#phase === "response";
  }

  closeAfter(): void {
    this.#isLast = true;
  }

  stalled(): void {
    this.#stalledSince ??= performance.now();
  }

  startBody(exchange: H1Exchange, sink: BodySink): void {
    if (exchange !== this.#current || this.#phase !== "body") return;
    this.#sink = sink;
    this.#waitingReads = 0;
    if (!exchange.head.expectsContinue || exchange.isContinued) this.#pace.wait(performance.now());
    this.#socket.resume();
    this.#pump();
  }

  continued(exchange: H1Exchange): void {
    if (exchange === this.#current && this.#sink !== null && !this.#isBodyPaused) {
      this.#pace.wait(performance.now());
    }
  }

  resumeBody(exchange: H1Exchange): void {
    if (exchange !== this.#current || !this.#isBodyPaused) return;
    this.#isBodyPaused = false;
    this.#pace.wait(performance.now());
    this.#socket.resume();
    this.#pump();
  }

  finished(exchange: H1Exchange): void {
    if (exchange !== this.#current) return;
    this.#current = null;
    this.#sink = null;
    if (this.#isLast || this.#phase !== "response") {
      this.#linger();
      return;
    }
    this.#phase = "head";
    this.#isHeadBegun = false;
    this.#waitingReads = 0;
    if (this.#pending === null) this.#joined.release();
    this.#awaitHead();
    if (this.#socket.isPaused()) this.#socket.resume();
    this.#pump();
  }

  takeSocket({ idleMs, lifetimeMs }: TunnelLimits): {
    readonly socket: Socket;
    readonly rest: Buffer | null;
  } {
    const rest = reads.keep(this.#pending);
    const { wire } = this.#options;
    if (wire !== null) this.#records = new RecordCount(wire, this.#socket);
    this.#pending = null;
    this.#joined.release();
    this.#current = null;
    this.#phase = "tunnel";
    const now = performance.now();
    this.#tunnelIdleMs = idleMs;
    this.#deadline = now + idleMs;
    this.#tunnelEnd = now + lifetimeMs;
    reads.stop(this.#socket, this.#onData);
    this.#socket.off("drain", this.#onDrain);
    return { socket: this.#socket, rest };
  }

  #awaitHead(): void {
    const { drainIdleMs, keepAliveMs } = this.#limits;
    this.#deadline = performance.now() + (this.#isDraining ? drainIdleMs : keepAliveMs);
  }

  #receive(chunk: Buffer): void {
    if (!this.#budget.spend(1, chunk.length)) {
      this.#overspent();
      return;
    }
    if (this.#phase === "discard") return;
    this.#pending = this.#joined.join(this.#pending, chunk);
    this.#pump();
    if (this.#pending === null) return;
    this.#pending = reads.keep(this.#pending);
    if (this.#phase !== "head" || this.#socket.writableNeedDrain) this.#limitWaiting();
  }

  /** Bytes arrive that nobody takes yet. */
  #limitWaiting(): void {
    this.#waitingReads += 1;
    const bytes = this.#pending?.length ?? 0;
    if (bytes > maxPipelinedBytes || this.#waitingReads >= maxWaitingReads) this.#socket.pause();
  }

  #overspent(): void {
    this.#countOverspent();
    this.destroy();
  }

  /** A handler may respond before it returns, so this loops instead of recursing. */
  #pump(): void {
    if (this.#isPumping) return;
    this.#isPumping = true;
    while (this.#pending !== null && this.#step());
    this.#isPumping = false;
  }

  #step(): boolean {
    // A client that does not read its responses gets no more of them.
    if (this.#phase === "head") return !this.#socket.writableNeedDrain && this.#takeHead();
    if (this.#phase === "body" && this.#sink !== null && !this.#isBodyPaused) {
      return this.#takeBody(this.#sink);
    }
    return false;
  }

  #takeHead(): boolean {
    const bytes = this.#pending;
    if (bytes === null) return false;
    if (!this.#isHeadBegun) {
      this.#isHeadBegun = true;
      this.#scan.reset();
      this.#deadline = performance.now() + this.#limits.headMs;
    }
    const found = findHead(bytes, this.#limits.headBytes, this.#scan);
    if (found === "incomplete") {
      if (this.#scan.isShattered) this.#refuseShattered();
      return false;
    }
    const head = "status" in found ? found : parseRequestHead(bytes, found, this.#limits.fields);
    if (!("method" in head)) {
      this.#reject(head);
      return false;
    }
    this.#pending = "end" in found ? bytesAfterHead(bytes, found.end) : null;
    this.#begin(head);
    return true;
  }

  #countOverspent(): void {
    if (!this.#isOverspent) this.#options.onOverspent();
    this.#isOverspent = true;
  }

  #refuseShattered(): void {
    this.#countOverspent();
    this.#reject({ status: 400, reason: "head in too many pieces" });
  }

  #begin(head: RequestHead): void {
    this.#budget.addRequest();
    const { framing, connection, version } = head;
    const isPersistent =
      version === "1.0" ? connection.includes("keep-alive") : !connection.includes("close");
    this.#requests += 1;
    const isUsedUp = this.#requests >= this.#limits.requestsPerConnection;
    if (isUsedUp || this.#isDraining || !isPersistent) this.#isLast = true;
    if (framing !== "none") this.#pace = new BodyPace(this.#limits);
    this.#decoder = framing === "none" ? null : new BodyDecoder(framing, "client");
    this.#phase = framing === "none" ? "response" : "body";
    this.#current = new H1Exchange(head, this, this.#socket);
    this.#options.handle(this.#current);
  }

  #takeBody(sink: BodySink): boolean {
    const bytes = this.#pending;
    const decoder = this.#decoder;
    if (bytes === null || decoder === null) return false;
    this.#pending = null;
    const now = performance.now();
    this.#pace.wait(now);
    this.#pace.received(bytes.length, now);
    const taken = decoder.feed(bytes, (data) => {
      if (sink.write(data)) return;
      this.#isBodyPaused = true;
      this.#pace.pause(now);
      this.#socket.pause();
    });
    if (taken === -1) {
      this.#reject({ status: 400, reason: "chunk" });
      return false;
    }
    if (taken < bytes.length) this.#pending = bytes.subarray(taken);
    if (!decoder.isDone) return false;
    this.#phase = "response";
    this.#decoder = null;
    this.#sink = null;
    if (this.#isBodyPaused) {
      this.#isBodyPaused = false;
      this.#socket.resume();
    }
    sink.end(decoder.trailers);
    return true;
  }

  /** Answers a request that could not be read, unless its response has already begun. */
  #reject(rejection: Rejection): void {
    const current = this.#current;
    const requestFields = current?.head.fields ?? [];
    const { status, fields, body } = this.#options.onRejected(rejection, current, requestFields);
    this.#isLast = true;
    this.#current = null;
    this.#pending = null;
    if (current !== null) {
      current.isEnded = true;
      current.events?.onClosed({ status, fields });
      if (current.hasResponded) {
        this.destroy();
        return;
      }
    }
    this.#socket.write(
      `HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ""}\r\n` +
        `date: ${httpDate()}\r\n${fieldLines(fields)}content-length: ${Buffer.byteLength(body)}\r\n` +
        `connection: close\r\n\r\n${body}`,
    );
    this.#linger();
  }

  #linger(): void {
    const isRead = this.#phase === "response" && this.#pending === null;
    this.#phase = "discard";
    this.#pending = null;
    this.#deadline = performance.now() + discardMs;
    if (isRead) this.#socket.destroySoon();
    else this.#socket.end();
    this.#socket.resume();
  }

  #drained(): void {
    this.#stalledSince = null;
    this.#current?.events?.onDrain();
    if (this.#phase !== "head") return;
    this.#waitingReads = 0;
    if (this.#socket.isPaused()) this.#socket.resume();
    this.#pump();
  }

  #closed(): void {
    const current = this.#current;
    this.#current = null;
    if (current === null) return;
    current.isEnded = true;
    current.events?.onClosed();
  }

  #checkTunnel(now: number): void {
    const bytes = this.#socket.bytesRead + this.#socket.bytesWritten;
    if (bytes !== this.#tunnelBytes) {
      this.#tunnelBytes = bytes;
      this.#deadline = now + this.#tunnelIdleMs;
    }
    if (now > this.#deadline || now > this.#tunnelEnd) this.destroy();
  }
}
