import type { Writable } from "node:stream";

/**
 * What TLS decrypts at once, what a socket reads at once, and a fast one, each with a head before
 * it.
 */
const blockSizes = [20_480, 81_920, 278_528] as const;
/** Smaller copies are slices of memory that Node shares out. */
const smallBytes = 4_096;
const maxFreeBytes = 4_194_304;
const free = new Map<number, Buffer[]>(blockSizes.map((size) => [size, []]));

/**
 * Writes a copy of the pieces, strings as Latin-1, as one packet: the pieces may be lent. False
 * when the peer reads too slowly. Memory for large copies is used again as soon as it is written,
 * because the garbage collector would notice too late.
 */
export function writeCopy(stream: Writable, pieces: readonly (Buffer | string)[]): boolean {
  let size = 0;
  for (const piece of pieces) size += piece.length;
  const blockSize = size <= smallBytes ? undefined : blockSizes.find((block) => size <= block);
  if (blockSize === undefined) return stream.write(fill(Buffer.allocUnsafe(size), pieces));
  const block = takeBlock(blockSize);
  return stream.write(fill(block.subarray(0, size), pieces), () => returnBlock(block));
}

/**
 * Writes copies of the pieces of one tick of the event loop together. TLS and HTTP/2 deliver a body
 * in pieces of 16 KiB, and a write for each of them costs more than a second copy.
 */
export class GatheredWrites {
  readonly #stream: Writable;
  #block: Buffer | null = null;
  #used = 0;
  #isScheduled = false;
  readonly #onTick = () => {
    this.#isScheduled = false;
    this.flush();
  };

  constructor(stream: Writable) {
    this.#stream = stream;
  }

  /** The pieces may be lent. False when the peer reads too slowly; `drain` follows. */
  write(pieces: readonly (Buffer | string)[]): boolean {
    for (const piece of pieces) this.#add(piece);
    if (this.#used > 0 && !this.#isScheduled) {
      this.#isScheduled = true;
      setImmediate(this.#onTick);
    }
    const { writableLength, writableHighWaterMark } = this.#stream;
    return writableLength < writableHighWaterMark;
  }

  flush(): void {
    const block = this.#block;
    if (block === null) return;
    const bytes = block.subarray(0, this.#used);
    this.#block = null;
    this.#used = 0;
    if (this.#stream.destroyed) returnBlock(block);
    else this.#stream.write(bytes, () => returnBlock(block));
  }

  #add(piece: Buffer | string): void {
    let at = 0;
    while (at < piece.length) {
      this.#block ??= takeBlock(gatheredBytes);
      const stop = at + this.#block.length - this.#used;
      if (typeof piece === "string") {
        this.#block.write(piece.slice(at, stop), this.#used, "latin1");
      } else piece.copy(this.#block, this.#used, at, stop);
      const size = Math.min(stop, piece.length) - at;
      this.#used += size;
      at += size;
      if (this.#used === this.#block.length) this.flush();
    }
  }
}

const gatheredBytes = blockSizes[2];

function takeBlock(size: number): Buffer {
  return free.get(size)?.pop() ?? Buffer.allocUnsafeSlow(size);
}

function returnBlock(block: Buffer): void {
  const blocks = free.get(block.length);
  if (blocks && blocks.length * block.length < maxFreeBytes) blocks.push(block);
}

function fill(target: Buffer, pieces: readonly (Buffer | string)[]): Buffer {
  let at = 0;
  for (const piece of pieces) {
    if (typeof piece === "string") target.write(piece, at, "latin1");
    else target.set(piece, at);
    at += piece.length;
  }
  return target;
}
