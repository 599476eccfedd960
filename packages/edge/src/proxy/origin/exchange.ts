import type { Duplex } from "node:stream";
import type { Fields } from "../../http/fields.ts";
import type { ResponseStart } from "../../http/h1/response-head.ts";
import type { RequestHead } from "../../http/request-head.ts";
import type { RequestContext } from "../headers.ts";

/**
 * refused: the origin has not processed the request, which may be sent again whatever its method
 * (RFC 9113 §8.7). reset: the origin cancelled the stream with an error code.
 */
export type OriginFailure = "timeout" | "closed" | "malformed" | "refused" | "reset" | Waste;

/** The origin sent too many informational responses, or too little content for its framing. */
type Waste = "informational" | "framing";

export function isWaste(failure: OriginFailure): failure is Waste {
  return failure === "informational" || failure === "framing";
}

export interface OriginTimeouts {
  readonly firstByteMs: number;
  readonly silenceMs: number;
}

/** Events of one request to the origin. Exactly one of `onEnd`, `onFail` and `onSwitch` ends it. */
export interface OriginEvents {
  /** False asks for a pause until `resume`. */
  onInform(head: ResponseStart): boolean;
  onHead(head: ResponseStart): void;
  /** False asks for a pause until `resume`. */
  onData(chunk: Buffer): boolean;
  onEnd(trailers: Fields): void;
  /** `code` is the HTTP/2 error code of a reset; null otherwise. */
  onFail(failure: OriginFailure, code: number | null): void;
  /** The WebSocket is open: the listener owns the stream from now on. */
  onSwitch(head: ResponseStart, stream: Duplex, rest: Buffer | null): void;
  /** The origin reads the request again after `write` returned false. */
  onOriginDrain(): void;
  cork(): void;
  uncork(): void;
}

/**
 * One request to an origin and its response: one round trip of an HTTP/1.1 connection or a stream
 * of an HTTP/2 one. `start` once, then the body by `write` and `end` unless the request has none.
 */
export interface OriginExchange {
  readonly protocol: "http/1.1" | "h2";
  /** Whether a byte of the response has been received. */
  readonly hasAnswered: boolean;
  start(head: RequestHead, context: RequestContext, events: OriginEvents): void;
  /** False when the origin reads too slowly; `onOriginDrain` follows. */
  write(chunk: Buffer): boolean;
  end(trailers: Fields): void;
  /** Reads on after `onData` or `onInform` returned false. */
  resume(): void;
  /** Sets the time to the first byte and the idle time of the current response. */
  useTimeouts(timeouts: OriginTimeouts): void;
  /** Drops the response: the client has disconnected. */
  abandon(): void;
}
