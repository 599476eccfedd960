import type { Socket } from "node:net";
import type { Duplex } from "node:stream";
import type { Fields } from "./fields.ts";
import type { SharedReads } from "./read-budget.ts";
import type { Rejection, RequestHead } from "./request-head.ts";

export interface ResponseHead {
  readonly status: number;
  readonly reason: string;
  /** Without the fields that frame the message or belong to one hop. */
  readonly fields: Fields;
  /** The value of `Content-Length`; null when there is none. */
  readonly length: number | null;
  readonly hasBody: boolean;
}

/** Receives the body of a request. */
export interface BodySink {
  /** The bytes are lent for the call. False asks for a pause until `resumeBody`. */
  write(chunk: Buffer): boolean;
  end(trailers: Fields): void;
}

/** Events of an exchange, for the code that answers it. */
export interface ExchangeEvents {
  /** The client reads the response again after `write` or `inform` returned false. */
  onDrain(): void;
  /**
   * The client has disconnected, or its body was malformed or too slow; nothing more can be sent.
   * The connection may have answered such a body itself, with `rejection`.
   */
  onClosed(rejection?: Pick<ResponseHead, "status" | "fields">): void;
}

/**
 * One request and its response, over HTTP/1.1 or HTTP/2. A response is `respond`, any number of
 * `write`, then `end`; informational responses may precede it. Calls after the end, or after the
 * client has disconnected, do nothing.
 */
export interface Exchange {
  readonly head: RequestHead;
  readonly remoteAddress: string;
  readonly hasResponded: boolean;
  listen(events: ExchangeEvents): void;
  /** Starts reading the body; until then the client waits. */
  startBody(sink: BodySink): void;
  resumeBody(): void;
  /** False when the client reads too slowly; `onDrain` follows. */
  inform(status: number, fields: Fields): boolean;
  respond(head: ResponseHead): void;
  /**
   * The bytes are lent until `uncork`. False when the client reads too slowly; `onDrain` follows.
   */
  write(chunk: Buffer): boolean;
  end(trailers: Fields): void;
  /** Writes between `cork` and `uncork` leave as one packet. */
  cork(): void;
  uncork(): void;
  /**
   * Cuts an incomplete response so that the client does not take it for whole; over HTTP/2 with the
   * error code, by default INTERNAL_ERROR.
   */
  abort(code?: number): void;
  /** No further request is accepted on this connection. */
  closeAfter(): void;
  /** The page in place of the usual one for an error; null without one. */
  readonly errorPage?: (parts: {
    readonly status: number;
    readonly title: string;
    readonly message: string;
    readonly reference: string;
  }) => string | null;
  /** Accepts a WebSocket with these fields; null when the client has disconnected. */
  startTunnel(fields: Fields, limits: TunnelLimits): Tunnel | null;
}

/** How long a WebSocket may be silent, and may last; in milliseconds. */
export interface TunnelLimits {
  readonly idleMs: number;
  readonly lifetimeMs: number;
}

/** The client's side of a WebSocket that is open; its owner copies the bytes. */
export interface Tunnel {
  readonly stream: Duplex;
  /** Bytes that arrived with the handshake. */
  readonly rest: Buffer | null;
  /** Called for bytes to and from the client: a tunnel without any for too long is closed. */
  onBytes(sent: number, received: number): void;
  /** Ends the stream after everything written, whatever the client still sends. */
  finish(): void;
  /** Ends the stream as failed. */
  cut(): void;
}

/** A connection that one shared timer checks for deadlines. */
export interface Closable {
  /** Closes the connection if a deadline has passed at `now`. */
  check(now: number): void;
  /** Closes the connection when the exchanges in flight, also a WebSocket, have ended. */
  drain(): void;
  destroy(): void;
  /** Closes the connection if it has caused too many small reads. */
  checkReads?(): void;
}

/** Limits of one connection; times in milliseconds, sizes in bytes. */
export interface HttpLimits {
  readonly headMs: number;
  readonly headBytes: number;
  /** Crumbs of a cookie (RFC 9113 §8.2.3) count as one. */
  readonly fields: number;
  readonly requestsPerConnection: number;
  readonly keepAliveMs: number;
  /** How long a peer may neither send expected bytes nor read offered ones. */
  readonly stallMs: number;
  /** The least rate of a body, over `stallMs`; it may take any time. 0 for no least rate. */
  readonly bodyBytesPerSecond: number;
  /** Idle time allowed on WebSockets and event streams. */
  readonly quietStreamMs: number;
  /** How long an idle connection stays open for one more request while the edge stops. */
  readonly drainIdleMs: number;
  readonly concurrentStreams: number;
  /** The largest head of a response from an origin. */
  readonly originHeadBytes: number;
}

/** A response without framing; its fields say of what kind. */
export interface RejectionPage {
  readonly status: number;
  readonly fields: Fields;
  readonly body: string;
}

export interface ConnectionOptions {
  readonly remoteAddress: string;
  readonly limits: HttpLimits;
  readonly handle: (exchange: Exchange) => void;
  /**
   * Called for a request that could not be read, with its fields if they could; returns the
   * response to it. `handle` was called before with the exchange, if there is one.
   */
  readonly onRejected: (
    rejection: Rejection,
    exchange: Exchange | null,
    fields: Fields,
  ) => RejectionPage;
  /** The socket under the TLS, which counts the bytes on the wire; null where there is none. */
  readonly wire: Pick<Socket, "bytesRead"> | null;
  /** False for a proxy that carries many clients: small reads of one must not close it. */
  readonly areReadsLimited: boolean;
  /** Null where connections do not share a limit. */
  readonly sharedReads: SharedReads | null;
  /** The client is refused because its bytes arrive in too many small pieces. */
  readonly onOverspent: () => void;
  /** Whether the connection may continue; asked at every check. */
  readonly isCurrent: () => boolean;
}
