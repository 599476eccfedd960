import { randomUUID } from "node:crypto";
import type { Clock } from "@mooring/postgres";
import {
  DeliverPolicy,
  type JetStreamClient,
  type JetStreamManager,
  StorageType,
} from "@nats-io/jetstream";
import type pg from "pg";
import type { Log } from "../config/settings.ts";
import type { KeyFeed } from "../feed/feed.ts";
import { isStreamAbsent, isTakenOver } from "../feed/nats/api-errors.ts";
import type { Signatures } from "../feed/nats/signatures.ts";
import { progressSubject, streamName, streamSubjects } from "../feed/nats/subjects.ts";
import { decodeProgress, type Progress } from "../feed/nats/values.ts";
import { LeaseTerm } from "./lease-term.ts";
import { createOrderedWrites } from "./ordered-writes.ts";

export interface StreamWriterParts {
  readonly client: Promise<JetStreamClient>;
  readonly signatures: Signatures;
  readonly pool: pg.Pool;
  readonly keys: KeyFeed;
  readonly clock: Clock;
  readonly log: Log;
  readonly replicas: number;
}

/**
 * Writes hosts, applications, certificates and keys of the database to the stream, as full values
 * and in order. Of several processes one does; the position in the change logs is in the stream
 * itself, so that the next continues there, and a new stream is written whole.
 */
export interface StreamWriter {
  /** Something has changed. */
  wake(): void;
  isWriting(): boolean;
  stop(): Promise<void>;
}

/** The floor under notifications. */
const pollMs = 1_000;
/** Notifications of one transaction come together. */
const gatherMs = 10;

export function startStreamWriter(parts: StreamWriterParts): StreamWriter {
  const { log } = parts;
  const id = randomUUID();
  const alarm = createAlarm();
  let term: LeaseTerm | null = null;
  let isStopped = false;

  const step = async (): Promise<void> => {
    term ??= await begin(parts, id);
    await term?.pass();
  };
  const run = async (): Promise<void> => {
    while (!isStopped) {
      try {
        await step();
      } catch (error) {
        term = null;
        if (isTakenOver(error)) log.info({}, "another process writes the feed");
        else log.warn({ err: error }, "feed not written");
        await alarm.wait(pollMs, { ignoreWakes: true });
      }
      await alarm.wait(pollMs);
    }
    await term?.end().catch((error: unknown) => log.debug({ err: error }, "feed not given up"));
  };
  const running = run();
  return {
    wake: alarm.wake,
    isWriting: () => term !== null,
    async stop() {
      isStopped = true;
      alarm.end();
      await running;
    },
  };
}

/** Null while the lease of another process lasts. */
async function begin(parts: StreamWriterParts, id: string): Promise<LeaseTerm | null> {
  const { pool, keys, clock, signatures, log } = parts;
  const client = await parts.client;
  const manager = await client.jetstreamManager();
  // Read before the progress: a process that writes in between makes the first write of this
  // process fail.
  const last = await provideStream(manager, parts.replicas);
  const { progress: from, isWhole } = await lastProgress(manager, { client, signatures, last });
  const isLeased = from !== null && from.leasedUntil > clock.now() && from.writer !== id;
  if (isLeased) return null;
  if (!isWhole && last > 0) log.warn({}, "the feed is not signed as a whole: it is written again");
  const writes = createOrderedWrites(client, signatures, last);
  return LeaseTerm.begin({ writes, client, pool, keys, clock, id }, isWhole ? from : null);
}

/**
 * Creates the stream, or brings its copies to the requested number; the number of its last message.
 */
async function provideStream(manager: JetStreamManager, replicas: number): Promise<number> {
  const config = {
    subjects: [streamSubjects],
    storage: StorageType.File,
    num_replicas: replicas,
    max_msgs_per_subject: 1,
    allow_direct: true,
  };
  try {
    const { state, config: existing } = await manager.streams.info(streamName);
    if (existing.num_replicas !== replicas) await manager.streams.update(streamName, config);
    return state.last_seq;
  } catch (error) {
    if (!isStreamAbsent(error)) throw error;
    const { state } = await manager.streams.add({ name: streamName, ...config });
    return state.last_seq;
  }
}

/**
 * The last progress that an issuer wrote. The stream is not whole where it, or a message behind it,
 * lacks a signature of the current root key: somebody else wrote there, or the key was changed.
 */
async function lastProgress(
  manager: JetStreamManager,
  { client, signatures, last }: { client: JetStreamClient; signatures: Signatures; last: number },
): Promise<{ readonly progress: Progress | null; readonly isWhole: boolean }> {
  const found = await manager.streams.getMessage(streamName, { last_by_subj: progressSubject });
  if (found === null) return { progress: null, isWhole: false };
  const { subject, seq: sequence, data, header: fields } = found;
  const isOurs = signatures.isValue({ subject, sequence, data }, fields);
  if (!isOurs) return { progress: null, isWhole: false };
  const isWhole =
    signatures.isCurrent(fields) &&
    (await areSigned(client, signatures, { after: sequence, last }));
  return { progress: decodeProgress(data), isWhole };
}

async function areSigned(
  client: JetStreamClient,
  signatures: Signatures,
  { after, last }: { readonly after: number; readonly last: number },
): Promise<boolean> {
  if (after >= last) return true;
  const consumer = await client.consumers.get(streamName, {
    filter_subjects: streamSubjects,
    deliver_policy: DeliverPolicy.StartSequence,
    opt_start_seq: after + 1,
  });
  for (;;) {
    const { num_pending: remaining } = await consumer.info();
    if (remaining === 0) return true;
    const messages = await consumer.fetch({
      max_messages: Math.min(remaining, 500),
      expires: 5_000,
    });
    for await (const { subject, seq: sequence, data, headers } of messages) {
      if (!signatures.isValue({ subject, sequence, data }, headers)) return false;
    }
  }
}

interface Alarm {
  wake(): void;
  /**
   * Until the next wake, and a moment longer; at most for `ms`, or all of it when wakes are
   * ignored.
   */
  wait(ms: number, options?: { readonly ignoreWakes: boolean }): Promise<void>;
  /** Nothing waits any more. */
  end(): void;
}

function createAlarm(): Alarm {
  let isWoken = false;
  let isEnded = false;
  let settle: ((afterMs: number) => void) | null = null;
  return {
    wake() {
      isWoken = true;
      settle?.(gatherMs);
    },
    async wait(ms, { ignoreWakes } = { ignoreWakes: false }) {
      await new Promise<void>((resolve) => {
        let timer = setTimeout(resolve, isWoken && !ignoreWakes ? gatherMs : ms);
        settle = (afterMs) => {
          if (ignoreWakes && afterMs > 0) return;
          clearTimeout(timer);
          timer = setTimeout(resolve, afterMs);
        };
        if (isEnded) settle(0);
      });
      settle = null;
      if (!ignoreWakes) isWoken = false;
    },
    end() {
      isEnded = true;
      settle?.(0);
    },
  };
}
