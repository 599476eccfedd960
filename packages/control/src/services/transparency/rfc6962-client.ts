import { type HashedLeaf, readLeafInput } from "../../domain/transparency/leaf.ts";
import type { TransparencyLog } from "../../domain/transparency/log-list.ts";
import { emptyFrontier, frontierFromPath } from "../../domain/transparency/merkle.ts";
import {
  asRecord,
  readHashes,
  readSignedTreeHead,
  UnreadableAnswer,
} from "../../domain/transparency/tree-head.ts";
import type { LogClient } from "./log-client.ts";
import { LogAway, type LogRequest, type SendToLog } from "./send-to-log.ts";

const maxAnswerBytes = 64 * 1024;
/** An answer of 256 entries has about two megabytes; a log may cut it off where it likes. */
const maxEntriesBytes = 16 * 1024 * 1024;

/** A log with the interface of RFC 6962 §4. */
export function createRfc6962Client(log: TransparencyLog, send: SendToLog): LogClient {
  const ask = async (path: string, request: LogRequest): Promise<unknown> => {
    const answer = await send(`${log.url}ct/v1/${path}`, request);
    if (answer.status === "missing") throw new LogAway("the log answered 404");
    if (answer.status === "too_large") return null;
    return parse(answer.body);
  };
  const get = async (path: string, signal: AbortSignal): Promise<unknown> => {
    const answer = await ask(path, { signal, maxBytes: maxAnswerBytes });
    if (answer === null) throw new UnreadableAnswer("an answer that is too large");
    return answer;
  };

  /** As many as the log chooses to answer, at least one. */
  async function someLeaves(start: number, end: number, signal: AbortSignal) {
    let last = end - 1;
    for (;;) {
      const path = `get-entries?start=${start}&end=${last}`;
      const answer = await ask(path, { signal, maxBytes: maxEntriesBytes });
      if (answer !== null) return readEntries(answer, last - start + 1);
      if (last === start) throw new UnreadableAnswer("an entry that is too large");
      last = start + Math.floor((last - start) / 2);
    }
  }

  const client: LogClient = {
    head: async (signal) => readSignedTreeHead(await get("get-sth", signal)),
    async leaves({ start, end }, signal) {
      const leaves: HashedLeaf[] = [];
      while (start + leaves.length < end) {
        leaves.push(...(await someLeaves(start + leaves.length, end, signal)));
      }
      return leaves;
    },
    async consistency(first, second, signal) {
      if (first === 0 || first === second) return [];
      const answer = await get(`get-sth-consistency?first=${first}&second=${second}`, signal);
      return readHashes(asRecord(answer)["consistency"]);
    },
    async frontier(size, signal) {
      if (size === 0) return emptyFrontier;
      const [last] = await someLeaves(size - 1, size, signal);
      if (last === undefined) throw new UnreadableAnswer("no entry");
      const hash = encodeURIComponent(last.leafHash.toString("base64"));
      const answer = await get(`get-proof-by-hash?hash=${hash}&tree_size=${size}`, signal);
      const { leaf_index: index, audit_path: path } = asRecord(answer);
      // The same certificate may be in a log twice: then the proof is of another leaf.
      const isLast = index === size - 1;
      const frontier = frontierFromPath(size, last.leafHash, isLast ? readHashes(path) : []);
      return frontier ?? frontierByEntry(size, signal);
    },
  };

  async function frontierByEntry(size: number, signal: AbortSignal) {
    const path = `get-entry-and-proof?leaf_index=${size - 1}&tree_size=${size}`;
    const answer = asRecord(await ask(path, { signal, maxBytes: maxEntriesBytes }));
    const input = answer["leaf_input"];
    if (typeof input !== "string") throw new UnreadableAnswer("no entry with its proof");
    const { leafHash } = readLeafInput(input);
    const frontier = frontierFromPath(size, leafHash, readHashes(answer["audit_path"]));
    if (frontier === null) throw new UnreadableAnswer("a proof of another length");
    return frontier;
  }

  return client;
}

function parse(body: Buffer): unknown {
  try {
    return JSON.parse(body.toString("utf8"));
  } catch (error) {
    throw new UnreadableAnswer("an answer that is not JSON", { cause: error });
  }
}

/** More than were asked for are not an answer to the question. */
function readEntries(answer: unknown, most: number): readonly HashedLeaf[] {
  const { entries } = asRecord(answer);
  if (!Array.isArray(entries) || entries.length === 0 || entries.length > most) {
    throw new UnreadableAnswer("not a list of entries");
  }
  return entries.map((entry) => {
    const { leaf_input: input } = asRecord(entry);
    if (typeof input !== "string") throw new UnreadableAnswer("an entry without a leaf");
    return readLeafInput(input);
  });
}
