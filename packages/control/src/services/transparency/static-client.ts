import { type HashedLeaf, readDataTile } from "../../domain/transparency/leaf.ts";
import type { TransparencyLog } from "../../domain/transparency/log-list.ts";
import { hashBytes } from "../../domain/transparency/merkle.ts";
import {
  frontierFromTiles,
  proofFromTiles,
  type ReadTile,
  tilePath,
  tileWidth,
} from "../../domain/transparency/tiles.ts";
import { readCheckpoint, UnreadableAnswer } from "../../domain/transparency/tree-head.ts";
import type { LogClient } from "./log-client.ts";
import { LogAway, type SendToLog } from "./send-to-log.ts";

const maxCheckpointBytes = 64 * 1024;
/** A tile of 256 entries has about a megabyte. */
const maxDataBytes = 32 * 1024 * 1024;

/** A log with the interface of c2sp.org/static-ct-api. */
export function createStaticClient(log: TransparencyLog, send: SendToLog): LogClient {
  const logId = Buffer.from(log.id, "hex");

  async function get(path: string, maxBytes: number, signal: AbortSignal): Promise<Buffer | null> {
    const answer = await send(`${log.url}${path}`, { signal, maxBytes });
    if (answer.status === "too_large") throw new UnreadableAnswer("an answer that is too large");
    return answer.status === "ok" ? answer.body : null;
  }

  /** A log may remove a partial tile once there is the full one, which begins with the same. */
  async function getTile(
    { level, index, width }: { level: number | "data"; index: number; width: number },
    maxBytes: number,
    signal: AbortSignal,
  ): Promise<Buffer> {
    const partial = await get(tilePath(level, index, width), maxBytes, signal);
    const isFull = width === tileWidth;
    const found =
      partial ?? (isFull ? null : await get(tilePath(level, index, tileWidth), maxBytes, signal));
    if (found === null) throw new LogAway("the log lacks a tile of its tree");
    return found;
  }

  const readTile =
    (signal: AbortSignal): ReadTile =>
    async (tile) => {
      const bytes = await getTile(tile, tileWidth * hashBytes, signal);
      if (bytes.length < tile.width * hashBytes) throw new UnreadableAnswer("a tile cut off");
      return bytes;
    };

  return {
    async head(signal) {
      const body = await get("checkpoint", maxCheckpointBytes, signal);
      if (body === null) throw new LogAway("the log answered 404");
      return readCheckpoint(body.toString("utf8"), { origin: log.origin, logId });
    },
    async leaves({ start, end, treeSize }, signal): Promise<readonly HashedLeaf[]> {
      const index = Math.floor(start / tileWidth);
      const width = Math.min(tileWidth, treeSize - index * tileWidth);
      const tile = await getTile({ level: "data", index, width }, maxDataBytes, signal);
      const first = index * tileWidth;
      const entries = readDataTile(tile, end - first, start - first);
      if (entries === null) throw new UnreadableAnswer("a tile whose entries cannot be read");
      return entries.map((entry) => ({ leafHash: entry.leafHash, entry }));
    },
    consistency: (first, second, signal) => proofFromTiles(first, second, readTile(signal)),
    frontier: (size, signal) => frontierFromTiles(size, readTile(signal)),
  };
}
