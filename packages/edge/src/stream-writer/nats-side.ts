import { setTimeout as delay } from "node:timers/promises";
import type { Vault } from "@mooring/vault";
import { jetstream } from "@nats-io/jetstream";
import type { EdgeParts } from "../config/settings.ts";
import { openPool } from "../db/pool.ts";
import type { EdgeFeed } from "../feed/feed.ts";
import { openNats } from "../feed/nats/connection.ts";
import { createSignatures } from "../feed/nats/signatures.ts";
import { originsSubject } from "../feed/nats/subjects.ts";
import { startRequestHandler } from "./request-handler.ts";
import { type StreamWriter, startStreamWriter } from "./stream-writer.ts";

/** What an issuer does for edges that are fed by NATS. */
export interface NatsSide {
  readonly writer: StreamWriter;
  tellOrigins(payload: string): void;
  close(): Promise<void>;
}

const streamWriterConnections = 2;
const closeMs = 2_000;

export function startNats(
  parts: EdgeParts & { readonly databaseUrl: string },
  { feed, vault }: { readonly feed: EdgeFeed; readonly vault: Vault },
): NatsSide {
  const { settings, databaseUrl, log } = parts;
  const signatures = createSignatures(vault);
  const stopping = new AbortController();
  const opened = openNats(settings, "mooring issuer", {
    signal: stopping.signal,
    onError: (error) => log.warn({ err: error }, "NATS unreachable"),
  });
  const client = opened.then((connection) => jetstream(connection));
  const onLost = (error: unknown): void => log.warn({ err: error }, "database connection lost");
  const pooler = settings.DATABASE_POOLER;
  const pool = openPool(databaseUrl, onLost, { connections: streamWriterConnections, pooler });
  const { keys, clock } = feed;
  const writer = startStreamWriter({
    client,
    signatures,
    pool,
    keys,
    clock,
    log,
    replicas: settings.NATS_REPLICAS,
  });
  const requests = opened.then((connection) =>
    startRequestHandler(connection, { feed, signatures, log }),
  );
  requests.catch(() => undefined); // ended before NATS answered
  return {
    writer,
    tellOrigins(payload) {
      if (!writer.isWriting()) return;
      const signed = signatures.signNews({ subject: originsSubject, data: payload }, clock.now());
      void opened.then((connection) =>
        connection.publish(originsSubject, payload, { headers: signed }),
      );
    },
    async close() {
      stopping.abort();
      await writer.stop();
      const closed = opened.then((connection) => connection.close()).catch(() => undefined); // never made
      await Promise.race([closed, delay(closeMs)]);
      await pool.end();
    },
  };
}
