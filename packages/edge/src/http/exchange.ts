import type { Socket } from "node:net";
import type { Fields } from "./fields.ts";
import type { RequestHead } from "./request-head.ts";

export interface ResponseHead {
  readonly status: number;
  readonly reason: string;
  /** Without any that frame the message or belong to one hop. */
  readonly fields: Fields;
  /** The value of `Content-Length`; null when there is none. */
  readonly length: number | null;
  readonly hasBody: boolean;
}

/** Takes the request's body. */
export interface BodySink {
  /** False asks for a pause until `resumeBody`. */
  write(chunk: Buffer): boolean;
  end(trailers: Fields): void;
}

/** Who answers a request wants to hear of these. */
export interface VisitorEvents {
  /** The visitor takes more of the response again. */
  onDrain(): void;
  /** The visitor is gone, or its body was malformed; nothing can be sent any more. */
  onGone(): void;
}

/**
 * One request, over whatever version of HTTP the visitor speaks, and its response. A response is
 * `respond`, any number of `write`, then `end`; informational ones may precede it. Calls after the
 * end, or after the visitor has gone, do nothing.
 */
export interface Visitor {
  readonly head: RequestHead;
  readonly remoteAddress: string;
  readonly hasResponded: boolean;
  listen(events: VisitorEvents): void;
  /** Before this the body waits, and the visitor with it. */
  startBody(sink: BodySink): void;
  resumeBody(): void;
  inform(status: number, fields: Fields): void;
  respond(head: ResponseHead): void;
  /** False until `onDrain` when the visitor is slower. */
  write(chunk: Buffer): boolean;
  end(trailers: Fields): void;
  /** Makes one packet of what is written between the two. */
  cork(): void;
  uncork(): void;
  /** The response cannot be completed, and the visitor must not take it for whole. */
  abort(): void;
  /** No further request on this connection. */
  closeAfter(): void;
  /** After 101: gives up the connection's socket and the bytes already read; null over HTTP/2. */
  takeSocket(): { readonly socket: Socket; readonly rest: Buffer | null } | null;
}

/** Everything with a deadline or a host that can go is looked at again and again by one timer. */
export interface Watched {
  check(now: number): void;
  /** Ends as soon as what is under way is done. */
  drain(): void;
  destroy(): void;
}
