import type { BodySink, Exchange, ExchangeEvents, ResponseHead, Tunnel } from "../http/exchange.ts";
import type { Fields } from "../http/fields.ts";
import { fieldValue } from "../http/fields.ts";
import { newReference, referenceField } from "./error-page.ts";

/** One request as it is logged, without anything that may be secret: no query, no header. */
export interface AccessLine {
  /** The reference that an error page shows. */
  readonly reference: string;
  readonly host: string;
  readonly connectionId: string | null;
  readonly remoteAddress: string;
  readonly method: string;
  readonly path: string;
  /** Null when the client disconnected before the response. */
  readonly status: number | null;
  /** Of the response's body. */
  readonly bytes: number;
  readonly elapsedMs: number;
  /** Whether the whole response was sent. */
  readonly isComplete: boolean;
}

export type AccessLog = (line: AccessLine) => void;

const maxPathLength = 512;

/** Wraps an exchange so that one line is logged when it ends. */
export function withAccessLog(
  exchange: Exchange,
  about: { readonly host: string; readonly connectionId: string | null },
  log: AccessLog,
): Exchange {
  return new LoggedExchange(exchange, about, log);
}

class LoggedExchange implements Exchange {
  readonly #exchange: Exchange;
  readonly #about: Pick<AccessLine, "host" | "connectionId">;
  readonly #log: AccessLog;
  readonly #startedAt = performance.now();
  #reference: string | null = null;
  #status: number | null = null;
  #bytes = 0;
  #isOver = false;

  constructor(
    exchange: Exchange,
    about: Pick<AccessLine, "host" | "connectionId">,
    log: AccessLog,
  ) {
    this.#exchange = exchange;
    this.#about = about;
    this.#log = log;
    // Handlers that respond at once never call `listen`; a disconnect is logged for them too.
    this.listen({ onDrain: () => undefined, onClosed: () => undefined });
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
    this.#exchange.listen({
      onDrain: () => events.onDrain(),
      onClosed: () => {
        this.#over(false);
        events.onClosed();
      },
    });
  }

  startBody(sink: BodySink): void {
    this.#exchange.startBody(sink);
  }

  resumeBody(): void {
    this.#exchange.resumeBody();
  }

  inform(status: number, fields: Fields): void {
    this.#exchange.inform(status, fields);
  }

  respond(head: ResponseHead): void {
    this.#status = head.status;
    this.#reference = fieldValue(head.fields, referenceField);
    this.#exchange.respond(head);
  }

  write(chunk: Buffer): boolean {
    this.#bytes += chunk.length;
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

  abort(code?: number): void {
    this.#exchange.abort(code);
    this.#over(false);
  }

  closeAfter(): void {
    this.#exchange.closeAfter();
  }

  startTunnel(fields: Fields): Tunnel | null {
    const tunnel = this.#exchange.startTunnel(fields);
    if (tunnel !== null) {
      this.#status = this.head.version === "2.0" ? 200 : 101;
      this.#over(true);
    }
    return tunnel;
  }

  #over(isComplete: boolean): void {
    if (this.#isOver) return;
    this.#isOver = true;
    const { method, target } = this.head;
    this.#log({
      reference: this.#reference ?? newReference(),
      ...this.#about,
      remoteAddress: this.remoteAddress,
      method,
      path: (target.split("?", 1)[0] ?? "").slice(0, maxPathLength),
      status: this.#status,
      bytes: this.#bytes,
      elapsedMs: Math.round((performance.now() - this.#startedAt) * 10) / 10,
      isComplete,
    });
  }
}
