import { assertConfined, type Listener, listen, startDatabaseClock } from "@mooring/postgres";
import type { Vault } from "@mooring/vault";
import type pg from "pg";
import type { EdgeParts } from "../../config/settings.ts";
import { originsChannel } from "../../db/origin-health.ts";
import { openPool } from "../../db/pool.ts";
import { ticketKeysChannel } from "../../db/ticket-keys.ts";
import { createKnownHosts, type DatabaseHosts } from "../../hosts/view/known-hosts.ts";
import type { CertificateStats } from "../../metrics/metrics.ts";
import type { EdgeFeed, FeedChanges } from "../feed.ts";
import { createIssuing, type Issuing } from "./issuing.ts";
import { createPostgresKeys } from "./keys.ts";
import { openReading, type Reading, readPrimary } from "./replica.ts";
import { type ReplicaCertificates, readCertificates } from "./replica-certificates.ts";
import { createPostgresOrigins, createPostgresPresence, createPostgresTraffic } from "./reports.ts";

const pollMs = 5_000;
/** Database connections of all workers of a machine together; each gets at least two. */
const totalConnections = 16;
const singleProcessConnections = 8;

/** The feed of a process with the database, which also obtains certificates. */
export async function openPostgresFeed(
  parts: EdgeParts & { readonly databaseUrl: string },
  shared: { readonly vault: Vault; readonly stats: CertificateStats },
): Promise<EdgeFeed> {
  const { log } = parts;
  const pool = openEdgePool(parts);
  const measured = await startDatabaseClock(pool, { mayStartWithoutDatabase: true, log });
  const clock = parts.clock ?? measured;
  const reading = await chooseReading(parts, pool);
  const hosts = createKnownHosts({ pool: reading.inOrder, log, clock });
  const base = { pool, vault: shared.vault, clock };
  const issuing = createIssuing(parts, { ...base, hosts, stats: shared.stats });
  const certificates = readCertificates(reading, issuing.certificates.load);
  let subscription: Listener | null = null;
  let poll: NodeJS.Timeout | null = null;
  return {
    clock,
    hosts,
    certificates: { ...issuing.certificates, load: certificates.load },
    keys: createPostgresKeys(base),
    origins: createPostgresOrigins(base),
    presence: createPostgresPresence(base),
    traffic: createPostgresTraffic(base),
    replica: parts.settings.DATABASE_REPLICA_URL === null ? null : reading.state,
    async loadHosts(directory) {
      const from = await hosts.start(directory);
      await assertConfined(pool, {
        onUnreachable: (error) => log.warn({ err: error }, "database role not checked"),
      });
      issuing.start();
      return from;
    },
    follow(changes) {
      subscription = subscribe(parts, { hosts, issuing, changes, reading, certificates });
      poll = setInterval(() => catchUp(parts, hosts), pollMs);
    },
    drain: () => issuing.stop(),
    async close() {
      if (poll) clearInterval(poll);
      await subscription?.close();
      await hosts.close();
      measured.stop();
      await reading.close();
      await pool.end();
    },
  };
}

function openEdgePool(parts: EdgeParts & { readonly databaseUrl: string }): pg.Pool {
  const { databaseUrl, settings, log } = parts;
  return openPool(databaseUrl, (error) => log.warn({ err: error }, "database connection lost"), {
    connections: countConnections(parts),
    pooler: settings.DATABASE_POOLER,
  });
}

function countConnections({ worker }: EdgeParts): number {
  return worker ? Math.max(2, Math.floor(totalConnections / worker.of)) : singleProcessConnections;
}

async function chooseReading(parts: EdgeParts, primary: pg.Pool): Promise<Reading> {
  const { settings, log } = parts;
  const { DATABASE_REPLICA_URL: url, DATABASE_REPLICA_MAX_LAG: maxLagMs } = settings;
  if (url === null) return readPrimary(primary);
  const onError = (error: Error) => log.warn({ err: error }, "replica connection lost");
  const replica = openPool(url, onError, { connections: countConnections(parts) });
  return openReading({ primary, replica, maxLagMs, log });
}

function subscribe(
  parts: EdgeParts & { readonly databaseUrl: string },
  targets: {
    readonly hosts: DatabaseHosts;
    readonly issuing: Issuing;
    readonly changes: FeedChanges;
    readonly reading: Reading;
    readonly certificates: ReplicaCertificates;
  },
): Listener {
  const { hosts, issuing, changes, reading, certificates } = targets;
  return listen({
    url: parts.databaseUrl,
    channels: [
      "mooring_hosts",
      "mooring_certificates",
      "mooring_due",
      originsChannel,
      ticketKeysChannel,
    ],
    applicationName: "mooring_edge_listen",
    role: "mooring_edge",
    onNotification: (channel, payload) => {
      if (channel === "mooring_hosts") {
        // A replica has a change after the primary: read too early, it would be missed.
        void reading.whenReplayed().then(() => hosts.changed(payload));
        changes.hosts?.();
      } else if (channel === "mooring_certificates") {
        certificates.changed(payload);
        changes.certificate(payload);
      } else if (channel === originsChannel) changes.origins(payload);
      else if (channel === ticketKeysChannel) changes.ticketKeys();
      else if (payload === "certificates") issuing.wake();
    },
    onConnected: () => {
      certificates.everyChanged();
      changes.everyCertificate();
      changes.hosts?.();
      catchUp(parts, hosts);
    },
    onError: (error) =>
      parts.log.warn({ err: error }, "notifications interrupted, polling instead"),
  });
}

/** Reads changes that notifications may have missed; without the database the last set is used. */
function catchUp({ log }: EdgeParts, hosts: DatabaseHosts): void {
  hosts.catchUp().catch((error: unknown) => log.debug({ err: error }, "host changes not read"));
}
