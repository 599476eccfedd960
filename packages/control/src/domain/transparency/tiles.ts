import { type Frontier, hashBytes, nodeHash } from "./merkle.ts";

/** The tiles of a static-ct-api log, and how hashes of the tree are read from them. */

export const tileWidth = 256;

export interface Tile {
  readonly level: number;
  readonly index: number;
  /** 256 of a full tile. */
  readonly width: number;
}

/** `x001/x234/067`; the width is left out for a full tile. */
export function tilePath(level: number | "data", index: number, width: number): string {
  const digits = String(index);
  const padded = digits.padStart(Math.ceil(digits.length / 3) * 3, "0");
  const parts = padded.match(/\d{3}/g) ?? [];
  const last = parts.length - 1;
  const path = parts.map((part, at) => (at < last ? `x${part}` : part)).join("/");
  return `tile/${level}/${path}${width === tileWidth ? "" : `.p/${width}`}`;
}

/** A complete subtree: 2^height leaves from index × 2^height on. */
interface TreeNode {
  readonly height: number;
  readonly index: number;
}

const heightPerTile = 8;

/** How wide a tile is in a tree of this size. */
export function widthInTree(treeSize: number, level: number, index: number): number {
  const count = Math.floor(treeSize / tileWidth ** level);
  return Math.min(tileWidth, count - index * tileWidth);
}

function tileAndRange({ height, index }: TreeNode) {
  const level = Math.floor(height / heightPerTile);
  const count = 2 ** (height % heightPerTile);
  const first = index * count;
  const tile = Math.floor(first / tileWidth);
  return { level, tile, from: first - tile * tileWidth, count };
}

/** The complete subtrees of the leaves from `start`, a multiple of each size, to `end`. */
function completeNodes(start: number, end: number): readonly TreeNode[] {
  const nodes: TreeNode[] = [];
  let position = start;
  while (position < end) {
    const height = Math.floor(Math.log2(end - position));
    nodes.push({ height, index: position / 2 ** height });
    position += 2 ** height;
  }
  return nodes;
}

interface Range {
  readonly start: number;
  readonly end: number;
}

/** The subtrees of PROOF(first, D[second]), in its order (RFC 6962 §2.1.2). */
function proofRanges(first: number, second: number): readonly Range[] {
  const visit = (from: number, start: number, end: number, isWhole: boolean): Range[] => {
    if (from === end - start) return isWhole ? [] : [{ start, end }];
    const half = 2 ** Math.ceil(Math.log2(end - start) - 1);
    const middle = start + half;
    return from <= half
      ? [...visit(from, start, middle, isWhole), { start: middle, end }]
      : [...visit(from - half, middle, end, false), { start, end: middle }];
  };
  return first === 0 || first === second ? [] : visit(first, 0, second, true);
}

/** Answers the hashes of a tile, at least as many as its width. */
export type ReadTile = (tile: Tile) => Promise<Buffer>;

function createNodeReader(treeSize: number, read: ReadTile) {
  const tiles = new Map<string, Promise<Buffer>>();
  return async (node: TreeNode): Promise<Buffer> => {
    const { level, tile: index, from, count } = tileAndRange(node);
    const key = `${level}/${index}`;
    const width = widthInTree(treeSize, level, index);
    const found = tiles.get(key) ?? read({ level, index, width });
    tiles.set(key, found);
    const bytes = await found;
    const hashes = Array.from({ length: count }, (_, offset) => {
      const at = (from + offset) * hashBytes;
      return bytes.subarray(at, at + hashBytes);
    });
    return foldComplete(hashes);
  };
}

function foldComplete(hashes: readonly Buffer[]): Buffer {
  let row = hashes;
  while (row.length > 1) {
    const above: Buffer[] = [];
    for (let at = 0; at + 1 < row.length; at += 2) {
      const [left, right] = [row[at], row[at + 1]];
      if (left && right) above.push(nodeHash(left, right));
    }
    row = above;
  }
  const [root] = row;
  if (root === undefined) throw new TypeError("no hashes");
  return root;
}

/**
 * The proof that the tree of the second size begins with that of the first. It is as the tiles say:
 * only `isConsistent` with a signed root makes it true.
 */
export async function proofFromTiles(
  first: number,
  second: number,
  read: ReadTile,
): Promise<readonly Buffer[]> {
  const readNode = createNodeReader(second, read);
  return Promise.all(
    proofRanges(first, second).map(async ({ start, end }) => {
      const parts = await Promise.all(completeNodes(start, end).map(readNode));
      const [last, ...rest] = parts.toReversed();
      if (last === undefined) throw new TypeError("an empty range");
      return rest.reduce((right, left) => nodeHash(left, right), last);
    }),
  );
}

/** The frontier of a tree; as the tiles say, so that its root must be compared. */
export async function frontierFromTiles(size: number, read: ReadTile): Promise<Frontier> {
  const readNode = createNodeReader(size, read);
  return { size, hashes: await Promise.all(completeNodes(0, size).map(readNode)) };
}
