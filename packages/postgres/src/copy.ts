import { once } from "node:events";
import type { Duplex } from "node:stream";
import type pg from "pg";

/** What the driver's connection has for COPY; its published types lack it. */
interface CopyConnection {
  readonly stream: Duplex;
  query(text: string): void;
  sendCopyFromChunk(chunk: Uint8Array): void;
  endCopyFrom(): void;
  sendCopyFail(message: string): void;
}

/** Rows are joined to pieces of this size. */
const pieceBytes = 256 * 1024;
/** More than this is not read from the server before the reader has taken it. */
const highWaterBytes = 4 * pieceBytes;

/**
 * Runs a `copy … to stdout` and yields what the server sends, in pieces that need not end with a
 * row. Resolves to the number of rows when all is read. A reader that stops early must end the
 * client.
 */
export async function* copyOut(client: pg.Client, text: string): AsyncGenerator<Buffer, number> {
  const query = new CopyOut(text);
  client.query(query as unknown as pg.Submittable);
  for (;;) {
    const piece = await query.next();
    if (piece === null) return query.rows;
    yield piece;
  }
}

class CopyOut {
  rows = 0;
  readonly #text: string;
  #connection: CopyConnection | null = null;
  #pieces: Buffer[] = [];
  #bytes = 0;
  #last = Buffer.alloc(0);
  #lastBytes = 0;
  #isDone = false;
  #error: Error | null = null;
  #wake: () => void = () => undefined;

  constructor(text: string) {
    this.#text = text;
  }

  async next(): Promise<Buffer | null> {
    while (this.#bytes === 0 && !this.#isDone && this.#error === null) {
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
    }
    if (this.#error !== null) throw this.#error;
    if (this.#bytes === 0) return null;
    const piece = this.#pieces.shift() ?? this.#takeLast();
    this.#bytes -= piece.length;
    if (this.#bytes < highWaterBytes) this.#connection?.stream.resume();
    return piece;
  }

  #takeLast(): Buffer {
    const piece = this.#last.subarray(0, this.#lastBytes);
    this.#last = Buffer.alloc(0);
    this.#lastBytes = 0;
    return piece;
  }

  submit(connection: CopyConnection): void {
    this.#connection = connection;
    connection.query(this.#text);
  }

  /** The parser uses the memory of a message again, so that it is copied. */
  handleCopyData({ chunk }: { readonly chunk: Buffer }, connection: CopyConnection): void {
    if (this.#lastBytes + chunk.length > this.#last.length) {
      if (this.#lastBytes > 0) this.#pieces.push(this.#takeLast());
      this.#last = Buffer.allocUnsafe(Math.max(pieceBytes, chunk.length));
    }
    this.#lastBytes += chunk.copy(this.#last, this.#lastBytes);
    this.#bytes += chunk.length;
    if (this.#bytes >= highWaterBytes) connection.stream.pause();
    this.#wake();
  }

  handleCommandComplete({ text }: { readonly text: string }): void {
    this.rows = rowsIn(text);
  }

  handleReadyForQuery(): void {
    this.#isDone = true;
    this.#wake();
  }

  handleError(error: Error): void {
    this.#error = error;
    this.#wake();
  }
}

/**
 * Runs a `copy … from stdin` with these bytes and resolves to the number of rows. When the source
 * throws, the statement fails and the source's error is the one that rejects.
 */
export async function copyIn(
  client: pg.Client,
  text: string,
  source: AsyncIterable<Uint8Array>,
): Promise<number> {
  const query = new CopyIn(text, source);
  client.query(query as unknown as pg.Submittable);
  return query.done;
}

class CopyIn {
  readonly done: Promise<number>;
  readonly #text: string;
  readonly #source: AsyncIterable<Uint8Array>;
  readonly #settle: { resolve(rows: number): void; reject(error: unknown): void };
  readonly #ended = new AbortController();
  #rows = 0;
  #cause: unknown = null;

  constructor(text: string, source: AsyncIterable<Uint8Array>) {
    this.#text = text;
    this.#source = source;
    const { promise, ...settle } = Promise.withResolvers<number>();
    this.done = promise;
    this.#settle = settle;
  }

  submit(connection: CopyConnection): void {
    connection.query(this.#text);
  }

  handleCopyInResponse(connection: CopyConnection): void {
    void this.#send(connection);
  }

  async #send(connection: CopyConnection): Promise<void> {
    const { stream } = connection;
    try {
      for await (const chunk of this.#source) {
        // The server has refused a row and reads no more.
        if (this.#ended.signal.aborted) return;
        connection.sendCopyFromChunk(chunk);
        if (stream.writableNeedDrain) await once(stream, "drain", { signal: this.#ended.signal });
      }
      connection.endCopyFrom();
    } catch (error) {
      if (this.#ended.signal.aborted) return;
      this.#cause = error;
      connection.sendCopyFail("the source failed");
    }
  }

  handleCommandComplete({ text }: { readonly text: string }): void {
    this.#rows = rowsIn(text);
  }

  handleReadyForQuery(): void {
    this.#settle.resolve(this.#rows);
  }

  handleError(error: Error): void {
    this.#ended.abort();
    this.#settle.reject(this.#cause ?? error);
  }
}

/** Of a command tag, `COPY 42`. */
function rowsIn(tag: string): number {
  return Number(/^COPY (\d+)$/.exec(tag)?.[1] ?? 0);
}
