import { randomUUID } from "node:crypto";
import { setTimeout as delay } from "node:timers/promises";
import type { Clock } from "@mooring/postgres";
import { type JetStreamClient, jetstream, type StoredMsg } from "@nats-io/jetstream";
import { headers, type NatsConnection } from "@nats-io/transport-node";
import type { Log, NatsSettings } from "../../config/settings.ts";
import { openNats } from "./connection.ts";
import { nonceHeader, type Signatures } from "./signatures.ts";
import { type RequestVerb, requestSubject, streamName } from "./subjects.ts";

/**
 * The connection of an edge. While it is lost, questions fail at once instead of at their time
 * limit.
 */
export interface NatsLink {
  readonly client: Promise<JetStreamClient>;
  /**
   * The newest message of a subject; null when there is none. It fails where no issuer signed it.
   */
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

interface LinkParts {
  readonly settings: NatsSettings;
  readonly signatures: Signatures;
  readonly clock: Clock;
  readonly log: Log;
}

// biome-ignore lint/complexity/noExcessiveLinesPerFunction: a factory
export function openLink({ settings, signatures, clock, log }: LinkParts): NatsLink {
  const stopping = new AbortController();
  const opened = openNats(settings, "mooring edge", {
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
    const found = isDirect
      ? await manager.direct.getMessage(streamName, query)
      : await manager.streams.getMessage(streamName, query);
    if (found === null) return null;
    const { seq: sequence, data, header } = found;
    if (signatures.isValue({ subject, sequence, data }, header)) return found;
    throw new Error(`no issuer signed the value of ${subject}`);
  };

  return {
    client,
    newest: (subject) => read(subject, true),
    newestOfLeader: (subject) => read(subject, false),
    async ask(verb, question, timeoutMs = askTimeoutMs) {
      const [subject, nonce] = [requestSubject(verb), randomUUID()];
      const fields = headers();
      fields.set(nonceHeader, nonce);
      const reply = await connected().request(subject, JSON.stringify(question), {
        timeout: timeoutMs,
        headers: fields,
      });
      if (!signatures.isReply({ subject, nonce, data: reply.data }, reply.headers)) {
        throw new Error("no issuer signed the answer");
      }
      const { value, error } = reply.json<{ readonly value?: unknown; readonly error?: string }>();
      if (error !== undefined) throw new Error(`the issuer failed: ${error}`);
      return value;
    },
    subscribe(subject, onMessage) {
      const started = opened.then((connection) => {
        connection.subscribe(subject, {
          callback(_error, message) {
            const { data, headers: fields } = message;
            if (signatures.isNews({ subject, data }, fields, clock.now())) {
              onMessage(message.string());
            } else log.warn({ subject }, "message of the feed not used: no issuer signed it");
          },
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
