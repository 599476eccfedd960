import type { Socket } from "node:net";
import { EgressError, type Guard } from "@mooring/egress";
import type { EdgeLimits } from "../config/limits.ts";
import type { Log } from "../config/settings.ts";
import type { Host } from "../hosts/host.ts";
import type { BodySink, Visitor, VisitorEvents } from "../http/exchange.ts";
import { type Fields, fieldLines, fieldValue, safeTrailers } from "../http/fields.ts";
import type { OriginHead } from "../http/response-head.ts";
import type { EdgeStats } from "../metrics/metrics.ts";
import { newReference, sendPage } from "./error-page.ts";
import {
  isDroppedFromRequest,
  isDroppedFromResponse,
  isLoop,
  originRequestHead,
  switchingHead,
  visitorFields,
} from "./headers.ts";
import type { OriginConnection, OriginEvents, OriginFailure } from "./origin-connection.ts";
import {
  type OriginPools,
  type OriginTarget,
  originTarget,
  TooManyConnections,
} from "./origin-pools.ts";

export interface ForwardContext {
  readonly guard: Guard;
  readonly pools: OriginPools;
  readonly limits: EdgeLimits;
  readonly stats: EdgeStats;
  readonly log: Log;
  /** The signed statement for the origin about whose request this is; null to send none. */
  readonly assertion: (host: Host) => string | null;
  /** This service's name in `Via` and `CDN-Loop`. */
  readonly loopId: string;
}

/** RFC 9110 §9.2.2: repeating these asks for the same effect. */
const idempotentMethods = new Set(["GET", "HEAD", "OPTIONS", "PUT", "DELETE"]);

/** Sends one request to its host's origin and the answer back; every failure becomes a page. */
export function forward(visitor: Visitor, host: Host, context: ForwardContext): void {
  new Forwarding(visitor, host, context).start();
}

/** Parsed once per version of a host; a changed host is another object. */
const targets = new WeakMap<Host, OriginTarget>();

function targetOf(guard: Guard, host: Host, originUrl: string): OriginTarget {
  const known = targets.get(host);
  if (known !== undefined) return known;
  const target = originTarget(guard, host, originUrl);
  targets.set(host, target);
  return target;
}

class Forwarding implements OriginEvents, VisitorEvents, BodySink {
  readonly #visitor: Visitor;
  readonly #host: Host;
  readonly #context: ForwardContext;
  #connection: OriginConnection | null = null;
  #dialling: AbortController | null = null;
  #target: OriginTarget | null = null;
  #requestHead = "";
  #canRetry = false;
  #isOver = false;

  constructor(visitor: Visitor, host: Host, context: ForwardContext) {
    this.#visitor = visitor;
    this.#host = host;
    this.#context = context;
  }

