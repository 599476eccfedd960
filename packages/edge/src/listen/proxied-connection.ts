import type { Socket } from "node:net";
import type { Closable } from "../http/exchange.ts";
import { readProxyHeader } from "./proxy-protocol.ts";

export interface ProxiedOptions {
  /** A connection without a header is passed on as it is. */
  readonly isOptional: boolean;
  readonly timeoutMs: number;
  /** The header is read; `source` is null where it names no client. The callee owns the socket. */
  readonly onHeader: (source: string | null, header: Buffer) => void;
  /** The header is malformed or did not arrive in time. */
  readonly onRefused: () => void;
  readonly onEnded: (connection: ProxiedConnection) => void;
}

const noBytes = Buffer.alloc(0);

/** A connection until its PROXY protocol header is read. */
export class ProxiedConnection implements Closable {
  readonly #socket: Socket;
  readonly #options: ProxiedOptions;
  readonly #deadline: number;
  #bytes: Buffer = noBytes;
  readonly #onData = (chunk: Buffer) => this.#receive(chunk);
  readonly #onError = () => this.#socket.destroy();
  readonly #onClose = () => this.#options.onEnded(this);

  constructor(socket: Socket, options: ProxiedOptions) {
    this.#socket = socket;
    this.#options = options;
    this.#deadline = performance.now() + options.timeoutMs;
    socket.on("data", this.#onData);
    socket.on("error", this.#onError);
    socket.on("close", this.#onClose);
  }

  check(now: number): void {
    if (now >= this.#deadline) this.#refuse();
  }

  /** The request that follows is served. */
  drain(): void {}

  destroy(): void {
    this.#socket.destroy();
  }

  #receive(chunk: Buffer): void {
    this.#bytes = this.#bytes.length === 0 ? chunk : Buffer.concat([this.#bytes, chunk]);
    const header = readProxyHeader(this.#bytes);
    if (header.kind === "header") this.#pass(header.length, header.source);
    else if (header.kind === "absent" && this.#options.isOptional) this.#pass(0, null);
    else if (header.kind !== "incomplete") this.#refuse();
  }

  #pass(length: number, source: string | null): void {
    const socket = this.#socket;
    this.#leave();
    socket.pause();
    if (this.#bytes.length > length) socket.unshift(this.#bytes.subarray(length));
    this.#options.onHeader(source, this.#bytes.subarray(0, length));
    socket.resume();
  }

  #refuse(): void {
    this.#leave();
    this.#options.onRefused();
    this.#socket.destroy();
  }

  #leave(): void {
    this.#socket.off("data", this.#onData);
    this.#socket.off("close", this.#onClose);
    this.#options.onEnded(this);
  }
}
