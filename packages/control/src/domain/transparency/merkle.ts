import { hash } from "node:crypto";

/** Hashes of the Merkle tree of RFC 6962 §2.1, and what proves that one tree continues another. */

export const hashBytes = 32;

const pair = Buffer.alloc(1 + 2 * hashBytes, 1);

/** SHA-256 over 0x01 and both hashes. */
export function nodeHash(left: Buffer, right: Buffer): Buffer {
  left.copy(pair, 1);
  right.copy(pair, 1 + hashBytes);
  return hash("sha256", pair, "buffer");
}

const emptyRoot = hash("sha256", "", "buffer");

/**
 * The roots of the complete subtrees that a tree of this size consists of, from left to right: all
 * that is needed to append leaves. One for each 1 in the binary size.
 */
export interface Frontier {
  readonly size: number;
  readonly hashes: readonly Buffer[];
}

export const emptyFrontier: Frontier = { size: 0, hashes: [] };

export function appendLeaves(frontier: Frontier, leaves: readonly Buffer[]): Frontier {
  const hashes = [...frontier.hashes];
  let size = frontier.size;
  for (const leaf of leaves) {
    hashes.push(leaf);
    for (let rest = size; rest % 2 === 1; rest = (rest - 1) / 2) {
      const right = hashes.pop();
      const left = hashes.pop();
      if (left === undefined || right === undefined) throw new TypeError("not a frontier");
      hashes.push(nodeHash(left, right));
    }
    size += 1;
  }
  return { size, hashes };
}

export function frontierRoot({ hashes }: Frontier): Buffer {
  const [last, ...rest] = hashes.toReversed();
  return last === undefined ? emptyRoot : rest.reduce((right, left) => nodeHash(left, right), last);
}

/** How many hashes a frontier of this size has. */
export function frontierLength(size: number): number {
  let ones = 0;
  for (let rest = size; rest > 0; rest = Math.floor(rest / 2)) ones += rest % 2;
  return ones;
}

export interface TreeRoot {
  readonly size: number;
  readonly root: Buffer;
}

/** Whether the proof shows that the second tree begins with the first (RFC 9162 §2.1.4.2). */
export function isConsistent(first: TreeRoot, second: TreeRoot, proof: readonly Buffer[]): boolean {
  if (first.size > second.size) return false;
  if (first.size === second.size) return proof.length === 0 && first.root.equals(second.root);
  if (first.size === 0) return proof.length === 0 && first.root.equals(emptyRoot);
  const roots = rootsFromProof(first, second.size, proof);
  if (roots === null) return false;
  return roots.first.equals(first.root) && roots.second.equals(second.root);
}

/** The roots of both trees by the proof; null for one that does not fit their sizes. */
function rootsFromProof(first: TreeRoot, secondSize: number, proof: readonly Buffer[]) {
  const [start, ...steps] = isPowerOfTwo(first.size) ? [first.root, ...proof] : proof;
  if (start === undefined) return null;
  let [fn, sn] = [first.size - 1, secondSize - 1];
  while (fn % 2 === 1) [fn, sn] = [half(fn), half(sn)];
  const roots = { first: start, second: start };
  for (const step of steps) {
    if (sn === 0) return null;
    if (fn % 2 === 1 || fn === sn) {
      roots.first = nodeHash(step, roots.first);
      roots.second = nodeHash(step, roots.second);
      while (fn % 2 === 0 && fn !== 0) [fn, sn] = [half(fn), half(sn)];
    } else {
      roots.second = nodeHash(roots.second, step);
    }
    [fn, sn] = [half(fn), half(sn)];
  }
  return sn === 0 ? roots : null;
}

function half(value: number): number {
  return Math.floor(value / 2);
}

function isPowerOfTwo(size: number): boolean {
  return frontierLength(size) === 1;
}

/**
 * The frontier of a tree from the audit path of its last leaf (RFC 6962 §2.1.1): the path is the
 * frontier of the tree without that leaf, from the bottom up. Null for a path of another length.
 */
export function frontierFromPath(
  size: number,
  lastLeaf: Buffer,
  path: readonly Buffer[],
): Frontier | null {
  if (size === 0 || path.length !== frontierLength(size - 1)) return null;
  return appendLeaves({ size: size - 1, hashes: path.toReversed() }, [lastLeaf]);
}
