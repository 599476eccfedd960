import type { Socket } from "node:net";

/** Called with bytes that are only lent: what is needed after the call must be copied. */
export type Reader = (bytes: Buffer) => void;

/** Reads of many sockets into one buffer. */
export interface LentReads {
  /** Calls the reader with everything that the socket reads from now on. */
  start(socket: Socket, reader: Reader): void;
  /** The socket emits `data` again, for an owner that keeps what it reads. */
  stop(socket: Socket, reader: Reader): void;
  /** The same bytes, copied if they are lent. */
  keep(bytes: Buffer | null): Buffer | null;
}

/** As much as Node reads at once. */
const usualBytes = 65_536;
/**
 * For a socket whose bytes leave as fast as they arrive: four times as few turns for a large body.
 */
const largeBytes = 262_144;
/** So many full reads in a row, none later after the one before than this, make a socket fast. */
const fastReads = 16;
const fastWithinMs = 50;

/**
 * By default Node allocates memory for each read, and the collector, which sees only how much there
 * is, took a third of the time of a large download. The `onread` option of `net.connect` avoids
 * that, but sockets of a server and TLS over another socket do not have it. This sets what that
 * option sets, by the same names; a socket without them emits `data` as usual. One owner's reads
 * never nest, so they share one buffer.
 */
export function createLentReads(): LentReads {
  const large = Buffer.allocUnsafeSlow(largeBytes);
  const usual = large.subarray(0, usualBytes);
  return {
    start(socket, reader) {
      const lendable = asLendable(socket);
      if (lendable === null) {
        socket.on("data", reader);
        return;
      }
      const { target, symbols } = lendable;
      const isLentBefore = isPartOf(target[symbols.buffer], large);
      const speed = new ReadSpeed();
      target[symbols.callback] = (size: number) => {
        speed.count(size, size < usualBytes ? 0 : performance.now());
        reader(large.subarray(0, size));
        return true;
      };
      let current: unknown = isLentBefore ? target[symbols.buffer] : usual;
      // Called after each read: a buffer that it returns takes the place of the one before.
      target[symbols.next] = () => {
        const next = speed.isFast ? large : usual;
        if (next === current) return null;
        current = next;
        return next;
      };
      if (!isLentBefore) {
        target[symbols.buffer] = usual;
        target._handle.useUserBuffer(usual);
      }
      socket.resume();
    },
    stop(socket, reader) {
      socket.off("data", reader);
      const lendable = asLendable(socket);
      if (lendable === null) return;
      const { target, symbols } = lendable;
      if (!isPartOf(target[symbols.buffer], large)) return;
      target[symbols.callback] = (size: number) =>
        socket.push(Buffer.from(large.subarray(0, size)));
      target[symbols.next] = null;
    },
    keep: (bytes) => (isPartOf(bytes, large) ? Buffer.from(bytes) : bytes),
  };
}

function isPartOf(bytes: unknown, whole: Buffer): bytes is Buffer {
  return bytes instanceof Uint8Array && bytes.buffer === whole.buffer;
}

/** Whether a socket delivers more than usual reads take, without waiting for its reader. */
export class ReadSpeed {
  #fullReads = 0;
  #lastAt = 0;

  get isFast(): boolean {
    return this.#fullReads >= fastReads;
  }

  count(size: number, now: number): void {
    if (size < usualBytes) {
      this.#fullReads = 0;
      return;
    }
    this.#fullReads = now - this.#lastAt > fastWithinMs ? 1 : this.#fullReads + 1;
    this.#lastAt = now;
  }
}

interface Lendable {
  readonly _handle: { useUserBuffer(buffer: Buffer): void };
  [name: symbol]: unknown;
}

interface ReadSymbols {
  readonly buffer: symbol;
  readonly callback: symbol;
  readonly next: symbol;
}

let found: ReadSymbols | null = null;

function asLendable(
  socket: Socket,
): { readonly target: Lendable; readonly symbols: ReadSymbols } | null {
  found ??= findSymbols(socket);
  const isLendable = found !== null && hasHandle(socket) && socket.readableLength === 0;
  return isLendable && found !== null ? { target: socket, symbols: found } : null;
}

function findSymbols(socket: Socket): ReadSymbols | null {
  const all = Object.getOwnPropertySymbols(socket);
  const buffer = all.find(({ description }) => description === "kBuffer");
  const callback = all.find(({ description }) => description === "kBufferCb");
  const next = all.find(({ description }) => description === "kBufferGen");
  if (buffer === undefined || callback === undefined || next === undefined) return null;
  return { buffer, callback, next };
}

function hasHandle(socket: unknown): socket is Lendable {
  if (typeof socket !== "object" || socket === null || !("_handle" in socket)) return false;
  const { _handle: handle } = socket;
  if (typeof handle !== "object" || handle === null || !("useUserBuffer" in handle)) return false;
  return typeof handle.useUserBuffer === "function";
}
