import type { Duplex } from "node:stream";
import { EgressError } from "@mooring/egress";
import type { EdgeLimits } from "../../config/limits.ts";
import type { Log } from "../../config/settings.ts";
import type { Application } from "../../hosts/application.ts";
import type { ApplicationEdge } from "../../hosts/application-edge.ts";
import type { Host } from "../../hosts/host.ts";
import type { Site } from "../../hosts/site.ts";
import type { BodySink, Exchange, ExchangeEvents } from "../../http/exchange.ts";
import { type Fields, safeTrailers } from "../../http/fields.ts";
import type { ResponseStart } from "../../http/h1/response-head.ts";
import type { EdgeStats } from "../../metrics/metrics.ts";
import type { OriginOutcomes } from "../../origin-health/outcomes.ts";
import type { ForwardedClient } from "../forwarded-client.ts";
import { isDroppedFromResponse, isLoop, type RequestContext, responseFields } from "../headers.ts";
import type { RequestLimits } from "../limits/request-limits.ts";
import { OriginAttempts } from "../origin/attempts.ts";
import {
  isWaste,
  type OriginEvents,
  type OriginExchange,
  type OriginFailure,
} from "../origin/exchange.ts";
import type { Origins } from "../origin/origins.ts";
import { pathBelow } from "../origin/path.ts";
import { TooManyConnections } from "../origin/pool.ts";
import type { OriginPools } from "../origin/pools.ts";
import { newReference, type PageOptions, sendErrorPage } from "../response/error-page.ts";
import { recordRefusal } from "../response/refusal.ts";
import { isGrpcCall, isQuietStream, streamTimeouts } from "../response/streamed.ts";
import { BodyReplay } from "./body-replay.ts";
import { joinTunnel, openingFields, webSocketKey } from "./web-socket.ts";

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
  /** The name of this installation in `Via` and `CDN-Loop`. */
  readonly loopId: string;
  /** The client of a request with these fields from this peer. */
  readonly client: (fields: Fields, peer: string) => ForwardedClient;
}

/** RFC 9110 §9.2.2: methods that may be sent again. */
const idempotentMethods = new Set(["GET", "HEAD", "OPTIONS", "PUT", "DELETE"]);

/** How often a request that the origin refused unprocessed is sent again. */
const maxRefusals = 3;

/** An origin that answers with these does not serve the request either. */
const gatewayErrors: ReadonlySet<number> = new Set([502, 503, 504]);

/**
 * Sends one request to its host's origin and the response back; a failure becomes an error page.
 */
export function forward(exchange: Exchange, site: Site, context: ForwardContext): void {
  new Forwarding(exchange, site, context).start();
}

class Forwarding implements OriginEvents, ExchangeEvents, BodySink {
  readonly #exchange: Exchange;
  readonly #host: Host;
  readonly #application: Application;
  readonly #limits: RequestLimits;
  readonly #context: ForwardContext;
  #origin: OriginExchange | null = null;
  #dialling: AbortController | null = null;
  #attempts: OriginAttempts | null = null;
  #request: RequestContext | null = null;
  /** Some origin may have processed the request. */
  #hasBegun = false;
  #canRetry = false;
  #refusals = 0;
  #replay: BodyReplay | null = null;
  #isContinued = false;
  #continueTimer: NodeJS.Timeout | undefined;
  #isEnded = false;
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
      this.#refuse(508, "the request has passed this installation before");
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
    // Also while no origin is connected: the client waits all the same.
    const { continueAfterMs } = this.#context.limits;
    if (head.expectsContinue) {
      this.#continueTimer = setTimeout(() => this.#continue(), continueAfterMs);
    }
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
    const request: RequestContext = {
      host: this.#host,
      target,
      path,
      loopId,
      originHostHeader: this.#application.originHostHeader,
      client: client(head.fields, remoteAddress),
      assertion: assertion(this.#host),
      connectionId: this.#host.connectionId,
      webSocketKey: webSocketKey(head),
    };
    this.#request = request;
    const idle = head.isWebSocket ? null : pools.idle(target);
    this.#canRetry = idle !== null && head.framing === "none" && this.#isIdempotent;
    if (idle === null) this.#dial(request);
    else this.#begin(idle, request);
    return true;
  }

  get #isIdempotent(): boolean {
    return idempotentMethods.has(this.#exchange.head.method);
  }

