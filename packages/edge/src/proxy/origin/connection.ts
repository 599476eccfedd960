import type { Socket } from "node:net";
import type { EdgeLimits } from "../../config/limits.ts";
import { GatheredWrites } from "../../http/copied-writes.ts";
import type { Closable } from "../../http/exchange.ts";
import { type Fields, fieldLines, safeTrailers } from "../../http/fields.ts";
import { BodyDecoder } from "../../http/h1/body-decoder.ts";
import { createLentReads } from "../../http/h1/lent-reads.ts";
import { type OriginHead, parseResponseHead } from "../../http/h1/response-head.ts";
import { bytesAfterHead } from "../../http/head-end.ts";
import { HeadScan, JoinedReads } from "../../http/head-scan.ts";
import type { RequestHead } from "../../http/request-head.ts";
import type { ProcessorShares } from "../../scheduling/processor-shares.ts";
import { isDroppedFromRequest, originRequestHead, type RequestContext } from "../headers.ts";
import { ResponseBudget } from "../limits/response-budget.ts";
import type { OriginEvents, OriginExchange, OriginFailure, OriginTimeouts } from "./exchange.ts";

/** What the connections to origins share. */
export interface OriginConnectionOptions {
  readonly limits: EdgeLimits;
  readonly shares: ProcessorShares;
}

export interface OriginOwner {
  /** The response is complete and the connection may carry another request. */
  onIdle(connection: OriginConnection): void;
  onClose(connection: OriginConnection): void;
}

const reads = createLentReads();

