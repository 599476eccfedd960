import type {
  BodySink,
  Exchange,
  ExchangeEvents,
  ResponseHead,
  Tunnel,
  TunnelLimits,
} from "../http/exchange.ts";
import type { Fields } from "../http/fields.ts";
import { ExchangeWrapper } from "./exchange-wrapper.ts";

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
  /** Called once for each exchange, when it has ended; for a WebSocket, when it has been opened. */
  onEnded(exchange: Exchange, summary: ExchangeSummary): void;
  /** The bytes of a WebSocket that has closed. */
  onTunnelClosed(sentBytes: number, receivedBytes: number): void;
}

/** An exchange that reports to the observer when it has ended. */
export class MeasuredExchange extends ExchangeWrapper {
  readonly #observer: ExchangeObserver;
  readonly #startedAt = performance.now();
  #response: ExchangeSummary["response"] = null;
  #sentBytes = 0;
  #receivedBytes = 0;
  #isEnded = false;
  #isReleased = false;
  #release: (() => void) | null = null;

  constructor(exchange: Exchange, observer: ExchangeObserver) {
    super(exchange);
    this.#observer = observer;
    // Handlers that respond at once never call `listen`; a disconnect is reported for them too.
    exchange.listen(this);
  }

  override listen(events: ExchangeEvents): void {
    this.events = events;
  }

  override startBody(sink: BodySink): void {
    super.startBody({
      write: (chunk) => {
        this.#receivedBytes += chunk.length;
        return sink.write(chunk);
      },
      end: (trailers) => sink.end(trailers),
    });
  }

  override respond(head: ResponseHead): void {
    this.#response ??= head;
    super.respond(head);
  }

  override write(chunk: Buffer): boolean {
    this.#sentBytes += chunk.length;
    return super.write(chunk);
  }

  override end(trailers: Fields): void {
    super.end(trailers);
    this.#end(true);
  }

  override abort(code?: number): void {
    super.abort(code);
    this.#end(false);
  }

  override startTunnel(fields: Fields, limits: TunnelLimits): Tunnel | null {
    const tunnel = super.startTunnel(fields, limits);
    if (tunnel === null) return null;
    this.#response = { status: this.head.version === "2.0" ? 200 : 101, fields: [] };
    this.#report(true);
    let sentBytes = 0;
    let receivedBytes = 0;
    tunnel.stream.once("close", () => {
      this.#observer.onTunnelClosed(sentBytes, receivedBytes);
      this.#released();
    });
    return {
      ...tunnel,
      onBytes(sent, received) {
        sentBytes += sent;
        receivedBytes += received;
        tunnel.onBytes(sent, received);
      },
    };
  }

  /** Calls back once, when the exchange has ended and a WebSocket that it opened has closed. */
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

  override onClosed(rejection?: ExchangeSummary["response"]): void {
    this.#response ??= rejection ?? null;
    this.#end(false);
    this.events?.onClosed();
  }

  #end(isComplete: boolean): void {
    if (this.#isEnded) return;
    this.#report(isComplete);
    this.#released();
  }

  #report(isComplete: boolean): void {
    this.#isEnded = true;
    this.#observer.onEnded(this, {
      response: this.#response,
      sentBytes: this.#sentBytes,
      receivedBytes: this.#receivedBytes,
      elapsedMs: performance.now() - this.#startedAt,
      isComplete,
    });
  }
}
