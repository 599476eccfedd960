import { createSocket, type Socket } from "node:dgram";
import { isIPv6 } from "node:net";

export interface Endpoint {
  readonly address: string;
  readonly port: number;
}

/** Why an attempt got no answer. `refused`: the other side rejected it at the transport level. */
export type TransportFailure = "timeout" | "refused" | "unreachable";

/** One query over one transport. */
export interface Attempt<T> {
  readonly to: Endpoint;
  readonly query: Buffer;
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
  /** Returns undefined for a packet that is not the answer; the attempt then waits on. */
  readonly accept: (packet: Buffer) => T | undefined;
}

export type RandomBytes = (size: number) => Uint8Array;

export interface UdpPool {
  /**
   * Sends one query and waits for its answer. The pool writes the id, the query's first two octets:
   * random, and different from the ids of all queries in flight on the same socket.
   */
  ask<T>(attempt: Attempt<T>): Promise<T | TransportFailure>;
}

export interface UdpPoolSettings {
  readonly random: RandomBytes;
  readonly nowMs: () => number;
}

/**
 * Each query to a server takes one of these sockets at random; a forger has to guess its port too.
 */
export const socketsPerServer = 8;
/** An attacker can find out a port that is used for long. */
export const queriesPerSocket = 512;
export const socketLifetimeMs = 5_000;
/** The kernel's receive buffer holds this many answers while the process is busy. */
export const maxInFlightPerSocket = 64;
/** Long enough to bridge the gap between an answer and the next query, no longer. */
const idleTimeoutMs = 50;
export const maxIdleSockets = 64;

interface PooledSocket {
  readonly key: string;
  readonly socket: UdpSocket;
  readonly openedAtMs: number;
  queries: number;
  idleSinceMs: number;
}

interface PoolState {
  readonly settings: UdpPoolSettings;
  /** Sockets that take new queries. A retired socket stays open only until its queries end. */
  readonly open: Map<string, PooledSocket>;
  /** The longest idle first. */
  readonly idle: Set<PooledSocket>;
  sweepTimer: NodeJS.Timeout | null;
}

/**
 * Open sockets never exceed the queries in flight by more than `maxIdleSockets`. An idle socket is
 * closed after `idleTimeoutMs` and does not keep the process alive.
 */
export function createUdpPool(settings: UdpPoolSettings): UdpPool {
  const state: PoolState = { settings, open: new Map(), idle: new Set(), sweepTimer: null };
  return {
    ask: (attempt) => {
      if (attempt.signal.aborted) return Promise.reject(attempt.signal.reason);
      const [slot = 0, high = 0, low = 0] = settings.random(3);
      const { socket } = takeSocket(state, attempt.to, slot % socketsPerServer);
      attempt.query.writeUInt16BE(freeId(socket, (high << 8) | low), 0);
      return socket.ask(attempt);
    },
  };
}

/** Terminates: a socket has at most `maxInFlightPerSocket` of the 65,536 ids in use. */
function freeId(socket: UdpSocket, random: number): number {
  let id = random;
  while (socket.has(id)) id = (id + 1) & 0xffff;
  return id;
}

function takeSocket(state: PoolState, to: Endpoint, slot: number): PooledSocket {
  const key = `${to.address} ${to.port} ${slot}`;
  const nowMs = state.settings.nowMs();
  const current = state.open.get(key);
  if (current !== undefined && isSpent(current, nowMs)) retire(state, current);
  const taken = state.open.get(key) ?? openPooled(state, key, to, nowMs);
  taken.queries += 1;
  if (state.idle.delete(taken)) taken.socket.setRef(true);
  return taken;
}

function isSpent({ queries, openedAtMs, socket }: PooledSocket, nowMs: number): boolean {
  return (
    queries >= queriesPerSocket ||
    nowMs - openedAtMs >= socketLifetimeMs ||
    socket.size() >= maxInFlightPerSocket
  );
}

function openPooled(state: PoolState, key: string, to: Endpoint, openedAtMs: number): PooledSocket {
  const socket = openSocket(to, {
    onIdle: () => onIdle(state, opened),
    onFailed: () => removeSocket(state, opened),
  });
  const opened: PooledSocket = { key, socket, openedAtMs, queries: 0, idleSinceMs: openedAtMs };
  state.open.set(key, opened);
  return opened;
}

function removeSocket(state: PoolState, removed: PooledSocket): void {
  if (state.open.get(removed.key) === removed) state.open.delete(removed.key);
  state.idle.delete(removed);
}

/** The socket takes no new queries; it closes now, or when its last query ends. */
function retire(state: PoolState, old: PooledSocket): void {
  const isIdle = state.idle.has(old);
  removeSocket(state, old);
  if (isIdle) old.socket.close();
}

function onIdle(state: PoolState, pooled: PooledSocket): void {
  if (state.open.get(pooled.key) !== pooled) {
    pooled.socket.close();
    return;
  }
  pooled.socket.setRef(false);
  pooled.idleSinceMs = state.settings.nowMs();
  state.idle.add(pooled);
  const [longest] = state.idle;
  if (state.idle.size > maxIdleSockets && longest !== undefined) retire(state, longest);
  armSweep(state);
}

