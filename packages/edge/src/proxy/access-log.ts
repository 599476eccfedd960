import type { Socket } from "node:net";
import type { BodySink, ResponseHead, Visitor, VisitorEvents } from "../http/exchange.ts";
import type { Fields } from "../http/fields.ts";
import { fieldValue } from "../http/fields.ts";
import { newReference, referenceField } from "./error-page.ts";

/** One request as it is logged. Nothing that a visitor may want kept secret: no query, no header. */
export interface AccessLine {
  /** What an error page shows to the visitor. */
  readonly reference: string;
  readonly host: string;
  readonly connectionId: string | null;
  readonly remoteAddress: string;
  readonly method: string;
  readonly path: string;
  /** Null when the visitor left before there was one. */
  readonly status: number | null;
  /** Of the response's body. */
  readonly bytes: number;
  readonly elapsedMs: number;
  /** Whether all of the response was handed over. */
  readonly isComplete: boolean;
}

export type AccessLog = (line: AccessLine) => void;

const longestPath = 512;

/** The same visitor, and a line when its request is over. */
export function logged(
  visitor: Visitor,
  about: { readonly host: string; readonly connectionId: string | null },
  log: AccessLog,
): Visitor {
  return new LoggedVisitor(visitor, about, log);
}

class LoggedVisitor implements Visitor {
  readonly #visitor: Visitor;
  readonly #about: Pick<AccessLine, "host" | "connectionId">;
  readonly #log: AccessLog;
  readonly #startedAt = performance.now();
  #reference: string | null = null;
  #status: number | null = null;
  #bytes = 0;
  #isOver = false;

  constructor(visitor: Visitor, about: Pick<AccessLine, "host" | "connectionId">, log: AccessLog) {
    this.#visitor = visitor;
    this.#about = about;
    this.#log = log;
    // Who answers at once does not listen; a visitor who leaves meanwhile is noted all the same.
    this.listen({ onDrain: () => undefined, onGone: () => undefined });
  }

  get head() {
    return this.#visitor.head;
  }

  get remoteAddress() {
    return this.#visitor.remoteAddress;
  }

  get hasResponded() {
    return this.#visitor.hasResponded;
  }

  listen(events: VisitorEvents): void {
    this.#visitor.listen({
      onDrain: () => events.onDrain(),
      onGone: () => {
        this.#over(false);
        events.onGone();
      },
    });
  }

  startBody(sink: BodySink): void {
    this.#visitor.startBody(sink);
  }

  resumeBody(): void {
    this.#visitor.resumeBody();
  }

  inform(status: number, fields: Fields): void {
    this.#visitor.inform(status, fields);
  }

  respond(head: ResponseHead): void {
    this.#status = head.status;
    this.#reference = fieldValue(head.fields, referenceField);
    this.#visitor.respond(head);
  }

  write(chunk: Buffer): boolean {
    this.#bytes += chunk.length;
    return this.#visitor.write(chunk);
  }

  end(trailers: Fields): void {
    this.#visitor.end(trailers);
    this.#over(true);
  }

  cork(): void {
    this.#visitor.cork();
  }

  uncork(): void {
    this.#visitor.uncork();
  }

  abort(): void {
    this.#visitor.abort();
    this.#over(false);
  }

  closeAfter(): void {
    this.#visitor.closeAfter();
  }

  takeSocket(): { readonly socket: Socket; readonly rest: Buffer | null } | null {
    const taken = this.#visitor.takeSocket();
    if (taken !== null) {
      this.#status = 101;
      this.#over(true);
    }
    return taken;
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
      path: (target.split("?", 1)[0] ?? "").slice(0, longestPath),
      status: this.#status,
      bytes: this.#bytes,
      elapsedMs: Math.round((performance.now() - this.#startedAt) * 10) / 10,
      isComplete,
    });
  }
}
