import type { Clock } from "@mooring/postgres";
import type { JetStreamClient } from "@nats-io/jetstream";
import type pg from "pg";
import { certificateChanges, lastCertificateChange } from "../db/certificate-changes.ts";
import { isApart, overlap } from "../db/change-log.ts";
import { hostChanges, lastHostChange } from "../db/hosts.ts";
import type { KeyFeed } from "../feed/feed.ts";
import {
  applicationSubjects,
  assertionKeysSubject,
  certificateSubjects,
  hostSubjects,
  progressSubject,
  streamName,
  ticketKeysSubject,
} from "../feed/nats/subjects.ts";
import { encodeValue, type Progress, valuesVersion } from "../feed/nats/values.ts";
import type { OrderedWrites } from "./ordered-writes.ts";
import { scanStream } from "./scan.ts";
import {
  allCertificateValues,
  certificateValues,
  type HostValues,
  hostValues,
  type Written,
} from "./values.ts";

export interface TermParts {
  readonly writes: OrderedWrites;
  readonly client: JetStreamClient;
  readonly pool: pg.Pool;
  readonly keys: KeyFeed;
  readonly clock: Clock;
  /** The name of this process in the lease. */
  readonly id: string;
}

const leaseMs = 5_000;
/** Also a renewal of the lease, and for edges the sign that they are up to date. */
const progressMs = 2_000;
const keysMs = 5_000;
/** Longer than an edge uses its disk copy: until then it must learn what was removed. */
const removedForMs = 48 * 3_600_000;
const sweepMs = 24 * 3_600_000;
const firstSweepMs = 60_000;

const valueSubjects = [hostSubjects, applicationSubjects, certificateSubjects] as const;

/**
 * The time in which one process writes the stream. Any failure ends it; the next begins at the last
 * progress.
 */
export class LeaseTerm {
  readonly #parts: TermParts;
  readonly #hosts: HostValues;
  readonly #hostLog: LogPosition;
  readonly #certificateLog: LogPosition;
  readonly #keysWritten = new Map<string, string>();
  /** When the stream was equal to the database; null while it is not whole. */
  #asOf: Date | null;
  #reportedAt = Number.NEGATIVE_INFINITY;
  #keysAt = Number.NEGATIVE_INFINITY;
  #sweepAt = performance.now() + firstSweepMs;

  private constructor(parts: TermParts, from: Progress | null) {
    this.#parts = parts;
    this.#hosts = hostValues(parts.pool, new Set());
    this.#hostLog = createLogPosition(from?.hostChange ?? 0);
    this.#certificateLog = createLogPosition(from?.certificateChange ?? 0);
    this.#asOf = from?.version === valuesVersion ? from.asOf : null;
  }

  /**
   * Takes the lease. With `from` null, of another version, or where the change log does not reach
   * back to it, everything is written again.
   */
  static async begin(parts: TermParts, from: Progress | null): Promise<LeaseTerm> {
    const term = new LeaseTerm(parts, from);
    await term.#tell();
    return term;
  }

