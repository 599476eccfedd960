import { setTimeout as delay } from "node:timers/promises";
import { unlessAborted } from "@mooring/concurrency";
import {
  DeliverPolicy,
  type JetStreamClient,
  type JsMsg,
  type StreamInfo,
} from "@nats-io/jetstream";
import type { Log } from "../../config/settings.ts";
import { streamName } from "./subjects.ts";

/** How far a stream has been read; `created` tells it from another of the same name. */
export interface StreamPosition {
  readonly created: string;
  readonly sequence: number;
}

export interface Follower {
  /** Null before the first contact. */
  position(): StreamPosition | null;
  /** Compares the position with the stream now: it may be another one. */
  check(): void;
  /** Begins again. */
  restart(): void;
  stop(): Promise<void>;
}

export interface FollowParts {
  readonly client: Promise<JetStreamClient>;
  readonly subjects: string;
  readonly isHeadersOnly?: boolean;
  /** Where to continue; null for the beginning, or with `isFromNow` the end. */
  readonly from: StreamPosition | null;
  readonly isFromNow?: boolean;
  /**
   * The position is not in this stream, or there was none: what follows is everything, or all from
   * now on.
   */
  readonly onBegin: () => void;
  readonly onMessage: (message: JsMsg) => void;
  readonly log: Log;
}

const retryMs = 500;
/** Progress is written every two seconds: after this silence the stream may be another one. */
const silenceMs = 6_000;
const consume = { max_messages: 500, idle_heartbeat: 2_000, expires: 10_000 } as const;

/** Reads every message once and in order, from its position on, for as long as the process runs. */
export function followStream(parts: FollowParts): Follower {
  const stopping = new AbortController();
  let position = parts.from;
  let leave: (() => void) | null = null;
  let receivedAt = performance.now();
  let isSuspect = false;

  const begin = ({ created, state }: StreamInfo): StreamPosition => {
    if (position?.created === created && position.sequence <= state.last_seq) return position;
    parts.onBegin();
    return { created, sequence: parts.isFromNow === true ? state.last_seq : 0 };
  };

  /** One value that is not understood must not hold up the others. */
  const take = (message: JsMsg): void => {
    try {
      parts.onMessage(message);
    } catch (error) {
      parts.log.error({ err: error, subject: message.subject }, "value of the feed not used");
    }
  };

  const read = async (client: JetStreamClient): Promise<void> => {
    const manager = await client.jetstreamManager();
    const here = begin(await manager.streams.info(streamName));
    position = here;
    const consumer = await client.consumers.get(streamName, {
      filter_subjects: parts.subjects,
      headers_only: parts.isHeadersOnly ?? false,
      deliver_policy: DeliverPolicy.StartSequence,
      opt_start_seq: here.sequence + 1,
    });
    const messages = await consumer.consume(consume);
    leave = () => messages.stop();
    receivedAt = performance.now();
    if (stopping.signal.aborted || isSuspect) leave();
    isSuspect = false;
    for await (const message of messages) {
      receivedAt = performance.now();
      if (position === null) break;
      position = { created: here.created, sequence: message.seq };
      take(message);
    }
  };

  const run = async (): Promise<void> => {
    while (!stopping.signal.aborted) {
      try {
        // A connection that is never made does not hold up the end of the process.
        await read(await unlessAborted(stopping.signal, parts.client));
      } catch (error) {
        parts.log.debug({ err: error }, "feed not followed");
      }
      leave = null;
      await delay(retryMs, undefined, { signal: stopping.signal }).catch(() => undefined); // stopped
    }
  };

  const check = (): void => {
    isSuspect = leave === null;
    leave?.();
  };
  // A certificate may be the only one for hours; the progress of the state is never silent.
  const watch = setInterval(() => {
    const isSilent = performance.now() - receivedAt > silenceMs;
    if (parts.isFromNow !== true && isSilent && leave !== null) check();
  }, silenceMs / 2);
  watch.unref();
  const running = run();
  return {
    position: () => position,
    check,
    restart() {
      position = null;
      check();
    },
    async stop() {
      clearInterval(watch);
      stopping.abort();
      leave?.();
      await running;
    },
  };
}
