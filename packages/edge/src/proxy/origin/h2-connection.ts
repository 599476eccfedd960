import { type ClientHttp2Session, connect } from "node:http2";
import type { Socket } from "node:net";
import { EgressError } from "@mooring/egress";
import type { EdgeLimits } from "../../config/limits.ts";
import type { Closable } from "../../http/exchange.ts";
import type { ProcessorShares } from "../../scheduling/processor-shares.ts";
import type { OriginConnectionOptions } from "./connection.ts";
import { H2OriginStream, type H2StreamCarrier } from "./h2-stream.ts";

export interface H2OriginOwner {
  onClose(connection: H2OriginConnection): void;
  /** The origin asks for HTTP/1.1 (RFC 9113 §7). */
  onH1Required(): void;
}

const streamWindowBytes = 262_144;
const connectionWindowBytes = 4_194_304;
/**
 * More streams use another connection, whatever the origin allows: one lost packet stops them all.
 */
const maxStreams = 250;
/**
 * Until then it takes new requests; after that, the origin's name is resolved and checked again.
 */
const maxAgeMs = 300_000;
/** Silence after which a connection is checked by PING when it is used again. */
const suspectAfterMs = 10_000;
/** gRPC servers take more frequent PINGs without other traffic for an attack. */
const quietPingMs = 310_000;
/** Probes of TCP find a peer that is gone, without a frame. */
const keepAliveProbeMs = 30_000;
/** PING and SETTINGS frames of the origin between two checks. */
const maxControlFrames = 1_000;

/** One HTTP/2 connection to an origin; every stream is one request. */
export class H2OriginConnection implements Closable, H2StreamCarrier {
  readonly protocol = "h2";
  readonly limits: EdgeLimits;
  readonly shares: ProcessorShares;
  readonly #session: ClientHttp2Session;
  readonly #socket: Socket;
  readonly #owner: H2OriginOwner;
  readonly #streams = new Set<H2OriginStream>();
  readonly #bornAt = performance.now();
  #idleSince = performance.now();
  #lastReceivedAt = performance.now();
  #bytesReceived = 0;
  #pingSentAt: number | null = null;
  #controlFrames = 0;
  #isRetired = false;
  /** Lowered when the origin refuses a stream below its own limit. */
  #maxStreams = maxStreams;
  #lastProcessedStream = Number.POSITIVE_INFINITY;

  constructor(socket: Socket, { limits, shares }: OriginConnectionOptions, owner: H2OriginOwner) {
    this.limits = limits;
    this.shares = shares;
    this.#socket = socket;
    this.#owner = owner;
    socket.setKeepAlive(true, keepAliveProbeMs);
    const session = connect("http://origin.invalid", {
      createConnection: () => socket,
      maxSessionMemory: 64,
      maxHeaderListPairs: limits.fields * 2,
      maxReservedRemoteStreams: 0,
      settings: {
        enablePush: false,
        maxHeaderListSize: limits.originHeadBytes,
        initialWindowSize: streamWindowBytes,
      },
    });
    this.#session = session;
    session.on("error", () => this.destroy());
    session.on("close", () => this.#closed());
    session.on("goaway", (_code, lastStreamId) => {
      this.#isRetired = true;
      this.#lastProcessedStream = lastStreamId;
    });
    session.on("ping", () => this.#countControl());
    session.on("remoteSettings", () => this.#countControl());
    session.on("connect", () => session.setLocalWindowSize(connectionWindowBytes));
  }

  /** Waits for the origin's SETTINGS: its limits, and the proof that it speaks HTTP/2. */
  async ready(outer: AbortSignal): Promise<void> {
    const signal = AbortSignal.any([outer, AbortSignal.timeout(this.limits.originConnectMs)]);
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const onClose = () => reject(new Error("the origin does not speak HTTP/2"));
    const onAbort = () => {
      const timeout = new EgressError("timeout", "the origin sent no HTTP/2 settings in time");
      reject(outer.aborted ? outer.reason : timeout);
    };
    this.#session.once("remoteSettings", resolve);
    this.#session.once("close", onClose);
    signal.addEventListener("abort", onAbort, { once: true });
    if (signal.aborted) onAbort();
    else if (this.#session.destroyed) onClose();
    try {
      await promise;
    } catch (error) {
      this.destroy();
      throw error;
    } finally {
      this.#session.off("remoteSettings", resolve);
      this.#session.off("close", onClose);
      signal.removeEventListener("abort", onAbort);
    }
  }

  get streams(): number {
    return this.#streams.size;
  }

  /** Whether another request may begin here. */
  get isUsable(): boolean {
    if (this.#isRetired || this.#session.closed || this.#session.destroyed) return false;
    const allowed = this.#session.remoteSettings.maxConcurrentStreams ?? maxStreams;
    // An origin that allows none for now makes its first request wait.
    return this.#streams.size < Math.max(1, Math.min(allowed, this.#maxStreams));
  }

  /** RFC 8441 §3: whether WebSockets may begin here. */
  get canConnect(): boolean {
    return this.#session.remoteSettings.enableConnectProtocol === true;
  }

  /** Reserves a stream; its request begins by `start`. */
  open(): H2OriginStream {
    const stream = new H2OriginStream(this);
    const now = performance.now();
    this.#streams.add(stream);
    this.#noteBytes(now);
    if (now - this.#lastReceivedAt > suspectAfterMs) this.#ping(now);
    return stream;
  }

  session(): ClientHttp2Session | null {
    return this.#session.closed || this.#session.destroyed ? null : this.#session;
  }

  isUnprocessed(streamId: number): boolean {
    return streamId > this.#lastProcessedStream;
  }

  refused(isForH1: boolean): void {
    if (isForH1) {
      this.#isRetired = true;
      this.#owner.onH1Required();
    } else this.#maxStreams = Math.max(1, this.#streams.size);
  }

  release(stream: H2OriginStream): void {
    if (!this.#streams.delete(stream) || this.#streams.size > 0) return;
    this.#idleSince = performance.now();
    if (this.#isRetired) this.drain();
  }

  check(now: number): void {
    this.#controlFrames = 0;
    this.#noteBytes(now);
    for (const stream of this.#streams) stream.check(now);
    if (now - this.#bornAt > maxAgeMs) this.#isRetired = true;
    if (this.#pingSentAt !== null && now - this.#pingSentAt > this.limits.originPingMs) {
      this.destroy();
    } else if (this.#streams.size > 0) {
      if (now - this.#lastReceivedAt > quietPingMs) this.#ping(now);
    } else if (this.#isRetired || now - this.#idleSince > this.limits.originIdleMs) this.drain();
  }

  /** Sends GOAWAY; the streams in flight are completed. */
  drain(): void {
    this.#isRetired = true;
    if (!this.#session.closed) this.#session.close();
  }

  destroy(): void {
    this.#session.destroy();
    this.#socket.destroy();
  }

  /** Any byte of the origin shows that it is there. */
  #noteBytes(now: number): void {
    const bytes = this.#socket.bytesRead;
    if (bytes === this.#bytesReceived) return;
    this.#bytesReceived = bytes;
    this.#lastReceivedAt = now;
    this.#pingSentAt = null;
  }

  #ping(now: number): void {
    if (this.#pingSentAt !== null) return;
    this.#pingSentAt = now;
    this.#session.ping(() => undefined);
  }

  #countControl(): void {
    this.#controlFrames += 1;
    if (this.#controlFrames > maxControlFrames) this.destroy();
  }

  #closed(): void {
    this.#socket.destroy();
    this.#owner.onClose(this);
  }
}
