import type { Socket } from "node:net";
import { EgressError } from "@mooring/egress";
import type { EdgeLimits } from "../config/limits.ts";
import type { Log } from "../config/settings.ts";
import type { Application } from "../hosts/application.ts";
import type { ApplicationEdge } from "../hosts/application-edge.ts";
import type { Host } from "../hosts/host.ts";
import type { BodySink, Exchange, ExchangeEvents } from "../http/exchange.ts";
import { type Fields, fieldLines, fieldValue, safeTrailers } from "../http/fields.ts";
import type { OriginHead } from "../http/response-head.ts";
import type { EdgeStats } from "../metrics/metrics.ts";
import type { OriginOutcomes } from "../origin-health/outcomes.ts";
import { BodyReplay } from "./body-replay.ts";
import { newReference, sendErrorPage } from "./error-page.ts";
import type { ForwardedClient } from "./forwarded-client.ts";
import {
  isDroppedFromRequest,
  isDroppedFromResponse,
  isLoop,
  originRequestHead,
  responseFields,
  switchingHead,
} from "./headers.ts";
import { OriginAttempts } from "./origin-attempts.ts";
import type { OriginConnection, OriginEvents, OriginFailure } from "./origin-connection.ts";
import { pathBelow } from "./origin-path.ts";
import { type OriginPools, type OriginTarget, TooManyConnections } from "./origin-pools.ts";
import type { Origins } from "./origins.ts";
import { recordRefusal } from "./refusal.ts";
import type { RequestLimits } from "./request-limits.ts";

export interface ForwardContext {
  readonly pools: OriginPools;
  readonly origins: Origins;
  readonly limits: EdgeLimits;
  /** The limits for requests of one application. */
  readonly limitsOf: (edge: ApplicationEdge) => RequestLimits;
  readonly stats: EdgeStats;
  readonly log: Log;
  /** The signed assertion for the origin about the host; null to send none. */
  readonly assertion: (host: Host) => string | null;
  readonly outcomes: OriginOutcomes;
  /** This service's name in `Via` and `CDN-Loop`. */
  readonly loopId: string;
  /** The client of a request with these fields from this peer. */
  readonly client: (fields: Fields, peer: string) => ForwardedClient;
}

/** A host with the settings of its application. */
export interface Site {
  readonly host: Host;
  readonly application: Application;
}

/** RFC 9110 §9.2.2: methods that may be sent again. */
const idempotentMethods = new Set(["GET", "HEAD", "OPTIONS", "PUT", "DELETE"]);

/** An origin that answers with these does not serve the request either. */
const gatewayErrors: ReadonlySet<number> = new Set([502, 503, 504]);

/** Sends one request to its host's origin and the response back; a failure becomes an error page. */
export function forward(exchange: Exchange, site: Site, context: ForwardContext): void {
  new Forwarding(exchange, site, context).start();
}

class Forwarding implements OriginEvents, ExchangeEvents, BodySink {
  readonly #exchange: Exchange;
  readonly #host: Host;
  readonly #application: Application;
  readonly #limits: RequestLimits;
  readonly #context: ForwardContext;
  #connection: OriginConnection | null = null;
  #dialling: AbortController | null = null;
  #attempts: OriginAttempts | null = null;
  #requestHead = "";
  #replay: BodyReplay | null = null;
  /** Some origin may have processed the request. */
  #hasBegun = false;
  #canRetry = false;
  #isContinued = false;
  #continueTimer: NodeJS.Timeout | undefined;
  #isOver = false;
  #bodyBytes = 0;
  readonly #startedAt = performance.now();
  /** The origin has the whole request: a missing answer is its own fault. */
  #isSent = false;

  constructor(exchange: Exchange, { host, application }: Site, context: ForwardContext) {
    this.#exchange = exchange;
    this.#host = host;
    this.#application = application;
    this.#limits = context.limitsOf(application.edge);
    this.#context = context;
  }