  /** Writes what has changed since the last time. */
  async pass(): Promise<void> {
    const { pool, writes, clock } = this.#parts;
    const readAt = clock.now();
    const logged = await hostChanges(pool, this.#hostLog.from());
    const certified = await certificateChanges(pool, this.#certificateLog.from());
    const isLost =
      isApart(logged, this.#hostLog.last()) || isApart(certified, this.#certificateLog.last());
    if (isLost || this.#asOf === null) return await this.#writeAll();
    const before = writes.sequence();
    const fresh = this.#hostLog.fresh(logged);
    const ids = fresh.flatMap(({ applicationId }) => applicationId ?? []);
    const names = fresh.flatMap(({ hostname }) => hostname ?? []);
    await this.#write(this.#hosts.applications([...new Set(ids)]));
    await this.#write(this.#hosts.named([...new Set(names)]));
    const renewed = this.#certificateLog.fresh(certified).map(({ hostname }) => hostname);
    await this.#write(certificateValues(pool, [...new Set(renewed)]));
    if (performance.now() - this.#keysAt > keysMs) await this.#writeKeys();
    this.#hostLog.done(logged);
    this.#certificateLog.done(certified);
    this.#asOf = readAt;
    if (performance.now() > this.#sweepAt) await this.#sweep();
    if (writes.sequence() > before || this.#isReportedLongAgo()) await this.#tell();
  }

  /** Another process may begin at once. */
  async end(): Promise<void> {
    await this.#tell(0);
  }

  async #writeAll(): Promise<void> {
    const { pool, writes, clock } = this.#parts;
    this.#asOf = null;
    const readAt = clock.now();
    // Read before the values: a change in between is then written twice rather than not at all.
    this.#hostLog.reset((await lastHostChange(pool)).id);
    this.#certificateLog.reset(await lastCertificateChange(pool));
    await this.#tell();
    const before = writes.sequence();
    await this.#write(this.#hosts.all());
    await this.#write(allCertificateValues(pool));
    await this.#write(this.#stale(before));
    await this.#writeKeys();
    this.#asOf = readAt;
    await this.#tell();
  }

  async #write(pages: AsyncIterable<readonly Written[]>): Promise<void> {
    for await (const page of pages) {
      await this.#parts.writes.put(page);
      if (this.#isReportedLongAgo()) await this.#tell();
    }
  }

  /** What was in the stream before and was not written again is no longer there. */
  async *#stale(before: number): AsyncGenerator<readonly Written[]> {
    for (const subjects of valueSubjects) {
      for await (const message of scanStream(this.#parts.client, subjects, before)) {
        if (!message.isRemoved) yield [[message.subject, null]];
      }
    }
  }

  async #writeKeys(): Promise<void> {
    const { keys, writes } = this.#parts;
    const values: readonly Written[] = [
      [ticketKeysSubject, await keys.ticketKeys()],
      [assertionKeysSubject, await keys.assertionKeys()],
    ];
    const changed = values.filter(
      ([at, value]) => this.#keysWritten.get(at) !== encodeValue(value),
    );
    await writes.put(changed);
    for (const [at, value] of changed) this.#keysWritten.set(at, encodeValue(value));
    this.#keysAt = performance.now();
  }

  /** Values that were removed long ago are deleted, unless one has been written since. */
  async #sweep(): Promise<void> {
    const { client, clock, writes } = this.#parts;
    this.#sweepAt = performance.now() + sweepMs;
    const manager = await client.jetstreamManager(false);
    const oldest = clock.now().getTime() - removedForMs;
    for (const subjects of valueSubjects) {
      for await (const message of scanStream(client, subjects, writes.sequence())) {
        if (this.#isReportedLongAgo()) await this.#tell();
        if (!message.isRemoved || message.writtenAt.getTime() > oldest) continue;
        await manager.streams.deleteMessage(streamName, message.sequence).catch(() => undefined); // written again
      }
    }
  }

  #isReportedLongAgo(): boolean {
    return performance.now() - this.#reportedAt > progressMs;
  }

  async #tell(leasedForMs = leaseMs): Promise<void> {
    const { clock, id, writes } = this.#parts;
    const progress: Progress = {
      writer: id,
      leasedUntil: new Date(clock.now().getTime() + leasedForMs),
      asOf: this.#asOf,
      hostChange: this.#hostLog.last(),
      certificateChange: this.#certificateLog.last(),
      version: valuesVersion,
    };
    await writes.put([[progressSubject, progress]]);
    this.#reportedAt = performance.now();
  }
}

/** How far a change log has been read. */
interface LogPosition {
  last(): number;
  /** The id to read from. */
  from(): number;
  fresh<C extends { readonly id: number }>(logged: readonly C[]): readonly C[];
  done(logged: readonly { readonly id: number }[]): void;
  reset(to: number): void;
}

function createLogPosition(start: number): LogPosition {
  let last = start;
  let done = new Set<number>();
  return {
    last: () => last,
    from: () => Math.max(0, last - overlap),
    fresh: (logged) => logged.filter(({ id }) => !done.has(id)),
    done(logged) {
      last = Math.max(last, logged.at(-1)?.id ?? 0);
      done = new Set(logged.map(({ id }) => id));
    },
    reset(to) {
      last = to;
      done = new Set();
    },
  };
}
