import type {
  BodySink,
  Exchange,
  ExchangeEvents,
  ResponseHead,
  Tunnel,
  TunnelLimits,
} from "../http/exchange.ts";
import type { Fields } from "../http/fields.ts";

/**
 * An exchange that forwards every call to the one it wraps, and the events of that one to its
 * listener. A subclass overrides what it changes. An `errorPage` is that of the outermost wrapper.
 */
export abstract class ExchangeWrapper implements Exchange, ExchangeEvents {
  protected readonly inner: Exchange;
  protected events: ExchangeEvents | null = null;

  constructor(inner: Exchange) {
    this.inner = inner;
  }

  get head() {
    return this.inner.head;
  }

  get remoteAddress() {
    return this.inner.remoteAddress;
  }

  get hasResponded() {
    return this.inner.hasResponded;
  }

  listen(events: ExchangeEvents): void {
    this.events = events;
    this.inner.listen(this);
  }

  startBody(sink: BodySink): void {
    this.inner.startBody(sink);
  }

  resumeBody(): void {
    this.inner.resumeBody();
  }

  inform(status: number, fields: Fields): boolean {
    return this.inner.inform(status, fields);
  }

  respond(head: ResponseHead): void {
    this.inner.respond(head);
  }

  write(chunk: Buffer): boolean {
    return this.inner.write(chunk);
  }

  end(trailers: Fields): void {
    this.inner.end(trailers);
  }

  cork(): void {
    this.inner.cork();
  }

  uncork(): void {
    this.inner.uncork();
  }

  abort(code?: number): void {
    this.inner.abort(code);
  }

  closeAfter(): void {
    this.inner.closeAfter();
  }

  startTunnel(fields: Fields, limits: TunnelLimits): Tunnel | null {
    return this.inner.startTunnel(fields, limits);
  }

  // Events of the wrapped exchange.

  onDrain(): void {
    this.events?.onDrain();
  }

  onClosed(rejection?: Pick<ResponseHead, "status" | "fields">): void {
    this.events?.onClosed(rejection);
  }
}
