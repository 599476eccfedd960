import { createSingleFlight } from "@mooring/concurrency";
import type { EdgeLimits } from "../../config/limits.ts";
import type { OriginExchange } from "./exchange.ts";
import type { H2OriginConnection } from "./h2-connection.ts";
import type { OriginProtocol } from "./protocols.ts";

/** The HTTP/2 connections to one origin of one tenant; each carries many requests. */
export class H2OriginPool {
  readonly #connections = new Set<H2OriginConnection>();
  readonly #limits: EdgeLimits;
  readonly #dials = createSingleFlight<OriginProtocol>();

  constructor(limits: EdgeLimits) {
    this.#limits = limits;
  }

  add(connection: H2OriginConnection): void {
    this.#connections.add(connection);
  }

  delete(connection: H2OriginConnection): void {
    this.#connections.delete(connection);
  }

  /** Whether as many requests are in flight as the origin may have. */
  get isFull(): boolean {
    let streams = 0;
    for (const connection of this.#connections) streams += connection.streams;
    return streams >= this.#limits.originStreams;
  }

  /** Whether the origin speaks HTTP/2 but takes no WebSockets over it. */
  get refusesWebSockets(): boolean {
    const [first] = this.#connections;
    return first !== undefined && !first.canConnect;
  }

  /** A stream of a connection that takes another; null when there is none. */
  stream(): OriginExchange | null {
    if (this.#connections.size === 0 || this.isFull) return null;
    for (const connection of this.#connections) {
      if (connection.isUsable) return connection.open();
    }
    return null;
  }

  /** One dial for all who wait: its connection may have a stream for each of them. */
  share(
    signal: AbortSignal,
    dial: (signal: AbortSignal) => Promise<OriginProtocol>,
  ): Promise<OriginProtocol> {
    // One key: the pool is that of one origin.
    return this.#dials("", signal, dial);
  }
}
