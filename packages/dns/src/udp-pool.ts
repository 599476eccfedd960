import type { RandomBytes } from "./random.ts";
import {
  type Channel,
  type Endpoint,
  openChannel,
  type TransportFailure,
  type Try,
} from "./udp.ts";

export interface UdpPool {
  /**
   * Sends one query and waits for its answer. The id, the query's first two octets, is written here:
   * it is random and, on its socket, different from those of all questions under way.
   */
  ask<T>(attempt: Try<T>): Promise<T | TransportFailure>;
}

export interface UdpPoolSettings {
  readonly random: RandomBytes;
  readonly nowMs: () => number;
}

/** Each question to a server takes one of these at random; a forger has to hit its port as well. */
export const SOCKETS_PER_SERVER = 8;
/** A port that is used for longer is a port that can be found out. */
export const QUESTIONS_PER_SOCKET = 512;
export const SOCKET_LIFE_MS = 5_000;
/** What a socket's buffer in the kernel surely holds if all answers come while we are busy. */
export const QUESTIONS_AT_ONCE = 64;
/** Long enough to bridge the gap between an answer and the next question, no longer. */
export const IDLE_MS = 50;
export const MAX_IDLE_SOCKETS = 64;

interface Lease {
  readonly key: string;
  readonly channel: Channel;
  readonly openedAtMs: number;
  asked: number;
  idleSinceMs: number;
}

interface State {
  readonly settings: UdpPoolSettings;
  /** Those that take new questions; a retired one lives on only in its questions under way. */
  readonly open: Map<string, Lease>;
  /** The longest idle first. */
  readonly idle: Set<Lease>;
  sweep: NodeJS.Timeout | null;
}

/**
 * Sockets with a question under way are as many as questions at most, and only MAX_IDLE_SOCKETS more
 * stay open, for moments and without keeping the process from ending.
 */
export function createUdpPool(settings: UdpPoolSettings): UdpPool {
  const state: State = { settings, open: new Map(), idle: new Set(), sweep: null };
  return {
    ask: (attempt) => {
      if (attempt.signal.aborted) return Promise.reject(attempt.signal.reason);
      const [slot = 0, high = 0, low = 0] = settings.random(3);
      const { channel } = lease(state, attempt.to, slot % SOCKETS_PER_SERVER);
      attempt.query.writeUInt16BE(freeId(channel, (high << 8) | low), 0);
      return channel.ask(attempt);
    },
  };
}

/** Ends: a socket never has more than QUESTIONS_AT_ONCE of the 65,536 ids in use. */
function freeId(channel: Channel, random: number): number {
  let id = random;
  while (channel.has(id)) id = (id + 1) & 0xffff;
  return id;
}

function lease(state: State, to: Endpoint, slot: number): Lease {
  const key = `${to.address} ${to.port} ${slot}`;
  const nowMs = state.settings.nowMs();
  const current = state.open.get(key);
  if (current !== undefined && isSpent(current, nowMs)) retire(state, current);
  const taken = state.open.get(key) ?? openLease(state, key, to, nowMs);
  taken.asked += 1;
  if (state.idle.delete(taken)) taken.channel.hold(true);
  return taken;
}

function isSpent({ asked, openedAtMs, channel }: Lease, nowMs: number): boolean {
  return (
    asked >= QUESTIONS_PER_SOCKET ||
    nowMs - openedAtMs >= SOCKET_LIFE_MS ||
    channel.size() >= QUESTIONS_AT_ONCE
  );
}

function openLease(state: State, key: string, to: Endpoint, openedAtMs: number): Lease {
  const channel = openChannel(to, {
    onIdle: () => rest(state, opened),
    onFailed: () => forget(state, opened),
  });
  const opened: Lease = { key, channel, openedAtMs, asked: 0, idleSinceMs: openedAtMs };
  state.open.set(key, opened);
  return opened;
}

function forget(state: State, gone: Lease): void {
  if (state.open.get(gone.key) === gone) state.open.delete(gone.key);
  state.idle.delete(gone);
}

/** Takes no new questions from here on; closed now, or when its last question is over. */
function retire(state: State, old: Lease): void {
  const isIdle = state.idle.has(old);
  forget(state, old);
  if (isIdle) old.channel.close();
}

function rest(state: State, resting: Lease): void {
  if (state.open.get(resting.key) !== resting) {
    resting.channel.close();
    return;
  }
  resting.channel.hold(false);
  resting.idleSinceMs = state.settings.nowMs();
  state.idle.add(resting);
  const [longest] = state.idle;
  if (state.idle.size > MAX_IDLE_SOCKETS && longest !== undefined) retire(state, longest);
  armSweep(state);
}

function armSweep(state: State): void {
  state.sweep ??= setTimeout(() => {
    state.sweep = null;
    const before = state.settings.nowMs() - IDLE_MS;
    for (const lease of state.idle) {
      if (lease.idleSinceMs > before) break;
      retire(state, lease);
    }
    if (state.idle.size > 0) armSweep(state);
  }, IDLE_MS).unref();
}
