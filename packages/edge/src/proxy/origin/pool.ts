import type { Socket } from "node:net";
import { type Guard, type TlsOptions, TooManyNames } from "@mooring/egress";
import type { EdgeLimits } from "../../config/limits.ts";
import type { ProcessorShares } from "../../scheduling/processor-shares.ts";
import { OriginConnection, type OriginOwner } from "./connection.ts";
import type { OriginExchange } from "./exchange.ts";
import { H2OriginConnection, type H2OriginOwner } from "./h2-connection.ts";
import { H2OriginPool } from "./h2-pool.ts";
import type { OriginProtocol, OriginProtocols } from "./protocols.ts";
import type { OriginTarget } from "./target.ts";

export interface OriginPoolOptions {
  readonly guard: Guard;
  readonly limits: EdgeLimits;
  readonly tls: TlsOptions;
  readonly protocols: OriginProtocols;
  readonly shares: ProcessorShares;
}

export interface OriginPoolOwner {
  onOpen(connection: OriginConnection | H2OriginConnection): void;
  onClose(connection: OriginConnection | H2OriginConnection): void;
  /** The last connection has closed. */
  onEmpty(): void;
}

/** How long connections beyond `originIdle` stay open for the next wave of requests. */
const surplusIdleMs = 2_000;

export class TooManyConnections extends Error {
  override readonly name = "TooManyConnections";
}

/** The connections to one origin of one tenant, of either protocol. */
export class OriginPool implements OriginOwner, H2OriginOwner {
  readonly #key: string;
  readonly #options: OriginPoolOptions;
  readonly #owner: OriginPoolOwner;
  /** The most recently used last. */
  readonly #idle: OriginConnection[] = [];
  readonly #h2: H2OriginPool;
  #open = 0;

  constructor(key: string, options: OriginPoolOptions, owner: OriginPoolOwner) {
    this.#key = key;
    this.#options = options;
    this.#owner = owner;
    this.#h2 = new H2OriginPool(options.limits);
  }

  /** An idle connection, or a stream of one that takes more; null when there is none. */
  idle(): OriginExchange | null {
    for (let one = this.#idle.pop(); one !== undefined; one = this.#idle.pop()) {
      if (one.isUsable) return one;
    }
    return this.#h2.stream();
  }

  async dial(
    target: OriginTarget,
    signal: AbortSignal,
    isWebSocket: boolean,
  ): Promise<OriginExchange> {
    if (!target.isTls && !target.isH2c) return await this.#connectH1(target, signal);
    const known = target.isH2c ? "h2" : this.#options.protocols.of(this.#key);
    if (known === "h1 only") return await this.#connectH1(target, signal);
    if (known !== "http/1.1") return await this.#dialShared(target, signal, isWebSocket);
    if (isWebSocket) return await this.#connectH1(target, signal);
    const connection = await this.#connect(target, signal);
    return connection instanceof H2OriginConnection ? connection.open() : connection;
  }

  /** The first connections have been idle the longest, since the last ones are used first. */
  trim(now: number): void {
    const { originIdle } = this.#options.limits;
    const surplus = this.#idle.slice(0, Math.max(0, this.#idle.length - originIdle));
    for (const connection of surplus) {
      if (now - connection.idleSince > surplusIdleMs) connection.destroy();
    }
  }

  onIdle(connection: OriginConnection): void {
    this.#idle.push(connection);
  }

  onH1Required(): void {
    this.#options.protocols.requireH1(this.#key);
  }

  onClose(connection: OriginConnection | H2OriginConnection): void {
    if (connection instanceof H2OriginConnection) this.#h2.delete(connection);
    else {
      const index = this.#idle.indexOf(connection);
      if (index !== -1) this.#idle.splice(index, 1);
    }
    this.#owner.onClose(connection);
    this.#release();
  }

  /**
   * For an origin that speaks HTTP/2, or may: nobody has dialled it yet. One dial serves all who
   * wait, each with a stream of its connection.
   */
  async #dialShared(
    target: OriginTarget,
    signal: AbortSignal,
    isWebSocket: boolean,
  ): Promise<OriginExchange> {
    for (;;) {
      if (this.#h2.isFull) throw new TooManyConnections("too many requests to the origin");
      if (isWebSocket && this.#h2.refusesWebSockets) return await this.#connectH1(target, signal);
      const stream = this.#h2.stream();
      if (stream !== null) return stream;
      const protocol = await this.#h2.share(signal, (shared) => this.#connectFor(target, shared));
      if (protocol === "http/1.1") {
        return this.idle() ?? (await this.dial(target, signal, isWebSocket));
      }
    }
  }

  async #connectFor(target: OriginTarget, signal: AbortSignal): Promise<OriginProtocol> {
    const connection = await this.#connect(target, signal);
    if (connection instanceof OriginConnection) this.#idle.push(connection);
    return connection.protocol;
  }

  /** Of the protocol that the origin chooses. */
  async #connect(
    target: OriginTarget,
    signal: AbortSignal,
  ): Promise<OriginConnection | H2OriginConnection> {
    const socket = await this.#openSocket(target, signal, ["h2", "http/1.1"]);
    const isH2 = target.isH2c || ("alpnProtocol" in socket && socket.alpnProtocol === "h2");
    if (target.isTls) this.#options.protocols.learn(this.#key, isH2 ? "h2" : "http/1.1");
    if (!isH2) return this.#h1Connection(socket);
    const connection = new H2OriginConnection(socket, this.#options, this);
    this.#owner.onOpen(connection);
    await connection.ready(signal);
    this.#h2.add(connection);
    return connection;
  }

  async #connectH1(target: OriginTarget, signal: AbortSignal): Promise<OriginConnection> {
    return this.#h1Connection(await this.#openSocket(target, signal, ["http/1.1"]));
  }

  #h1Connection(socket: Socket): OriginConnection {
    const connection = new OriginConnection(socket, this.#options, this);
    this.#owner.onOpen(connection);
    return connection;
  }

  async #openSocket(
    target: OriginTarget,
    signal: AbortSignal,
    protocols: readonly OriginProtocol[],
  ): Promise<Socket> {
    // The scheduler limits requests; this leaves room for connections that are just closing.
    if (this.#open >= this.#options.limits.originOpen * 2) {
      throw new TooManyConnections("too many connections to the origin");
    }
    this.#open += 1;
    try {
      return await openSocket(target, signal, protocols, this.#options);
    } catch (error) {
      this.#release();
      throw error;
    }
  }

  #release(): void {
    this.#open -= 1;
    if (this.#open === 0) this.#owner.onEmpty();
  }
}

async function openSocket(
  { host, port, isTls, tls, tenantId }: OriginTarget,
  signal: AbortSignal,
  protocols: readonly OriginProtocol[],
  options: OriginPoolOptions,
): Promise<Socket> {
  try {
    const { socket } = await options.guard.dial({
      host,
      port,
      signal,
      owner: tenantId,
      connectTimeoutMs: options.limits.originConnectMs,
      ...(isTls ? { tls: { ...options.tls, ...tls, ALPNProtocols: [...protocols] } } : {}),
    });
    if (socket.destroyed) throw new Error("the origin closed the connection at once");
    return socket;
  } catch (error) {
    if (error instanceof TooManyNames) throw new TooManyConnections(error.message);
    throw error;
  }
}
