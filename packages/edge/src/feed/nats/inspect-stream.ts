import { setTimeout as delay } from "node:timers/promises";
import { jetstreamManager } from "@nats-io/jetstream";
import type { NatsConnection } from "@nats-io/transport-node";
import type { NatsSettings } from "../../config/settings.ts";
import { isStreamAbsent } from "./api-errors.ts";
import { openNats } from "./connection.ts";
import { progressSubject, streamName } from "./subjects.ts";
import { decodeProgress } from "./values.ts";

/** The feed as an operator sees it. */
export type InspectedFeed =
  | { readonly outcome: "unreachable"; readonly reason: string }
  /** `messages` and `replicas` are 0 while there is no stream. */
  | {
      readonly outcome: "reachable";
      readonly version: string;
      readonly messages: number;
      readonly replicas: number;
      /** When the stream was last equal to the database; null while it is not whole. */
      readonly asOf: Date | null;
    };

const timeoutMs = 5_000;

/** Reads what the stream says about itself; changes nothing. */
export async function inspectStream(settings: NatsSettings): Promise<InspectedFeed> {
  const stopping = new AbortController();
  let reason = "no answer";
  const opened = openNats(settings, "mooring doctor", {
    signal: stopping.signal,
    onError(error) {
      reason = error instanceof Error ? error.message : reason;
    },
  });
  const connection = await Promise.race([opened.catch(() => null), delay(timeoutMs, null)]);
  stopping.abort();
  if (connection === null) return { outcome: "unreachable", reason };
  try {
    return await inspect(connection);
  } catch (error) {
    return { outcome: "unreachable", reason: error instanceof Error ? error.message : reason };
  } finally {
    await connection.close();
  }
}

async function inspect(connection: NatsConnection): Promise<InspectedFeed> {
  const version = connection.info?.version ?? "unknown";
  const manager = await jetstreamManager(connection, { timeout: timeoutMs });
  const found = { outcome: "reachable", version } as const;
  const info = await manager.streams.info(streamName).catch((error: unknown) => {
    if (isStreamAbsent(error)) return null;
    throw error;
  });
  if (info === null) return { ...found, messages: 0, replicas: 0, asOf: null };
  const { state, config } = info;
  const last = await manager.streams.getMessage(streamName, { last_by_subj: progressSubject });
  const asOf = last && decodeProgress(last.data).asOf;
  return { ...found, messages: state.messages, replicas: config.num_replicas, asOf };
}
