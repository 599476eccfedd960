import {
  performServerHandshake,
  type ServerHttp2Session,
  type ServerHttp2Stream,
} from "node:http2";
import type { TLSSocket } from "node:tls";
import { newReference, pageFor } from "../proxy/error-page.ts";
import type { Watched } from "./exchange.ts";
import type { H1Options } from "./h1-connection.ts";
import { H2Visitor } from "./h2-exchange.ts";
import { headFromStream } from "./request-head.ts";

const streamWindowBytes = 262_144;
const connectionWindowBytes = 1_048_576;
const rateWindowMs = 10_000;

/** The server's side of one HTTP/2 connection: every stream is a request of its own. */
export class H2Connection implements Watched {
  readonly #session: ServerHttp2Session;
  readonly #socket: TLSSocket;
  readonly #options: H1Options;
  readonly #visitors = new Set<H2Visitor>();
  #requests = 0;
  #idleSince = performance.now();
  #ratedAt = performance.now();

  constructor(socket: TLSSocket, options: H1Options) {
    const { limits } = options;
    this.#socket = socket;
    this.#options = options;
    this.#session = performServerHandshake(socket, {
      maxSessionMemory: 10,
      maxSessionInvalidFrames: 100,
      maxHeaderListPairs: limits.fields + 4,
      maxSendHeaderBlockLength: limits.originHeadBytes,
      streamResetBurst: 100,
      streamResetRate: 10,
      settings: {
        enablePush: false,
        maxConcurrentStreams: limits.concurrentStreams,
        maxHeaderListSize: limits.headBytes,
        initialWindowSize: streamWindowBytes,
      },
    });
    this.#session.on("stream", (stream, _headers, _flags, raw: string[]) => {
      this.#open(stream, raw);
    });
    this.#session.on("error", () => this.destroy());
    this.#session.once("connect", () => undefined);
    // A server's TLS socket that was not made by a tls.Server does not say by itself that it is
    // secure, which is what the session waits for.
    socket.emit("secureConnect");
    this.#session.setLocalWindowSize(connectionWindowBytes);
  }

  check(now: number): void {
    if (!this.#options.isWanted()) {
      this.destroy();
      return;
    }
    const { limits } = this.#options;
    if (this.#visitors.size === 0) {
      if (now - this.#idleSince > limits.keepAliveMs) this.#session.close();
      return;
    }
    const isRateDue = now - this.#ratedAt > rateWindowMs;
    const leastBytes = ((now - this.#ratedAt) / 1_000) * limits.bodyBytesPerSecond;
    for (const visitor of this.#visitors) {
      const { stalledSince } = visitor;
      if (stalledSince !== null && now - stalledSince > limits.stallMs) visitor.refuse();
      else if (isRateDue) refuseSlow(visitor, leastBytes);
    }
    if (isRateDue) this.#ratedAt = now;
  }

  /** GOAWAY; the streams under way are finished. */
  drain(): void {
    if (!this.#session.closed) this.#session.close();
  }

  destroy(): void {
    this.#session.destroy();
    this.#socket.destroy();
  }

  #open(stream: ServerHttp2Stream, raw: string[]): void {
    // A stream reset by the visitor is not an event of ours.
    stream.on("error", () => undefined);
    this.#requests += 1;
    const { limits, remoteAddress } = this.#options;
    if (this.#requests >= limits.requestsPerConnection) this.drain();
    const head = headFromStream(raw, stream.endAfterHeaders, limits.fields);
    if (!("method" in head)) {
      this.#options.onRejected(head.status, head.reason);
      rejectStream(stream, head.status);
      return;
    }
    const visitor = new H2Visitor(head, stream, { remoteAddress, closeAfter: () => this.drain() });
    this.#visitors.add(visitor);
    stream.once("close", () => {
      this.#visitors.delete(visitor);
      this.#idleSince = performance.now();
    });
    this.#options.handle(visitor);
  }
}

function refuseSlow(visitor: H2Visitor, leastBytes: number): void {
  if (visitor.isAwaitingBody && visitor.bodyBytes < leastBytes) visitor.refuse();
  visitor.bodyBytes = 0;
}

function rejectStream(stream: ServerHttp2Stream, status: number): void {
  if (stream.destroyed) return;
  stream.respond({ ":status": status, "content-type": "text/html; charset=utf-8" });
  stream.end(pageFor(status, newReference()));
  stream.resume();
}
