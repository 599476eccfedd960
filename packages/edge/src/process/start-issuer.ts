import path from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { createVault } from "@mooring/vault";
import { jetstream } from "@nats-io/jetstream";
import type { EdgeParts } from "../config/settings.ts";
import { openPool } from "../db/pool.ts";
import type { EdgeFeed } from "../feed/feed.ts";
import { openNats } from "../feed/nats/connection.ts";
import { originsSubject } from "../feed/nats/subjects.ts";
import { openPostgresFeed } from "../feed/postgres-feed.ts";
import { createCertificateStats, createIssuerRegistry } from "../metrics/metrics.ts";
import { openDesk } from "../relay/desk.ts";
import { type Relay, startRelay } from "../relay/relay.ts";
import { startOperational } from "./operational.ts";
import { edgePurposes } from "./start-edge.ts";

export interface RunningIssuer {
  close(): Promise<void>;
}

export type IssuerParts = EdgeParts & {
  readonly databaseUrl: string;
  /** Health and metrics; null for none. */
  readonly internal: { readonly host: string; readonly port: number } | null;
};

/**
 * Starts a process that has the database and serves no visitors: it obtains certificates, writes the feed of edges
 * without the database, and answers what they ask.
 */
export async function startIssuer(parts: IssuerParts): Promise<RunningIssuer> {
  const { settings } = parts;
  const vault = createVault(parts.rootKeys, { purposes: edgePurposes });
  const stats = createCertificateStats();
  // What it passes on and orders must be of now.
  const primary = { ...settings, DATABASE_REPLICA_URL: null };
  const feed = await openPostgresFeed({ ...parts, settings: primary }, { vault, stats });
  await feed.loadHosts(path.join(settings.DATA_DIR, "issuer"));
  const nats = settings.NATS_URL.length === 0 ? null : startNats(parts, feed);
  feed.follow({
    hosts: () => nats?.relay.wake(),
    certificate: () => nats?.relay.wake(),
    everyCertificate: () => nats?.relay.wake(),
    ticketKeys: () => nats?.relay.wake(),
    origins: (payload) => nats?.tellOrigins(payload),
  });
  const metrics = createIssuerRegistry({ certificates: stats, hosts: feed.hosts });
  const operational =
    parts.internal === null
      ? null
      : await startOperational(parts.internal, {
          health: () => ({ status: "ok", workers: 1, serving: 1 }),
          metricsText: () => metrics.metrics(),
        });
  return {
    async close() {
      await operational?.close();
      await feed.drain();
      await nats?.close();
      await feed.close();
    },
  };
}

interface NatsSide {
  readonly relay: Relay;
  tellOrigins(payload: string): void;
  close(): Promise<void>;
}

const relayConnections = 2;
const closeMs = 2_000;

function startNats(parts: IssuerParts, feed: EdgeFeed): NatsSide {
  const { settings, databaseUrl, log } = parts;
  const stopping = new AbortController();
  const opened = openNats(settings, "mooring issuer", {
    signal: stopping.signal,
    onError: (error) => log.warn({ err: error }, "NATS unreachable"),
  });
  const client = opened.then((connection) => jetstream(connection));
  const onLost = (error: unknown): void => log.warn({ err: error }, "database connection lost");
  const pooler = settings.DATABASE_POOLER;
  const pool = openPool(databaseUrl, onLost, { connections: relayConnections, pooler });
  const { keys, clock } = feed;
  const relay = startRelay({ client, pool, keys, clock, log, replicas: settings.NATS_REPLICAS });
  const desk = opened.then((connection) => openDesk(connection, feed, log));
  desk.catch(() => undefined); // ended before NATS answered
  return {
    relay,
    tellOrigins(payload) {
      if (!relay.isWriting()) return;
      void opened.then((connection) => connection.publish(originsSubject, payload));
    },
    async close() {
      stopping.abort();
      await relay.stop();
      const closed = opened.then((connection) => connection.close()).catch(() => undefined); // never made
      await Promise.race([closed, delay(closeMs)]);
      await pool.end();
    },
  };
}
