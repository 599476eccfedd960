import type { Socket } from "node:net";

/**
 * A read of one byte costs the processor almost as much as one of a thousand: 1 to 12 µs from the
 * TLS record to the origin's socket, by what the bytes are. So a read of so many bytes, about a
 * small message of gRPC or a WebSocket with its framing, costs nothing; a smaller one costs the
 * part that it lacks.
 */
const freeBytes = 128;
/** Acknowledgements of what the edge sends: Go's client sends one for each 4 KB that it reads. */
const sentBytesPerRead = 2_048;
/** More than a person, a game or a stream of messages needs; about 1 % of a processor. */
const readsPerSecond = 1_000;
/** Two seconds of double the rate; by the costs above, 2 to 24 ms of the processor. */
const burst = 2_000;
/** A request may come in a few reads, however many requests a connection carries. */
const readsPerRequest = 4;

/** While all connections together cause too many, one that has spent so much of its own ends. */
const modest = 250;

/** The small reads of all connections of a process. */
export interface SharedReads {
  /** False when they are used up. */
  spend(reads: number): boolean;
}

/**
 * How many reads with few bytes a connection may cause: a burst, and a rate. A usual read costs an
 * addition and no reading of the clock.
 */
export class ReadBudget {
  readonly #clock: () => number;
  readonly #most: number;
  readonly #shared: SharedReads | null;
  #left: number;
  #refilledAt: number;

  constructor(
    isLimited: boolean,
    shared: SharedReads | null = null,
    clock: () => number = () => performance.now(),
  ) {
    this.#clock = clock;
    this.#shared = isLimited ? shared : null;
    this.#most = isLimited ? burst : Number.POSITIVE_INFINITY;
    this.#left = this.#most;
    this.#refilledAt = clock();
  }

  /** Counts reads that brought so many bytes in all; false when the budget is used up. */
  spend(reads: number, bytes: number): boolean {
    const cost = reads - bytes / freeBytes;
    if (cost > 0) this.#refill();
    this.#add(-cost);
    if (cost > 0 && this.#shared?.spend(cost) === false) return this.#left > this.#most - modest;
    return this.#left > 0;
  }

  #refill(): void {
    const now = this.#clock();
    this.#add(((now - this.#refilledAt) / 1_000) * readsPerSecond);
    this.#refilledAt = now;
  }

  /** A request has begun. */
  addRequest(): void {
    this.#add(readsPerRequest);
  }

  addSent(bytes: number): void {
    this.#add(bytes / sentBytesPerRead);
  }

  #add(reads: number): void {
    this.#left = Math.min(this.#most, this.#left + reads);
  }
}

/**
 * The most that a TLS record has beside its content: header, nonce and tag of TLS 1.2 with AES-GCM.
 * The count of records is that much too low with TLS 1.3, which has 22.
 */
const recordOverhead = 29;

/**
 * Counts the TLS records of a connection whose reads never reach JavaScript, by the bytes that are
 * on the wire and not in the content.
 */
export class RecordCount {
  readonly #wire: Pick<Socket, "bytesRead">;
  readonly #secure: Pick<Socket, "bytesRead" | "bytesWritten">;
  #overhead: number;
  #received: number;
  #sent: number;

  constructor(wire: Pick<Socket, "bytesRead">, secure: Pick<Socket, "bytesRead" | "bytesWritten">) {
    this.#wire = wire;
    this.#secure = secure;
    this.#received = secure.bytesRead;
    this.#sent = secure.bytesWritten;
    this.#overhead = wire.bytesRead - this.#received;
  }

  /** Charges what has arrived since the call before; false when the budget is used up. */
  charge(budget: ReadBudget): boolean {
    const { bytesRead, bytesWritten } = this.#secure;
    const overhead = this.#wire.bytesRead - bytesRead;
    const records = (overhead - this.#overhead) / recordOverhead;
    const received = bytesRead - this.#received;
    budget.addSent(bytesWritten - this.#sent);
    this.#overhead = overhead;
    this.#received = bytesRead;
    this.#sent = bytesWritten;
    return records <= 0 || budget.spend(records, received);
  }
}
