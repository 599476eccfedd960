import { createSocket, type Socket } from "node:dgram";
import { isIPv6 } from "node:net";

export interface Endpoint {
  readonly address: string;
  readonly port: number;
}

/** How a try without an answer ended. `refused`: the other side said so, at the transport level. */
export type TransportFailure = "timeout" | "refused" | "unreachable";

export interface Try<T> {
  readonly to: Endpoint;
  readonly query: Buffer;
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
  /** Judges one packet; undefined means it is not the answer, and waiting goes on. */
  readonly accept: (packet: Buffer) => T | undefined;
}

/**
 * One socket to one server, for several questions at once. The kernel gives it a random source port,
 * and because it is connected, packets from any other address or port never arrive.
 */
export interface Channel {
  /** Whether a question under way carries this id. */
  has(id: number): boolean;
  /** Questions under way. */
  size(): number;
  /** Sends a query whose id is free here. Rejects when aborted. */
  ask<T>(attempt: Try<T>): Promise<T | TransportFailure>;
  /** Whether an idle channel keeps the process from ending; one with a question always does. */
  hold(isHeld: boolean): void;
  /** For a channel without questions under way. */
  close(): void;
}

export interface ChannelEvents {
  /** The last question under way is over. */
  readonly onIdle: () => void;
  /** The socket failed, its questions with it, and it is closed. */
  readonly onFailed: () => void;
}

interface Waiting {
  readonly take: (packet: Buffer) => void;
  readonly fail: (failure: TransportFailure) => void;
}

interface State {
  readonly socket: Socket;
  readonly events: ChannelEvents;
  readonly waiting: Map<number, Waiting>;
  /** Queries that came before the socket was connected. */
  readonly unsent: Set<Buffer>;
  readonly onSent: (error: Error | null) => void;
  stage: "connecting" | "open" | "closed";
}

export function openChannel(to: Endpoint, events: ChannelEvents): Channel {
  const socket = createSocket(isIPv6(to.address) ? "udp6" : "udp4");
  const state: State = {
    socket,
    events,
    waiting: new Map(),
    unsent: new Set(),
    // A refusal of one packet may be told by the sending of the next.
    onSent: (error) => {
      if (error !== null) fail(state, error);
    },
    stage: "connecting",
  };
  socket.on("error", (error) => fail(state, error));
  socket.on("connect", () => start(state));
  socket.connect(to.port, to.address);
  return {
    has: (id) => state.waiting.has(id),
    size: () => state.waiting.size,
    ask: (attempt) => askOn(state, attempt),
    hold: (isHeld) => (isHeld ? socket.ref() : socket.unref()),
    close: () => close(state),
  };
}

/** Until it is connected anybody can send to the socket, so that it listens only from then on. */
function start(state: State): void {
  if (state.stage !== "connecting") return;
  state.stage = "open";
  state.socket.on("message", (packet) => {
    if (packet.length >= 2) state.waiting.get(packet.readUInt16BE(0))?.take(packet);
  });
  for (const query of state.unsent) state.socket.send(query, state.onSent);
  state.unsent.clear();
}

function askOn<T>(state: State, attempt: Try<T>): Promise<T | TransportFailure> {
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
      state.waiting.delete(id);
      if (state.waiting.size === 0 && state.stage !== "closed") state.events.onIdle();
    };
    const giveUp = (failure: TransportFailure) => {
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
    const timer = setTimeout(giveUp, timeoutMs, "timeout");
    signal.addEventListener("abort", onAbort, { once: true });
    state.waiting.set(id, { take, fail: giveUp });
    if (state.stage === "open") state.socket.send(query, state.onSent);
    else state.unsent.add(query);
  });
}

function fail(state: State, error: Error): void {
  // A late error of a closed socket concerns nobody any more.
  if (state.stage === "closed") return;
  close(state);
  state.events.onFailed();
  const failure = failureOf(error);
  for (const waiting of [...state.waiting.values()]) waiting.fail(failure);
}

function close(state: State): void {
  if (state.stage === "closed") return;
  state.stage = "closed";
  state.socket.removeAllListeners("message");
  state.socket.close();
}

export function failureOf(error: Error): TransportFailure {
  const code = "code" in error ? error.code : undefined;
  return code === "ECONNREFUSED" || code === "ECONNRESET" || code === "EPIPE"
    ? "refused"
    : "unreachable";
}