  start(): void {
    const { head, remoteAddress } = this.#visitor;
    const { guard, pools, loopId, assertion } = this.#context;
    const { originUrl } = this.#host;
    if (originUrl === null) {
      this.#answer(404, "the host has no origin");
      return;
    }
    if (isLoop(head.fields, loopId)) {
      this.#answer(508, "the request came back");
      return;
    }
    let target: OriginTarget;
    try {
      target = targetOf(guard, this.#host, originUrl);
      this.#requestHead = originRequestHead(head, {
        host: this.#host,
        target,
        remoteAddress,
        assertion: assertion(this.#host),
        loopId,
      });
    } catch (error) {
      this.#failed(error);
      return;
    }
    this.#target = target;
    this.#visitor.listen(this);
    const idle = head.isWebSocket ? null : pools.idle(target);
    this.#canRetry = idle !== null && head.framing === "none" && idempotentMethods.has(head.method);
    if (idle === null) this.#dial(target);
    else this.#begin(idle);
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
    const { method, framing } = this.#visitor.head;
    this.#connection = connection;
    connection.start(method, this.#requestHead, framing === "none", this);
    if (framing !== "none") this.#visitor.startBody(this);
  }

  // The request's body.

  write(chunk: Buffer): boolean {
    const connection = this.#connection;
    if (connection === null) return true;
    if (this.#visitor.head.framing !== "chunked") return connection.write(chunk);
    connection.cork();
    connection.write(`${chunk.length.toString(16)}\r\n`);
    connection.write(chunk);
    const hasRoom = connection.write("\r\n");
    connection.uncork();
    return hasRoom;
  }

  end(trailers: Fields): void {
    const connection = this.#connection;
    if (connection === null) return;
    if (this.#visitor.head.framing === "chunked") {
      connection.write(`0\r\n${fieldLines(safeTrailers(trailers, isDroppedFromRequest))}\r\n`);
    }
    connection.requestSent();
  }

  // What the visitor's side says.

  onDrain(): void {
    this.#connection?.resume();
  }

  onGone(): void {
    this.#isOver = true;
    this.#dialling?.abort();
    this.#connection?.abandon();
    this.#connection = null;
  }

  // What the origin's side says.

  onInform(head: OriginHead): void {
    if (head.status === 100 && !this.#visitor.head.expectsContinue) return;
    this.#visitor.inform(head.status, visitorFields(head.fields));
  }

  onHead(head: OriginHead): void {
    const type = fieldValue(head.fields, "content-type");
    if (type?.toLowerCase().startsWith("text/event-stream")) {
      this.#connection?.allowSilence(this.#context.limits.quietStreamMs);
    }
    const isBare = head.status === 204 || head.status === 304;
    const hasBody = !isBare && this.#visitor.head.method !== "HEAD";
    this.#visitor.respond({
      status: head.status,
      reason: head.reason,
      fields: visitorFields(head.fields),
      length: head.status === 204 ? null : head.length,
      hasBody,
    });
  }

  onData(chunk: Buffer): boolean {
    return this.#visitor.write(chunk);
  }

  onEnd(trailers: Fields): void {
    this.#isOver = true;
    this.#connection = null;
    this.#visitor.end(safeTrailers(trailers, isDroppedFromResponse));
  }

  onSwitch(head: OriginHead, origin: Socket, rest: Buffer | null): void {
    this.#connection = null;
    const taken = this.#visitor.head.isWebSocket ? this.#visitor.takeSocket() : null;
    if (taken === null) {
      origin.destroy();
      this.#answer(502, "the origin switched protocols unasked");
      return;
    }
    this.#isOver = true;
    taken.socket.write(switchingHead(head.fields), "latin1");
    if (rest !== null) taken.socket.write(rest);
    if (taken.rest !== null) origin.write(taken.rest);
    joinSockets(taken.socket, origin);
  }

  onOriginDrain(): void {
    this.#visitor.resumeBody();
  }

  onFail(failure: OriginFailure): void {
    const hasAnswered = this.#connection?.hasAnswered ?? false;
    this.#connection = null;
    if (this.#visitor.hasResponded) {
      this.#note(`the origin's answer was cut: ${failure}`, newReference());
      this.#isOver = true;
      this.#visitor.abort();
    } else if (this.#canRetry && failure === "closed" && !hasAnswered && this.#target !== null) {
      this.#canRetry = false;
      this.#context.stats.originRetries += 1;
      this.#dial(this.#target);
    } else this.#answer(failure === "timeout" ? 504 : 502, `the origin failed: ${failure}`);
  }

  cork(): void {
    this.#visitor.cork();
  }

  uncork(): void {
    this.#visitor.uncork();
  }

  #failed(error: unknown): void {
    if (error instanceof TooManyConnections) this.#answer(503, error.message, ["retry-after", "1"]);
    else if (error instanceof EgressError) {
      this.#answer(error.kind === "timeout" ? 504 : 502, `${error.kind}: ${error.message}`);
    } else this.#answer(502, error instanceof Error ? error.message : "the origin failed");
  }

  #answer(status: number, reason: string, fields: Fields = []): void {
    const reference = newReference();
    this.#isOver = true;
    if (status !== 404) this.#note(reason, reference);
    const { answered } = this.#context.stats;
    answered.set(status, (answered.get(status) ?? 0) + 1);
    sendPage(this.#visitor, status, { reference, fields });
  }

  #note(reason: string, reference: string): void {
    this.#context.stats.originErrors += 1;
    const { hostname, connectionId } = this.#host;
    this.#context.log.warn(
      { host: hostname, connectionId, reference, reason },
      "origin request failed",
    );
  }
}

/** Bytes both ways, each side at the other's pace, until one side ends or breaks. */
export function joinSockets(visitor: Socket, origin: Socket): void {
  visitor.on("error", () => origin.destroy());
  origin.on("error", () => visitor.destroy());
  visitor.on("close", () => origin.destroy());
  origin.on("close", () => visitor.destroySoon());
  visitor.pipe(origin);
  origin.pipe(visitor);
}