/** One HTTP/1.1 connection to an origin and the request in flight on it. */
export class OriginConnection implements Closable, OriginExchange {
  readonly protocol = "http/1.1";
  hasAnswered = false;
  idleSince = 0;
  readonly #socket: Socket;
  readonly #body: GatheredWrites;
  readonly #limits: EdgeLimits;
  readonly #shares: ProcessorShares;
  readonly #owner: OriginOwner;
  #events: OriginEvents | null = null;
  #method = "";
  #applicationId = "";
  #budget: ResponseBudget;
  #isChunked = false;
  #decoder: BodyDecoder | null = null;
  #head: OriginHead | null = null;
  #pending: Buffer | null = null;
  readonly #joined = new JoinedReads();
  readonly #scan = new HeadScan();
  #isRequestSent = false;
  #isPaused = false;
  /** Waits for its share of the processor. */
  #isYielding = false;
  /** The origin does not read what was written. */
  #isBlocked = false;
  #deadline = Number.POSITIVE_INFINITY;
  #silenceMs: number;
  #firstByteMs: number;
  readonly #onData = (chunk: Buffer) => {
    const startedAt = performance.now();
    this.#receive(chunk);
    this.#spend(performance.now() - startedAt);
  };
  readonly #onShare = () => this.#continue();
  readonly #onDrain = () => this.#drained();
  readonly #onClose = () => this.#closed();

  constructor(socket: Socket, { limits, shares }: OriginConnectionOptions, owner: OriginOwner) {
    this.#socket = socket;
    this.#body = new GatheredWrites(socket);
    this.#limits = limits;
    this.#shares = shares;
    this.#budget = new ResponseBudget(limits.originHeadBytes);
    this.#owner = owner;
    this.#silenceMs = limits.stallMs;
    this.#firstByteMs = limits.originFirstByteMs;
    socket.on("drain", this.#onDrain);
    socket.on("close", this.#onClose);
    reads.start(socket, this.#onData);
  }

  get isUsable(): boolean {
    return this.#events === null && !this.#socket.destroyed && this.#socket.writable;
  }

  start(head: RequestHead, context: RequestContext, events: OriginEvents): void {
    this.#events = events;
    this.#method = head.method;
    this.#applicationId = context.target.applicationId;
    this.#budget = new ResponseBudget(this.#limits.originHeadBytes);
    this.#isChunked = head.framing === "chunked";
    this.#head = null;
    this.#decoder = null;
    this.hasAnswered = false;
    this.#silenceMs = this.#limits.stallMs;
    this.#firstByteMs = this.#limits.originFirstByteMs;
    this.#isRequestSent = head.framing === "none";
    this.#isBlocked = !this.#socket.write(originRequestHead(head, context), "latin1");
    this.#restartDeadline();
  }

  write(chunk: Buffer): boolean {
    const pieces = this.#isChunked ? [`${chunk.length.toString(16)}\r\n`, chunk, "\r\n"] : [chunk];
    this.#isBlocked = !this.#body.write(pieces);
    this.#restartDeadline();
    return !this.#isBlocked;
  }

  end(trailers: Fields): void {
    if (this.#isChunked) {
      const lines = fieldLines(safeTrailers(trailers, isDroppedFromRequest));
      this.#isBlocked = !this.#body.write([`0\r\n${lines}\r\n`]);
    }
    this.#body.flush();
    this.#isRequestSent = true;
    this.#restartDeadline();
  }

  resume(): void {
    this.#isPaused = false;
    this.#restartDeadline();
    if (!this.#isYielding) this.#socket.resume();
  }

  useTimeouts({ firstByteMs, silenceMs }: OriginTimeouts): void {
    this.#firstByteMs = firstByteMs;
    this.#silenceMs = silenceMs;
    this.#restartDeadline();
  }

  abandon(): void {
    this.#events = null;
    this.#socket.destroy();
  }

  check(now: number): void {
    if (now < this.#deadline || this.#isPaused) return;
    this.#fail("timeout");
  }

  drain(): void {
    if (this.#events === null) this.#socket.destroy();
  }

  destroy(): void {
    this.#socket.destroy();
  }

  #receive(chunk: Buffer): void {
    const events = this.#events;
    // Bytes between two responses would be taken for the response to the next request.
    if (events === null) {
      this.#socket.destroy();
      return;
    }
    this.hasAnswered = true;
    this.#pending = this.#joined.join(this.#pending, chunk);
    events.cork();
    while (this.#events === events && this.#pending !== null && this.#step(events));
    events.uncork();
    this.#pending = reads.keep(this.#pending);
    if (this.#events === events) this.#restartDeadline();
  }

  #pause(): void {
    this.#isPaused = true;
    this.#socket.pause();
  }

  /** Counts the time of a read; beyond the application's share the next one waits. */
  #spend(ms: number): void {
    if (this.#shares.spend(this.#applicationId, ms, this.#onShare)) return;
    // A connection without a request reads on: it may be closed, or a WebSocket's.
    if (this.#events === null) return;
    this.#isYielding = true;
    this.#socket.pause();
  }

  #continue(): void {
    if (!this.#isYielding) return;
    this.#isYielding = false;
    if (!this.#isPaused) this.#socket.resume();
  }

  /**
   * A response that has begun may be silent for `#silenceMs`. Before, the time to its first byte
   * counts from the last byte of the request; until that is sent, only an origin that does not read
   * is late.
   */
  #restartDeadline(): void {
    const now = performance.now();
    if (this.#head !== null) this.#deadline = now + this.#silenceMs;
    else if (this.#isRequestSent) this.#deadline = now + this.#firstByteMs;
    else if (this.#isBlocked) this.#deadline = now + this.#limits.stallMs;
    else this.#deadline = Number.POSITIVE_INFINITY;
  }

  #drained(): void {
    this.#isBlocked = false;
    if (this.#events === null) return;
    this.#restartDeadline();
    this.#events.onOriginDrain();
  }

  #step(events: OriginEvents): boolean {
    return this.#decoder === null ? this.#takeHead(events) : this.#takeBody(events, this.#decoder);
  }

  #takeHead(events: OriginEvents): boolean {
    const bytes = this.#pending;
    if (bytes === null) return false;
    const end = this.#scan.find(bytes, 0);
    if (end === -1 || end > this.#limits.originHeadBytes) {
      const isTooLarge = bytes.length > this.#limits.originHeadBytes;
      if (isTooLarge || this.#scan.isShattered) this.#fail("malformed");
      return false;
    }
    this.#scan.reset();
    const head = parseResponseHead(bytes, end, this.#method);
    if (head === null) {
      this.#fail("malformed");
      return false;
    }
    this.#pending = bytesAfterHead(bytes, end);
    if (head.status === 101) {
      this.#switch(head, events);
      return false;
    }
    if (head.status < 200) {
      if (!this.#budget.inform(end)) this.#fail("informational");
      else if (!events.onInform(head)) this.#pause();
      return true;
    }
    this.#head = head;
    this.#decoder = new BodyDecoder(head.framing, "origin");
    events.onHead(head);
    if (this.#decoder.isDone && this.#events === events) this.#finish(events, this.#decoder);
    return true;
  }

  #takeBody(events: OriginEvents, decoder: BodyDecoder): boolean {
    const bytes = this.#pending;
    if (bytes === null) return false;
    this.#pending = null;
    let content = 0;
    const taken = decoder.feed(bytes, (data) => {
      content = data.length;
      if (!events.onData(data)) this.#pause();
    });
    if (this.#events !== events) return false;
    if (taken === -1) {
      this.#fail("malformed");
      return false;
    }
    if (!this.#budget.frame(taken - content, content, performance.now())) {
      this.#fail("framing");
      return false;
    }
    if (taken < bytes.length) this.#pending = bytes.subarray(taken);
    if (decoder.isDone) this.#finish(events, decoder);
    return false;
  }

  #finish(events: OriginEvents, decoder: BodyDecoder): void {
    const head = this.#head;
    // Bytes after the end, or an unread rest of the request, make the connection unusable.
    const isReusable = head?.isPersistent === true && this.#pending === null && this.#isRequestSent;
    this.#events = null;
    this.#pending = null;
    this.#joined.release();
    this.#decoder = null;
    this.#head = null;
    if (this.#isPaused || this.#isYielding) {
      this.#isPaused = false;
      this.#isYielding = false;
      this.#socket.resume();
    }
    if (isReusable) {
      const seconds = head.keepAliveSeconds ?? Number.POSITIVE_INFINITY;
      // One second early, so that no request crosses the origin's close.
      const idleMs = Math.min(this.#limits.originIdleMs, (seconds - 1) * 1_000);
      this.idleSince = performance.now();
      this.#deadline = this.idleSince + idleMs;
      if (idleMs > 0) this.#owner.onIdle(this);
      else this.#socket.destroy();
    } else this.#socket.destroy();
    events.onEnd(decoder.trailers);
  }

  #switch(head: OriginHead, events: OriginEvents): void {
    const rest = reads.keep(this.#pending);
    this.#events = null;
    this.#pending = null;
    this.#deadline = Number.POSITIVE_INFINITY;
    reads.stop(this.#socket, this.#onData);
    this.#socket.off("drain", this.#onDrain);
    this.#socket.pause();
    events.onSwitch(head, this.#socket, rest);
  }

  #closed(): void {
    this.#owner.onClose(this);
    const events = this.#events;
    if (events === null) return;
    this.#events = null;
    // RFC 9112 §6.3: without other framing the close ends the body.
    if (this.#head?.framing === "close" && this.#socket.errored === null) events.onEnd([]);
    else events.onFail("closed", null);
  }

  #fail(failure: OriginFailure): void {
    const events = this.#events;
    this.#events = null;
    this.#socket.destroy();
    events?.onFail(failure, null);
  }
}
