export type RandomBytes = (size: number) => Uint8Array;

/** Asking the system for random bytes costs much the same for two of them as for thousands. */
const BLOCK_BYTES = 4_096;

/** Hands out `source`'s bytes from blocks drawn ahead; no byte is handed out twice. */
export function inBlocks(source: RandomBytes, blockBytes = BLOCK_BYTES): RandomBytes {
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
