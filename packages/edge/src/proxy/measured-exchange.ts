import type { Socket } from "node:net";
import type {
  BodySink,
  Exchange,
  ExchangeEvents,
  ResponseHead,
  TunnelLimits,
} from "../http/exchange.ts";
import type { Fields } from "../http/fields.ts";

/** What an exchange amounted to. */
export interface ExchangeSummary {
  /** Null when the client disconnected before the response. */
  readonly response: Pick<ResponseHead, "status" | "fields"> | null;
  /** Of the bodies. */
  readonly sentBytes: number;
  readonly receivedBytes: number;
  readonly elapsedMs: number;
  /** Whether the whole response was sent. */
  readonly isComplete: boolean;
}

export interface ExchangeObserver {
  /** Called once for each exchange, when it is over; for a WebSocket, when it has been opened. */
  onOver(exchange: Exchange, summary: ExchangeSummary): void;
  /** The bytes of a WebSocket that has closed. */
  onTunnelClosed(sentBytes: number, receivedBytes: number): void;
}

/** An exchange that reports to the observer when it is over. */
export class MeasuredExchange implements Exchange, ExchangeEvents {
  readonly #exchange: Exchange;
  readonly #observer: ExchangeObserver;
  readonly #startedAt = performance.now();
  #events: ExchangeEvents | null = null;
  #response: ExchangeSummary["response"] = null;
  #sentBytes = 0;
  #receivedBytes = 0;
  #isOver = false;
  #isReleased = false;
  #release: (() => void) | null = null;

  constructor(exchange: Exchange, observer: ExchangeObserver) {
    this.#exchange = exchange;
    this.#observer = observer;
    // Handlers that respond at once never call `listen`; a disconnect is reported for them too.
    exchange.listen(this);
  }

  get head() {
    return this.#exchange.head;
  }

  get remoteAddress() {
    return this.#exchange.remoteAddress;
  }

  get hasResponded() {
    return this.#exchange.hasResponded;
  }

  listen(events: ExchangeEvents): void {
    this.#events = events;
  }

  startBody(sink: BodySink): void {
    this.#exchange.startBody({
      write: (chunk) => {
        this.#receivedBytes += chunk.length;
        return sink.write(chunk);
      },
      end: (trailers) => sink.end(trailers),
    });
  }

  resumeBody(): void {
    this.#exchange.resumeBody();
  }

  inform(status: number, fields: Fields): void {
    this.#exchange.inform(status, fields);
  }

  respond(head: ResponseHead): void {
    this.#response ??= head;
    this.#exchange.respond(head);
  }

  write(chunk: Buffer): boolean {
    this.#sentBytes += chunk.length;
    return this.#exchange.write(chunk);
  }

  end(trailers: Fields): void {
    this.#exchange.end(trailers);
    this.#over(true);
  }

  cork(): void {
    this.#exchange.cork();
  }

  uncork(): void {
    this.#exchange.uncork();
  }

  abort(): void {
    this.#exchange.abort();
    this.#over(false);
  }

  closeAfter(): void {
    this.#exchange.closeAfter();
  }

  takeSocket(
    limits: TunnelLimits,
  ): { readonly socket: Socket; readonly rest: Buffer | null } | null {
    const taken = this.#exchange.takeSocket(limits);
    if (taken === null) return null;
    this.#response = { status: 101, fields: [] };
    this.#report(true);
    const { socket, rest } = taken;
    const [written, read] = [socket.bytesWritten, socket.bytesRead - (rest?.length ?? 0)];
    socket.once("close", () => {
      this.#observer.onTunnelClosed(socket.bytesWritten - written, socket.bytesRead - read);
      this.#released();
    });
    return taken;
  }

  /** Calls back once, when the exchange is over and a WebSocket that it opened has closed. */
  whenReleased(release: () => void): void {
    this.#release = release;
    if (this.#isReleased) release();
  }

  #released(): void {
    if (this.#isReleased) return;
    this.#isReleased = true;
    this.#release?.();
  }

  // Events of the wrapped exchange.

  onDrain(): void {
    this.#events?.onDrain();
  }

  onClosed(rejection?: ExchangeSummary["response"]): void {
    this.#response ??= rejection ?? null;
    this.#over(false);
    this.#events?.onClosed();
  }

  #over(isComplete: boolean): void {
    if (this.#isOver) return;
    this.#report(isComplete);
    this.#released();
  }

  #report(isComplete: boolean): void {
    this.#isOver = true;
    this.#observer.onOver(this, {
      response: this.#response,
      sentBytes: this.#sentBytes,
      receivedBytes: this.#receivedBytes,
      elapsedMs: performance.now() - this.#startedAt,
      isComplete,
    });
  }
}