  start(): void {
    const { head } = this.#exchange;
    const { loopId, outcomes, origins } = this.#context;
    if (this.#application.originUrl === null) {
      this.#refuse(404, "the host has no origin");
      return;
    }
    if (isLoop(head.fields, loopId)) {
      this.#answer(508, "the request has passed this service before");
      return;
    }
    if (typeof head.framing === "number" && head.framing > this.#limits.bodyBytes) {
      this.#refuse(413, "body size");
      return;
    }
    try {
      this.#attempts = new OriginAttempts(origins.of(this.#application), this.#host, outcomes);
    } catch (error) {
      outcomes.failed(this.#host);
      this.#answerFor(error);
      return;
    }
    this.#exchange.listen(this);
    this.#attempt(this.#attempts);
  }

  /** Sends the request to the next origin; false when there is none left. */
  #attempt(attempts: OriginAttempts): boolean {
    const { head, remoteAddress } = this.#exchange;
    const { pools, loopId, assertion, client } = this.#context;
    const target = attempts.next(!this.#isIdempotent);
    if (target === null) return false;
    const path = pathBelow(target.prefix, head.target);
    if (path === null) {
      attempts.ended();
      this.#refuse(400, "path");
      return true;
    }
    this.#requestHead = originRequestHead(head, {
      ...{ host: this.#host, target, path, loopId },
      originHostHeader: this.#application.originHostHeader,
      client: client(head.fields, remoteAddress),
      assertion: assertion(this.#host),
    });
    const idle = head.isWebSocket ? null : pools.idle(target);
    this.#canRetry = idle !== null && head.framing === "none" && this.#isIdempotent;
    if (idle === null) this.#dial(target);
    else this.#begin(idle);
    return true;
  }

  get #isIdempotent(): boolean {
    return idempotentMethods.has(this.#exchange.head.method);
  }

  /**
   * Sends the request to another origin, if it may be sent again: nothing of an answer has been sent, and
   * either no origin can have processed it, or it is idempotent and its body is here.
   */
  #tryAnother(): boolean {
    const attempts = this.#attempts;
    if (attempts === null || this.#exchange.hasResponded) return false;
    const isWhole = this.#exchange.head.framing === "none" || this.#replay?.isWhole === true;
    const isRepeatable = !this.#hasBegun || (this.#isIdempotent && isWhole);
    const isInTime = performance.now() - this.#startedAt < this.#limits.firstByteMs;
    if (!isRepeatable || !isInTime || !this.#attempt(attempts)) return false;
    this.#context.stats.originRetries += 1;
    return true;
  }

  #dial(target: OriginTarget): void {
    const dialling = new AbortController();
    this.#dialling = dialling;
    this.#context.pools.dial(target, dialling.signal).then(
      (connection) => {
        this.#dialling = null;
        if (this.#isOver) connection.destroy();
        else this.#begin(connection);
      },
      (error: unknown) => {
        this.#dialling = null;
        if (!this.#isOver) this.#failed(error);
      },
    );
  }

  #begin(connection: OriginConnection): void {
    const { method, framing, expectsContinue } = this.#exchange.head;
    const isFirst = !this.#hasBegun;
    this.#hasBegun = true;
    this.#connection = connection;
    this.#isSent = framing === "none";
    connection.start(method, this.#requestHead, framing === "none", this);
    connection.useTimeouts(this.#limits);
    if (framing !== "none" && isFirst) {
      if (this.#attempts?.hasOthers === true && this.#isIdempotent) this.#replay = new BodyReplay();
      this.#exchange.startBody(this);
    } else if (framing !== "none") this.#resend();
    if (expectsContinue && !this.#isContinued) {
      this.#continueTimer = setTimeout(
        () => this.#continue(),
        this.#context.limits.continueAfterMs,
      );
    }
  }

  /** What of the body has been read is sent again, then the rest. */
  #resend(): void {
    const replay = this.#replay;
    const isWhole = replay?.into({
      write: (chunk) => this.#send(chunk),
      end: (trailers) => this.#sendEnd(trailers),
    });
    if (isWhole === false) this.#exchange.resumeBody();
  }

  /** RFC 9110 §10.1.1: the client gets one 100 (Continue), of the origin or of the edge. */
  #continue(): void {
    if (this.#isOver || this.#isContinued) return;
    this.#isContinued = true;
    clearTimeout(this.#continueTimer);
    this.#exchange.inform(100, []);
  }

  // The body of the request.

  write(chunk: Buffer): boolean {
    if (this.#isOver) return true;
    this.#bodyBytes += chunk.length;
    if (this.#bodyBytes > this.#limits.bodyBytes) {
      this.#tooLarge();
      return true;
    }
    this.#replay?.add(chunk, this.#connection === null);
    return this.#send(chunk);
  }

  /** Between two origins the body waits. */
  #send(chunk: Buffer): boolean {
    const connection = this.#connection;
    if (connection === null) return false;
    if (this.#exchange.head.framing !== "chunked") return connection.write(chunk);
    connection.cork();
    connection.write(`${chunk.length.toString(16)}\r\n`);
    connection.write(chunk);
    const isWritable = connection.write("\r\n");
    connection.uncork();
    return isWritable;
  }

  /** For a body whose length was not announced. */
  #tooLarge(): void {
    this.#dialling?.abort();
    this.#connection?.abandon();
    this.#connection = null;
    this.#attempts?.ended();
    if (!this.#exchange.hasResponded) {
      this.#refuse(413, "body size");
      return;
    }
    this.#isOver = true;
    this.#exchange.abort();
  }

  end(trailers: Fields): void {
    this.#replay?.end(trailers);
    this.#sendEnd(trailers);
  }

  #sendEnd(trailers: Fields): void {
    const connection = this.#connection;
    if (connection === null) return;
    if (this.#exchange.head.framing === "chunked") {
      connection.write(`0\r\n${fieldLines(safeTrailers(trailers, isDroppedFromRequest))}\r\n`);
    }
    connection.requestSent();
    this.#isSent = true;
  }

  // Events of the client's side.

  onDrain(): void {
    this.#connection?.resume();
  }

  onClosed(): void {
    this.#isOver = true;
    clearTimeout(this.#continueTimer);
    this.#dialling?.abort();
    this.#connection?.abandon();
    this.#connection = null;
    this.#attempts?.ended();
  }

  // Events of the origin's side.

  onInform(head: OriginHead): void {
    if (head.status === 100) {
      if (this.#exchange.head.expectsContinue) this.#continue();
      return;
    }
    this.#exchange.inform(head.status, responseFields(head.fields));
  }

  onHead(head: OriginHead): void {
    clearTimeout(this.#continueTimer);
    const numbers = this.#context.stats.applications.of(this.#host.applicationId);
    numbers.originTimes.observe(performance.now() - this.#startedAt);
    if (gatewayErrors.has(head.status)) {
      this.#attempts?.failed();
      const connection = this.#connection;
      this.#connection = null;
      if (this.#tryAnother()) {
        connection?.abandon();
        return;
      }
      this.#connection = connection;
    } else this.#attempts?.succeeded();
    this.#replay = null;
    const type = fieldValue(head.fields, "content-type");
    if (type?.toLowerCase().startsWith("text/event-stream")) {
      const { firstByteMs, streamSilenceMs: silenceMs } = this.#limits;
      this.#connection?.useTimeouts({ firstByteMs, silenceMs });
    }
    const isBodyless = head.status === 204 || head.status === 304;
    const hasBody = !isBodyless && this.#exchange.head.method !== "HEAD";
    this.#exchange.respond({
      status: head.status,
      reason: head.reason,
      fields: responseFields(head.fields),
      length: head.status === 204 ? null : head.length,
      hasBody,
    });
  }

  onData(chunk: Buffer): boolean {
    return this.#exchange.write(chunk);
  }

  onEnd(trailers: Fields): void {
    this.#isOver = true;
    this.#connection = null;
    this.#exchange.end(safeTrailers(trailers, isDroppedFromResponse));
  }

  onSwitch(head: OriginHead, origin: Socket, rest: Buffer | null): void {
    this.#connection = null;
    this.#attempts?.succeeded();
    const { streamSilenceMs: idleMs, websocketMs: lifetimeMs } = this.#limits;
    const { isWebSocket } = this.#exchange.head;
    const taken = isWebSocket ? this.#exchange.takeSocket({ idleMs, lifetimeMs }) : null;
    if (taken === null) {
      origin.destroy();
      this.#answer(502, "the origin switched protocols without a request");
      return;
    }
    this.#isOver = true;
    taken.socket.write(switchingHead(head.fields), "latin1");
    if (rest !== null) taken.socket.write(rest);
    if (taken.rest !== null) origin.write(taken.rest);
    joinSockets(taken.socket, origin);
  }

  onOriginDrain(): void {
    this.#exchange.resumeBody();
  }

  onFail(failure: OriginFailure): void {
    const hasAnswered = this.#connection?.hasAnswered ?? false;
    const target = this.#attempts?.target ?? null;
    this.#connection = null;
    if (this.#exchange.hasResponded) {
      this.#logFailure(`the origin's answer was cut: ${failure}`, newReference());
      this.#isOver = true;
      this.#exchange.abort();
    } else if (this.#canRetry && failure === "closed" && !hasAnswered && target !== null) {
      this.#canRetry = false;
      this.#context.stats.originRetries += 1;
      this.#dial(target);
    } else {
      // A visitor who stops in the middle of a body makes the origin wait.
      if (failure !== "timeout" || this.#isSent) this.#attempts?.failed();
      else this.#attempts?.ended();
      // What took long at one origin is not begun again at another.
      if (failure !== "timeout" && this.#tryAnother()) return;
      this.#answer(failure === "timeout" ? 504 : 502, `the origin failed: ${failure}`);
    }
  }

  cork(): void {
    this.#exchange.cork();
  }

  uncork(): void {
    this.#exchange.uncork();
  }

  #failed(error: unknown): void {
    // The limit is the edge's own and says nothing about the origin.
    if (error instanceof TooManyConnections) this.#attempts?.ended();
    else this.#attempts?.failed();
    if (!this.#tryAnother()) this.#answerFor(error);
  }

  #answerFor(error: unknown): void {
    if (error instanceof TooManyConnections) this.#answer(503, error.message, ["retry-after", "1"]);
    else if (error instanceof EgressError) {
      this.#answer(error.kind === "timeout" ? 504 : 502, `${error.kind}: ${error.message}`);
    } else this.#answer(502, error instanceof Error ? error.message : "the origin failed");
  }

  /** For a request that no origin gets. */
  #refuse(status: number, reason: string): void {
    const host = this.#host.hostname;
    const { remoteAddress } = this.#exchange;
    const reference = recordRefusal({ status, reason, host, remoteAddress }, this.#context);
    this.#isOver = true;
    clearTimeout(this.#continueTimer);
    sendErrorPage(this.#exchange, status, { reference });
  }

  #answer(status: number, reason: string, fields: Fields = []): void {
    const reference = newReference();
    this.#isOver = true;
    clearTimeout(this.#continueTimer);
    this.#logFailure(reason, reference);
    const { answered } = this.#context.stats;
    answered.set(status, (answered.get(status) ?? 0) + 1);
    sendErrorPage(this.#exchange, status, { reference, fields });
  }

  #logFailure(reason: string, reference: string): void {
    this.#context.stats.originErrors += 1;
    const { hostname, connectionId } = this.#host;
    this.#context.log.warn(
      { host: hostname, connectionId, reference, reason },
      "origin request failed",
    );
  }
}

/** Copies bytes both ways with backpressure until one side ends or fails. */
function joinSockets(client: Socket, origin: Socket): void {
  client.on("error", () => origin.destroy());
  origin.on("error", () => client.destroy());
  client.on("close", () => origin.destroy());
  origin.on("close", () => client.destroySoon());
  client.pipe(origin);
  origin.pipe(client);
}
