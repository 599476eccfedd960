import type { HashedLeaf } from "../../domain/transparency/leaf.ts";
import type { Frontier } from "../../domain/transparency/merkle.ts";
import type { TreeHead } from "../../domain/transparency/tree-head.ts";

/**
 * What is asked of a log, whichever its interface. Nothing that it answers is true by itself: heads
 * have a signature, proofs and hashes are compared with a signed root by the caller. Answers have
 * limits of size and time. Fails with `LogAway`, `LogBusy`, or `UnreadableAnswer`.
 */
export interface LogClient {
  head(signal: AbortSignal): Promise<TreeHead>;
  /** The leaves from `start` to `end`, which are of one block of `blockSize` entries. */
  leaves(
    range: { readonly start: number; readonly end: number; readonly treeSize: number },
    signal: AbortSignal,
  ): Promise<readonly HashedLeaf[]>;
  consistency(first: number, second: number, signal: AbortSignal): Promise<readonly Buffer[]>;
  /** The frontier of the whole tree of a head. */
  frontier(size: number, signal: AbortSignal): Promise<Frontier>;
}

/** Entries that are asked for at once; a tile has as many. */
export const blockSize = 256;
