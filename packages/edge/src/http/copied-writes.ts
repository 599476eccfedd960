import type { Writable } from "node:stream";

/** Two sizes: what TLS decrypts at once, and what a socket reads at once, each with a head before it. */
const blockSizes = [20_480, 81_920] as const;
/** Smaller copies are slices of memory that Node shares out. */
const smallBytes = 4_096;
const maxFreeBytes = 4_194_304;
const free: readonly Buffer[][] = blockSizes.map(() => []);

/**
 * Writes a copy of the pieces, strings as Latin-1, as one packet: the pieces may be lent. False when the
 * peer reads too slowly. Memory for large copies is used again as soon as it is written, because the
 * garbage collector would notice too late.
 */
export function writeCopy(stream: Writable, pieces: readonly (Buffer | string)[]): boolean {
  let size = 0;
  for (const piece of pieces) size += piece.length;
  const index = size <= smallBytes ? -1 : blockSizes.findIndex((block) => size <= block);
  const blocks = free[index];
  if (blocks === undefined) return stream.write(fill(Buffer.allocUnsafe(size), pieces));
  const blockSize = blockSizes[index] ?? size;
  const block = blocks.pop() ?? Buffer.allocUnsafeSlow(blockSize);
  return stream.write(fill(block.subarray(0, size), pieces), () => {
    if (blocks.length * blockSize < maxFreeBytes) blocks.push(block);
  });
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
