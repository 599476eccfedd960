import { createHash } from "node:crypto";
import { z } from "zod";
import type { BackupEntry } from "../../../db/backup/entries.ts";

/**
 * Entries as bytes: a letter, the length in four bytes, and that many bytes. Rows are as COPY gives
 * them, everything else is JSON.
 */
const headBytes = 5;
const letterOfRows = "R".charCodeAt(0);
const letterOfJson = "J".charCodeAt(0);
/** Longer ones are not written. */
const maximumBytes = 256 * 1024 * 1024;

export async function* encodeEntries(entries: AsyncIterable<BackupEntry>): AsyncGenerator<Buffer> {
  for await (const entry of entries) {
    const isRows = entry.kind === "rows";
    const body = isRows ? entry.bytes : Buffer.from(JSON.stringify(entry));
    const head = Buffer.alloc(headBytes);
    head[0] = isRows ? letterOfRows : letterOfJson;
    head.writeUInt32BE(body.length, 1);
    yield head;
    yield body;
  }
}

const jsonEntry = z.discriminatedUnion("kind", [
  z.strictObject({
    kind: z.literal("schema"),
    migrations: z.array(z.tuple([z.int(), z.string()])).min(1),
  }),
  z.strictObject({ kind: z.literal("table"), name: z.string(), columns: z.array(z.string()) }),
  z.strictObject({ kind: z.literal("table_end"), rows: z.int(), sha256: z.string() }),
  z.strictObject({
    kind: z.literal("sequences"),
    sequences: z.array(
      z.strictObject({ name: z.string(), value: z.string(), isCalled: z.boolean() }),
    ),
  }),
  z.strictObject({ kind: z.literal("end"), tables: z.int(), rows: z.int() }),
]);

/** Throws at an entry out of order, and where rows are not those that were written. */
export async function* decodeEntries(source: AsyncIterable<Buffer>): AsyncGenerator<BackupEntry> {
  const order = new Order();
  for await (const entry of parseFrames(source)) {
    order.check(entry);
    yield entry;
  }
  order.checkEnd();
}

async function* parseFrames(source: AsyncIterable<Buffer>): AsyncGenerator<BackupEntry> {
  let pieces: Buffer[] = [];
  let [length, needed] = [0, headBytes];
  for await (const piece of source) {
    pieces.push(piece);
    length += piece.length;
    // Joined when an entry is whole: joining each piece would copy a long entry many times.
    if (length < needed) continue;
    const joined = Buffer.concat(pieces);
    let start = 0;
    for (;;) {
      needed = neededBytes(joined, start);
      if (joined.length - start < needed) break;
      yield parseFrame(joined.subarray(start, start + needed));
      start += needed;
    }
    pieces = [joined.subarray(start)];
    length -= start;
  }
  if (length > 0) throw new Error("the backup ends within an entry");
}

/** The length of the entry that starts there, or of its head while that is not whole. */
function neededBytes(bytes: Buffer, start: number): number {
  if (bytes.length - start < headBytes) return headBytes;
  const length = bytes.readUInt32BE(start + 1);
  if (length > maximumBytes) throw new Error("an entry of the backup is too long");
  return headBytes + length;
}

function parseFrame(frame: Buffer): BackupEntry {
  const body = frame.subarray(headBytes);
  if (frame[0] === letterOfRows) return { kind: "rows", bytes: body };
  return jsonEntry.parse(JSON.parse(body.toString("utf8")));
}

const following: Readonly<Record<BackupEntry["kind"] | "start", readonly BackupEntry["kind"][]>> = {
  start: ["schema"],
  schema: ["table"],
  table: ["rows", "table_end"],
  rows: ["rows", "table_end"],
  table_end: ["table", "sequences"],
  sequences: ["end"],
  end: [],
};

class Order {
  #last: BackupEntry["kind"] | "start" = "start";
  #hash = createHash("sha256");
  #tables = 0;
  #rows = 0;

  check(entry: BackupEntry): void {
    if (!following[this.#last].includes(entry.kind)) {
      throw new Error(`the backup has ${entry.kind} after ${this.#last}`);
    }
    this.#last = entry.kind;
    if (entry.kind === "table") this.#hash = createHash("sha256");
    if (entry.kind === "rows") this.#hash.update(entry.bytes);
    if (entry.kind === "table_end") this.#closeTable(entry);
    if (entry.kind === "end" && (entry.tables !== this.#tables || entry.rows !== this.#rows)) {
      throw new Error("the backup has not as many rows as it says");
    }
  }

  checkEnd(): void {
    if (this.#last !== "end") throw new Error("the backup has no end");
  }

  #closeTable({ rows, sha256 }: Extract<BackupEntry, { kind: "table_end" }>): void {
    if (this.#hash.digest("hex") !== sha256) {
      throw new Error("a table of the backup has not the checksum that was written");
    }
    this.#tables += 1;
    this.#rows += rows;
  }
}
