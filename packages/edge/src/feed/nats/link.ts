import { setTimeout as delay } from "node:timers/promises";
import { type JetStreamClient, jetstream, type StoredMsg } from "@nats-io/jetstream";
import type { NatsConnection } from "@nats-io/transport-node";
import type { Log, NatsSettings } from "../../config/settings.ts";
import { openNats } from "./connection.ts";
import { type RequestVerb, requestSubject, streamName } from "./subjects.ts";

/**
 * The connection of an edge. While it is lost, questions fail at once instead of at their time
 * limit.
 */
export interface NatsLink {
  readonly client: Promise<JetStreamClient>;
  /** The newest message of a subject; null when there is none. */
  newest(subject: string): Promise<StoredMsg | null>;
  /** The same from the server that wrote it; a replica may be behind. */
  newestOfLeader(subject: string): Promise<StoredMsg | null>;
  /** Asks a process with the database. */
  ask(verb: RequestVerb, question: unknown, timeoutMs?: number): Promise<unknown>;
  subscribe(subject: string, onMessage: (text: string) => void): void;
  onConnected(listener: () => void): void;
  close(): Promise<void>;
}

/** A visitor waits: a frozen server must not hold up the certificate that is on disk. */
const readTimeoutMs = 1_500;
const askTimeoutMs = 8_000;

export function openLink(settings: NatsSettings, name: string, log: Log): NatsLink {
  const stopping = new AbortController();
  const opened = openNats(settings, name, {
    signal: stopping.signal,
    onError: (error) => log.warn({ err: error }, "NATS unreachable"),
  });
  const client = opened.then((connection) => jetstream(connection, { timeout: readTimeoutMs }));
  // Those who await it fail by themselves.
  client.catch(() => undefined);
  const listeners: (() => void)[] = [];
  let current: NatsConnection | null = null;

  const watch = async (): Promise<void> => {
    const connection = await opened;
    if (stopping.signal.aborted) return await connection.close();
    current = connection;
    for await (const { type } of connection.status()) {
      if (type === "disconnect") current = null;
      if (type !== "reconnect") continue;
      current = connection;
      for (const listener of listeners) listener();
    }
  };
  const watching = watch().catch(() => undefined); // the connection was closed

  const connected = (): NatsConnection => {
    if (current === null) throw new Error("there is no connection to NATS");
    return current;
  };

  const read = async (subject: string, isDirect: boolean): Promise<StoredMsg | null> => {
    connected();
    const manager = await (await client).jetstreamManager(false);
    const query = { last_by_subj: subject };
    return isDirect
      ? manager.direct.getMessage(streamName, query)
      : manager.streams.getMessage(streamName, query);
  };

  return {
    client,
    newest: (subject) => read(subject, true),
    newestOfLeader: (subject) => read(subject, false),
    async ask(verb, question, timeoutMs = askTimeoutMs) {
      const text = JSON.stringify(question);
      const reply = await connected().request(requestSubject(verb), text, { timeout: timeoutMs });
      const { value, error } = reply.json<{ readonly value?: unknown; readonly error?: string }>();
      if (error !== undefined) throw new Error(`the issuer failed: ${error}`);
      return value;
    },
    subscribe(subject, onMessage) {
      const started = opened.then((connection) => {
        connection.subscribe(subject, {
          callback: (_error, message) => onMessage(message.string()),
        });
      });
      started.catch(() => undefined); // closed before it was connected
    },
    onConnected: (listener) => void listeners.push(listener),
    async close() {
      stopping.abort();
      const closed = opened.then((connection) => connection.close()).catch(() => undefined); // never made
      await Promise.race([closed.then(() => watching), delay(readTimeoutMs)]);
    },
  };
}