  /** Whether the body of the request, if it has one, can be sent again. */
  get #isWhole(): boolean {
    return this.#exchange.head.framing === "none" || this.#replay?.isWhole === true;
  }

  /**
   * Sends the request to another origin, if it may be sent again: nothing of an answer has been
   * sent, and either no origin can have processed it, or it is idempotent and its body is here.
   */
  #tryAnother(): boolean {
    const attempts = this.#attempts;
    if (attempts === null || this.#exchange.hasResponded) return false;
    const isRepeatable = !this.#hasBegun || (this.#isIdempotent && this.#isWhole);
    const isInTime = performance.now() - this.#startedAt < this.#limits.firstByteMs;
    if (!isRepeatable || !isInTime || !this.#attempt(attempts)) return false;
    this.#context.stats.originRetries += 1;
    return true;
  }

  #dial(request: RequestContext): void {
    const dialling = new AbortController();
    const { isWebSocket } = this.#exchange.head;
    this.#dialling = dialling;
    this.#context.pools.dial(request.target, dialling.signal, isWebSocket).then(
      (origin) => {
        this.#dialling = null;
        if (this.#isEnded) origin.abandon();
        else this.#begin(origin, request);
      },
      (error: unknown) => {
        this.#dialling = null;
        if (!this.#isEnded) this.#failed(error);
      },
    );
  }

  #begin(origin: OriginExchange, request: RequestContext): void {
    const { head } = this.#exchange;
    const isFirst = !this.#hasBegun;
    this.#hasBegun = true;
    this.#origin = origin;
    this.#isSent = head.framing === "none";
    origin.start(head, request, this);
    origin.useTimeouts(isGrpcCall(head) ? streamTimeouts(this.#limits) : this.#limits);
    if (head.framing !== "none" && isFirst) {
      const mayFollow = this.#attempts?.hasOthers === true && this.#isIdempotent;
      if (mayFollow || origin.protocol === "h2") this.#replay = new BodyReplay();
      this.#exchange.startBody(this);
    } else if (head.framing !== "none") this.#resend(origin);
  }

  /** What of the body has been read is sent again, then the rest. */
  #resend(origin: OriginExchange): void {
    const state = this.#replay?.into(origin);
    if (state === "ended") this.#isSent = true;
    else if (state === "writable") this.#exchange.resumeBody();
  }

  /** RFC 9110 §10.1.1: the client gets one 100 (Continue), of the origin or of the edge. */
  #continue(): boolean {
    if (this.#isEnded || this.#isContinued) return true;
    this.#isContinued = true;
    clearTimeout(this.#continueTimer);
    return this.#exchange.inform(100, []);
  }

  // The body of the request.

  write(chunk: Buffer): boolean {
    const origin = this.#origin;
    if (this.#isEnded) return true;
    this.#bodyBytes += chunk.length;
    if (this.#bodyBytes > this.#limits.bodyBytes) {
      this.#tooLarge();
      return true;
    }
    this.#replay?.add(chunk, origin === null);
    // Between two attempts the body waits.
    return origin?.write(chunk) ?? false;
  }

  /** For a body whose length was not announced. */
  #tooLarge(): void {
    this.#dialling?.abort();
    this.#leave();
    if (!this.#exchange.hasResponded) {
      this.#refuse(413, "body size");
      return;
    }
    this.#isEnded = true;
    this.#exchange.abort();
  }

  end(trailers: Fields): void {
    this.#replay?.end(trailers);
    if (this.#origin === null) return;
    this.#origin.end(trailers);
    this.#isSent = true;
  }

  // Events of the client's side.

  onDrain(): void {
    this.#origin?.resume();
  }

  onClosed(): void {
    this.#isEnded = true;
    clearTimeout(this.#continueTimer);
    this.#dialling?.abort();
    this.#leave();
  }

  /** Gives up the attempt; that says nothing about the origin. */
  #leave(): void {
    this.#origin?.abandon();
    this.#origin = null;
    this.#attempts?.ended();
  }

  // Events of the origin's side.

  onInform({ status, fields }: ResponseStart): boolean {
    if (status !== 100) return this.#exchange.inform(status, responseFields(fields));
    return !this.#exchange.head.expectsContinue || this.#continue();
  }

  onHead(head: ResponseStart): void {
    clearTimeout(this.#continueTimer);
    const numbers = this.#context.stats.applications.of(this.#host.applicationId);
    const elapsedMs = performance.now() - this.#startedAt;
    numbers.originTimes.observe(elapsedMs);
    this.#context.stats.traffic.answered(this.#host, elapsedMs);
    if (!gatewayErrors.has(head.status)) this.#attempts?.succeeded();
    else if (this.#failedWithAnswer()) return;
    const { method, isWebSocket, version } = this.#exchange.head;
    // RFC 8441 §5: over HTTP/2 a success would open the WebSocket.
    if (isWebSocket && version === "2.0" && head.status < 300) {
      this.#origin?.abandon();
      this.#answer(502, "the origin did not switch protocols");
      return;
    }
    this.#replay = null;
    if (isQuietStream(head.fields)) this.#origin?.useTimeouts(streamTimeouts(this.#limits));
    const isBodyless = head.status === 204 || head.status === 304 || head.isWhole;
    const hasBody = !isBodyless && method !== "HEAD";
    this.#exchange.respond({
      status: head.status,
      reason: head.reason,
      fields: responseFields(head.fields),
      length: head.status === 204 ? null : head.length,
      hasBody,
    });
  }

  /** The origin has answered that it cannot serve the request; true when another one gets it. */
  #failedWithAnswer(): boolean {
    this.#attempts?.failed();
    const origin = this.#origin;
    this.#origin = null;
    if (!this.#tryAnother()) {
      this.#origin = origin;
      return false;
    }
    origin?.abandon();
    return true;
  }

  onData(chunk: Buffer): boolean {
    return this.#exchange.write(chunk);
  }

  onEnd(trailers: Fields): void {
    this.#isEnded = true;
    this.#origin = null;
    this.#exchange.end(safeTrailers(trailers, isDroppedFromResponse));
  }

  onSwitch(response: ResponseStart, origin: Duplex, rest: Buffer | null): void {
    const { head } = this.#exchange;
    const protocol = this.#origin?.protocol ?? "http/1.1";
    this.#origin = null;
    this.#attempts?.succeeded();
    const key = this.#request?.webSocketKey ?? null;
    const fields = head.isWebSocket ? openingFields(head, key, { response, protocol }) : null;
    if (fields === null) {
      origin.destroy();
      this.#answer(502, "the origin switched protocols without a request");
      return;
    }
    this.#isEnded = true;
    const { streamSilenceMs: idleMs, websocketMs: lifetimeMs } = this.#limits;
    const tunnel = this.#exchange.startTunnel(fields, { idleMs, lifetimeMs });
    if (tunnel === null) {
      origin.destroy();
      return;
    }
    joinTunnel(tunnel, origin, rest);
  }

  onOriginDrain(): void {
    this.#exchange.resumeBody();
  }

  onFail(failure: OriginFailure, code: number | null): void {
    const hasAnswered = this.#origin?.hasAnswered ?? false;
    this.#origin = null;
    if (isWaste(failure)) this.#context.stats.wasteful[failure] += 1;
    if (this.#exchange.hasResponded) {
      this.#logFailure(`the origin's answer was cut: ${failure}`, newReference());
      this.#isEnded = true;
      this.#exchange.abort(code ?? undefined);
    } else if (this.#mayRetry(failure, hasAnswered) && this.#request !== null) {
      this.#context.stats.originRetries += 1;
      this.#dial(this.#request);
    } else {
      // A visitor who stops in the middle of a body makes the origin wait.
      if (failure !== "timeout" || this.#isSent) this.#attempts?.failed();
      else this.#attempts?.ended();
      // What took long at one origin is not begun again at another.
      if (failure !== "timeout" && this.#tryAnother()) return;
      const status = failure === "timeout" ? 504 : 502;
      this.#answer(status, `the origin failed: ${failure}`, { resetCode: code });
    }
  }

  #mayRetry(failure: OriginFailure, hasAnswered: boolean): boolean {
    if (failure === "refused") {
      this.#refusals += 1;
      return this.#isWhole && this.#refusals <= maxRefusals;
    }
    const canRetry = this.#canRetry && failure === "closed" && !hasAnswered;
    this.#canRetry = false;
    return canRetry;
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
    if (error instanceof TooManyConnections) {
      this.#answer(503, error.message, { fields: ["retry-after", "1"] });
    } else if (error instanceof EgressError) {
      this.#answer(error.kind === "timeout" ? 504 : 502, `${error.kind}: ${error.message}`);
    } else this.#answer(502, error instanceof Error ? error.message : "the origin failed");
  }

  /** For a request that no origin gets. */
  #refuse(status: number, reason: string): void {
    const host = this.#host.hostname;
    const { remoteAddress } = this.#exchange;
    const reference = recordRefusal({ status, reason, host, remoteAddress }, this.#context);
    this.#isEnded = true;
    clearTimeout(this.#continueTimer);
    sendErrorPage(this.#exchange, status, { reference });
  }

  #answer(status: number, reason: string, options: Omit<PageOptions, "reference"> = {}): void {
    const reference = newReference();
    this.#isEnded = true;
    clearTimeout(this.#continueTimer);
    this.#logFailure(reason, reference);
    const { answered } = this.#context.stats;
    answered.set(status, (answered.get(status) ?? 0) + 1);
    sendErrorPage(this.#exchange, status, { ...options, reference });
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
