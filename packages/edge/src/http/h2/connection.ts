import {
  performServerHandshake,
  type ServerHttp2Session,
  type ServerHttp2Stream,
} from "node:http2";
import type { TLSSocket } from "node:tls";
import type { Closable, ConnectionOptions } from "../exchange.ts";
import { ReadBudget, RecordCount } from "../read-budget.ts";
import { headFromStream } from "../request-head.ts";
import { H2Exchange, rejectStream } from "./exchange.ts";

const streamWindowBytes = 262_144;
const connectionWindowBytes = 1_048_576;

/** The server side of one HTTP/2 connection; every stream is one exchange. */
export class H2Connection implements Closable {
  readonly #session: ServerHttp2Session;
  readonly #socket: TLSSocket;
  readonly #options: ConnectionOptions;
  readonly #exchanges = new Set<H2Exchange>();
  /** TLS records: most of them are read without a call of JavaScript. */
  readonly #records: RecordCount | null;
  readonly #recordBudget: ReadBudget;
  /** DATA frames, of which one record may have many. */
  readonly #frameBudget: ReadBudget;
  #requests = 0;
  #idleSince = performance.now();

  constructor(socket: TLSSocket, options: ConnectionOptions) {
    const { limits } = options;
    this.#socket = socket;
    this.#options = options;
    this.#recordBudget = new ReadBudget(options.areReadsLimited, options.sharedReads);
    this.#frameBudget = new ReadBudget(options.areReadsLimited, options.sharedReads);
    this.#records = options.wire === null ? null : new RecordCount(options.wire, socket);
    this.#session = performServerHandshake(socket, {
      maxSessionMemory: 10,
      maxSessionInvalidFrames: 100,
      // Fields that are refused here reset the stream; those up to these limits can be answered
      // with 431.
      maxHeaderListPairs: limits.fields * 4,
      // The bound that is compared counts twelve bytes more for each field.
      maxSendHeaderBlockLength: limits.originHeadBytes * 4,
      strictSingleValueFields: false,
      streamResetBurst: 100,
      streamResetRate: 10,
      settings: {
        enablePush: false,
        // RFC 8441: WebSockets are accepted.
        enableConnectProtocol: true,
        maxConcurrentStreams: limits.concurrentStreams,
        maxHeaderListSize: limits.headBytes * 4,
        initialWindowSize: streamWindowBytes,
      },
    });
    this.#session.on("stream", (stream, _headers, _flags, raw: string[]) => {
      this.#open(stream, raw);
    });
    this.#session.on("error", () => this.destroy());
    this.#session.once("connect", () => undefined);
    // The session waits for this event, which a TLSSocket emits only if a tls.Server created it.
    socket.emit("secureConnect");
    this.#session.setLocalWindowSize(connectionWindowBytes);
  }

  check(now: number): void {
    if (!this.#options.isCurrent()) {
      this.destroy();
      return;
    }
    const { limits } = this.#options;
    if (this.#exchanges.size === 0) {
      if (now - this.#idleSince > limits.keepAliveMs) this.#session.close();
      return;
    }
    for (const exchange of this.#exchanges) {
      exchange.checkQueue();
      const { stalledSince } = exchange;
      if (stalledSince !== null && now - stalledSince > limits.stallMs) exchange.refuse();
      else if (exchange.isTooSlow(now)) {
        const rejection = { status: 408, reason: "body too slow" } as const;
        const { fields } = exchange.head;
        exchange.reject(this.#options.onRejected(rejection, exchange, fields));
      } else exchange.checkTunnel(now);
    }
  }

  checkReads(): void {
    if (this.#records?.charge(this.#recordBudget) === false) this.#overspent();
  }

  /** Sends GOAWAY; the streams in flight are completed. */
  drain(): void {
    if (!this.#session.closed) this.#session.close();
  }

  destroy(): void {
    this.#session.destroy();
    this.#socket.destroy();
  }

  /** Each DATA frame is pushed at once, also while nobody takes the body. */
  #countFrames(stream: ServerHttp2Stream): void {
    const push = stream.push.bind(stream);
    stream.push = (chunk: Buffer | null, encoding?: BufferEncoding) => {
      if (chunk === null || this.#frameBudget.spend(1, chunk.length)) return push(chunk, encoding);
      this.#overspent();
      return false;
    };
  }

  #overspent(): void {
    if (this.#session.destroyed) return;
    this.#options.onOverspent();
    this.destroy();
  }

  #open(stream: ServerHttp2Stream, raw: string[]): void {
    this.#recordBudget.addRequest();
    this.#frameBudget.addRequest();
    if (!stream.endAfterHeaders) this.#countFrames(stream);
    // A reset by the client is no error here; "close" follows.
    stream.on("error", () => undefined);
    this.#requests += 1;
    const { limits, remoteAddress } = this.#options;
    if (this.#requests >= limits.requestsPerConnection) this.drain();
    const head = headFromStream(raw, stream.endAfterHeaders, limits);
    if (!("method" in head)) {
      const method = raw[raw.indexOf(":method") + 1] ?? "";
      rejectStream(stream, method, this.#options.onRejected(head, null, raw));
      return;
    }
    const exchange = new H2Exchange(head, stream, {
      remoteAddress,
      limits,
      closeAfter: () => this.drain(),
    });
    this.#exchanges.add(exchange);
    stream.once("close", () => {
      this.#exchanges.delete(exchange);
      this.#idleSince = performance.now();
    });
    this.#options.handle(exchange);
  }
}