function armSweep(state: PoolState): void {
  state.sweepTimer ??= setTimeout(() => {
    state.sweepTimer = null;
    const before = state.settings.nowMs() - idleTimeoutMs;
    for (const pooled of state.idle) {
      if (pooled.idleSinceMs > before) break;
      retire(state, pooled);
    }
    if (state.idle.size > 0) armSweep(state);
  }, idleTimeoutMs).unref();
}

/**
 * One socket to one server, shared by several queries. The kernel chooses a random source port. The
 * socket is connected, so the kernel drops packets from any other address or port.
 */
interface UdpSocket {
  /** Whether a query in flight has this id. */
  has(id: number): boolean;
  /** Queries in flight. */
  size(): number;
  /** Sends a query whose id is free here. Rejects when aborted. */
  ask<T>(attempt: Attempt<T>): Promise<T | TransportFailure>;
  /** Whether the idle socket keeps the process alive; one with a query in flight always does. */
  setRef(isRef: boolean): void;
  /** Only for a socket without queries in flight. */
  close(): void;
}

interface UdpSocketEvents {
  /** The last query in flight has ended. */
  readonly onIdle: () => void;
  /** The socket failed with all its queries, and is closed. */
  readonly onFailed: () => void;
}

interface PendingQuery {
  readonly take: (packet: Buffer) => void;
  readonly fail: (failure: TransportFailure) => void;
}

interface SocketState {
  readonly socket: Socket;
  readonly events: UdpSocketEvents;
  readonly pending: Map<number, PendingQuery>;
  /** Queries asked before the socket was connected. */
  readonly unsent: Set<Buffer>;
  readonly onSent: (error: Error | null) => void;
  stage: "connecting" | "open" | "closed";
}

function openSocket(to: Endpoint, events: UdpSocketEvents): UdpSocket {
  const socket = createSocket(isIPv6(to.address) ? "udp6" : "udp4");
  const state: SocketState = {
    socket,
    events,
    pending: new Map(),
    unsent: new Set(),
    // The kernel may report the refusal of one packet when the next is sent.
    onSent: (error) => {
      if (error !== null) failSocket(state, error);
    },
    stage: "connecting",
  };
  socket.on("error", (error) => failSocket(state, error));
  socket.on("connect", () => onConnected(state));
  socket.connect(to.port, to.address);
  return {
    has: (id) => state.pending.has(id),
    size: () => state.pending.size,
    ask: (attempt) => askOn(state, attempt),
    setRef: (isRef) => (isRef ? socket.ref() : socket.unref()),
    close: () => closeSocket(state),
  };
}

/** Any host can send to an unconnected socket; packets are read only from here on. */
function onConnected(state: SocketState): void {
  if (state.stage !== "connecting") return;
  state.stage = "open";
  state.socket.on("message", (packet) => {
    if (packet.length >= 2) state.pending.get(packet.readUInt16BE(0))?.take(packet);
  });
  for (const query of state.unsent) state.socket.send(query, state.onSent);
  state.unsent.clear();
}

function askOn<T>(state: SocketState, attempt: Attempt<T>): Promise<T | TransportFailure> {
  const { query, timeoutMs, signal, accept } = attempt;
  const id = query.readUInt16BE(0);
  return new Promise((resolve, reject) => {
    if (signal.aborted) {
      reject(signal.reason);
      return;
    }
    const end = () => {
      clearTimeout(timer);
      signal.removeEventListener("abort", onAbort);
      state.unsent.delete(query);
      state.pending.delete(id);
      if (state.pending.size === 0 && state.stage !== "closed") state.events.onIdle();
    };
    const fail = (failure: TransportFailure) => {
      end();
      resolve(failure);
    };
    const take = (packet: Buffer) => {
      const accepted = accept(packet);
      if (accepted === undefined) return;
      end();
      resolve(accepted);
    };
    const onAbort = () => {
      end();
      reject(signal.reason);
    };
    const timer = setTimeout(fail, timeoutMs, "timeout");
    signal.addEventListener("abort", onAbort, { once: true });
    state.pending.set(id, { take, fail });
    if (state.stage === "open") state.socket.send(query, state.onSent);
    else state.unsent.add(query);
  });
}

function failSocket(state: SocketState, error: Error): void {
  // A closed socket can still emit an error.
  if (state.stage === "closed") return;
  closeSocket(state);
  state.events.onFailed();
  const failure = classifyFailure(error);
  for (const pending of [...state.pending.values()]) pending.fail(failure);
}

function closeSocket(state: SocketState): void {
  if (state.stage === "closed") return;
  state.stage = "closed";
  state.socket.removeAllListeners("message");
  state.socket.close();
}

export function classifyFailure(error: Error): TransportFailure {
  const code = "code" in error ? error.code : undefined;
  return code === "ECONNREFUSED" || code === "ECONNRESET" || code === "EPIPE"
    ? "refused"
    : "unreachable";
}

/** Two random bytes cost the system call much the same as thousands. */
const randomBlockBytes = 4_096;

/** Serves `source`'s bytes from blocks drawn ahead; no byte is returned twice. */
export function inBlocks(source: RandomBytes, blockBytes = randomBlockBytes): RandomBytes {
  let block: Uint8Array = new Uint8Array(0);
  let used = 0;
  return (size) => {
    if (size > blockBytes) return source(size);
    if (used + size > block.length) {
      block = source(blockBytes);
      used = 0;
    }
    used += size;
    return block.subarray(used - size, used);
  };
}
