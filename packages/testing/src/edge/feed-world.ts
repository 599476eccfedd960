import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { createVault, generateRootKey, parseRootKeys } from "@mooring/vault";
import pg from "pg";
import { byVariable, readConfig } from "../../../control/src/config/config.ts";
import { migrate } from "../../../control/src/db/engine/migrate.ts";
import type { EdgeParts } from "../../../edge/src/config/settings.ts";
import { certificateKeyContext } from "../../../edge/src/db/certificates.ts";
import type { EdgeFeed } from "../../../edge/src/feed/feed.ts";
import { openNatsFeed } from "../../../edge/src/feed/nats/feed.ts";
import { createSignatures, type Signatures } from "../../../edge/src/feed/nats/signatures.ts";
import { openPostgresFeed } from "../../../edge/src/feed/postgres/feed.ts";
import type { Host } from "../../../edge/src/hosts/host.ts";
import { createCertificateStats } from "../../../edge/src/metrics/metrics.ts";
import { edgePurposes } from "../../../edge/src/process/start-edge.ts";
import { type RunningIssuer, startIssuer } from "../../../edge/src/process/start-issuer.ts";
import { startPostgresPair } from "../database/postgres-pair.ts";
import { startRelay } from "../database/relay.ts";
import { type NatsCluster, startNatsCluster } from "../deploy/nats-cluster.ts";
import { type NatsServer, startNatsServer } from "../deploy/nats-server.ts";
import {
  createMovableClock,
  type EdgeDatabase,
  openEdgeDatabase,
  silent,
} from "./edge-database.ts";

/** A feed as one edge process has it, with what it has reported. */
export interface OpenFeed
  extends Pick<EdgeFeed, "hosts" | "certificates" | "keys" | "origins" | "traffic"> {
  readonly from: "source" | "disk";
  readonly removed: readonly string[];
  readonly certified: readonly string[];
  /** What was reported to it about origins. */
  readonly reported: readonly string[];
  close(): Promise<void>;
}

/** A database, and whatever brings its state to edges. */
export interface FeedWorld {
  readonly database: EdgeDatabase;
  readonly clock: ReturnType<typeof createMovableClock>;
  /** `directory` has the store of an earlier one, or of another process. */
  open(directory?: string): Promise<OpenFeed>;
  directory(): string;
  /** The edge and its feed do not reach each other. */
  cut(): Promise<void>;
  restore(): Promise<void>;
  /** What was passed on is passed on once more. */
  repeat(): Promise<void>;
  /** Nothing is passed on until `resume`. */
  pause(): Promise<void>;
  resume(): Promise<void>;
  /** Nobody reaches the database. */
  cutDatabase(): Promise<void>;
  restoreDatabase(): Promise<void>;
  certify(host: Host, chain?: string): Promise<void>;
  close(): Promise<void>;
}

export interface NatsWorld extends FeedWorld {
  readonly server: NatsServer;
  /** Those of its issuers. */
  readonly signatures: Signatures;
  /** One more process with the database. */
  issuer(): Promise<RunningIssuer>;
}

/** Nothing listens there: no order is permitted. */
const nobody = "http://127.0.0.1:9/internal/ask";

async function openWorld(existing?: Parameters<typeof openEdgeDatabase>[0]) {
  const database = await openEdgeDatabase(existing);
  const clock = createMovableClock();
  const secret = generateRootKey();
  const rootKeys = parseRootKeys(secret);
  const vault = createVault(rootKeys, { purposes: edgePurposes });
  const directories: string[] = [];
  const directory = (): string => {
    const made = mkdtempSync(path.join(tmpdir(), "mooring-feed-"));
    directories.push(made);
    return made;
  };
  const createParts = (env: Readonly<Record<string, string>>): EdgeParts => ({
    settings: byVariable(
      readConfig({ DATA_DIR: directory(), SECRET_KEY: secret, ASK_URL: nobody, ...env }),
    ),
    databaseUrl: null,
    rootKeys,
    resolvers: ["127.0.0.1:9"],
    caaNames: () => [],
    log: silent,
    clock,
  });
  return {
    database,
    clock,
    vault,
    directory,
    createParts,
    async certify({ hostname, epoch, tenantId, connectionId }: Host, chain = "chain") {
      const at = certificateKeyContext(tenantId, hostname);
      const sealed = vault.seal("certificate_key", at, Buffer.from("key"));
      await database.admin.query(
        `insert into certificates (hostname, connection_id, tenant_id, environment, epoch, status,
           registrable_domain, chain, sealed_key, not_before, not_after, due_at, created_at)
         values ($1, $2, $3, 'live', $4, 'issued', 'acme.example', $5, $6, now(), now() + interval '90 days',
           now() + interval '60 days', now())
         on conflict (hostname) do update set epoch = excluded.epoch, chain = excluded.chain,
           sealed_key = excluded.sealed_key, not_after = excluded.not_after`,
        [hostname, connectionId, tenantId, epoch, chain, sealed],
      );
      await database.admin.query("select pg_notify('mooring_certificates', $1)", [hostname]);
    },
    async close() {
      await database.close();
      for (const one of directories) rmSync(one, { recursive: true, force: true });
    },
  };
}

async function follow(feed: EdgeFeed, directory: string): Promise<OpenFeed> {
  const removed: string[] = [];
  const certified: string[] = [];
  const reported: string[] = [];
  feed.hosts.onRemoved((hostname) => removed.push(hostname));
  try {
    const from = await feed.loadHosts(directory);
    feed.follow({
      certificate: (hostname) => certified.push(hostname),
      everyCertificate: () => undefined,
      ticketKeys: () => undefined,
      origins: (payload) => reported.push(payload),
    });
    const { hosts, certificates, keys, origins, traffic } = feed;
    return {
      hosts,
      certificates,
      keys,
      origins,
      traffic,
      from,
      removed,
      certified,
      reported,
      async close() {
        await feed.drain();
        await feed.close();
      },
    };
  } catch (error) {
    await feed.close();
    throw error;
  }
}

export async function openPostgresWorld(): Promise<FeedWorld> {
  const world = await openWorld();
  const relay = await startRelay(world.database.url);
  const { admin } = world.database;
  return {
    ...world,
    async open(directory = world.directory()) {
      const parts = { ...world.createParts({}), databaseUrl: relay.url };
      const shared = { vault: world.vault, stats: createCertificateStats() };
      return follow(await openPostgresFeed(parts, shared), directory);
    },
    async repeat() {
      await admin.query("select pg_notify('mooring_hosts', hostname) from claims");
    },
    cut: relay.cut,
    restore: relay.restore,
    pause: relay.cut,
    resume: relay.restore,
    cutDatabase: relay.cut,
    restoreDatabase: relay.restore,
    async close() {
      await relay.close();
      await world.close();
    },
  };
}

/** A primary and its standby, from which edges read through a link that can be cut. */
export interface ReplicaWorld
  extends Pick<FeedWorld, "database" | "certify" | "cut" | "restore" | "close"> {
  readonly primaryUrl: string;
  readonly standbyUrl: string;
  open(env: Readonly<Record<string, string>>): Promise<ReplicaFeed>;
  /** Stops or continues to apply the primary's log at the standby. */
  replay(does: "pause" | "resume"): Promise<void>;
}

export interface ReplicaFeed extends OpenFeed {
  readonly replica: NonNullable<EdgeFeed["replica"]>;
  /** The messages of the log. */
  readonly logged: readonly string[];
}

export async function openReplicaWorld(): Promise<ReplicaWorld> {
  const pair = await startPostgresPair();
  const [primaryUrl, standbyUrl] = [pair.primaryUrl("mooring"), pair.standbyUrl("mooring")];
  await onServer(pair.primaryUrl("postgres"), "create database mooring");
  await migrate(primaryUrl);
  const world = await openWorld({ url: primaryUrl, drop: () => Promise.resolve() });
  const link = await startRelay(standbyUrl);
  return {
    database: world.database,
    certify: world.certify,
    primaryUrl,
    standbyUrl,
    cut: link.cut,
    restore: link.restore,
    replay: (does) => onServer(standbyUrl, `select pg_wal_replay_${does}()`),
    async open(env) {
      const logged: string[] = [];
      const note = (_fields: object, message: string) => void logged.push(message);
      const parts = world.createParts({ DATABASE_REPLICA_URL: link.url, ...env });
      const log = { ...silent, info: note, warn: note };
      const shared = { vault: world.vault, stats: createCertificateStats() };
      const feed = await openPostgresFeed({ ...parts, log, databaseUrl: primaryUrl }, shared);
      const { replica } = feed;
      if (replica === null) throw new Error("no replica");
      return { ...(await follow(feed, world.directory())), replica, logged };
    },
    async close() {
      await link.close();
      await world.close();
      await pair.stop();
    },
  };
}

async function onServer(url: string, statement: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    await client.query(statement);
  } finally {
    await client.end();
  }
}

/** The same with a cluster of three, which the caller kills and starts. */
export interface NatsClusterWorld extends Pick<FeedWorld, "database" | "close"> {
  readonly cluster: NatsCluster;
  open(): Promise<OpenFeed>;
}

export async function openNatsClusterWorld(): Promise<NatsClusterWorld> {
  const world = await openWorld();
  const cluster = await startNatsCluster();
  const issuer = await startIssuer({
    ...world.createParts({ NATS_URL: cluster.url, NATS_REPLICAS: "3" }),
    databaseUrl: world.database.url,
    internal: null,
  });
  const env = { EDGE_FEED: "nats", NATS_URL: cluster.edgeUrl };
  return {
    database: world.database,
    cluster,
    open: () => follow(openNatsFeed(world.createParts(env), world.vault), world.directory()),
    async close() {
      await issuer.close();
      await cluster.close();
      await world.close();
    },
  };
}

export async function openNatsWorld(): Promise<NatsWorld> {
  const world = await openWorld();
  const server = await startNatsServer();
  const link = await startRelay(server.edgeUrl);
  const databaseLink = await startRelay(world.database.url);
  const issuer = (): Promise<RunningIssuer> =>
    startIssuer({
      ...world.createParts({ NATS_URL: server.url }),
      databaseUrl: databaseLink.url,
      internal: null,
    });
  let running: RunningIssuer | null = await issuer();
  const pause = async (): Promise<void> => {
    await running?.close();
    running = null;
  };
  const resume = async (): Promise<void> => {
    running = await issuer();
  };
  return {
    ...world,
    server,
    signatures: createSignatures(world.vault),
    issuer,
    pause,
    resume,
    cut: link.cut,
    restore: link.restore,
    cutDatabase: databaseLink.cut,
    restoreDatabase: databaseLink.restore,
    open: (directory = world.directory()) =>
      follow(
        openNatsFeed(world.createParts({ EDGE_FEED: "nats", NATS_URL: link.url }), world.vault),
        directory,
      ),
    async repeat() {
      await pause();
      await resume();
    },
    async close() {
      await pause();
      await Promise.all([link.close(), databaseLink.close()]);
      await server.close();
      await world.close();
    },
  };
}

/**
 * The chain of the claim's certificate; null for none, undefined where a busy machine did not
 * answer in time.
 */
export async function chainOf(feed: OpenFeed, host: Host): Promise<string | null | undefined> {
  return feed.certificates.load(host, new Date()).then(
    (found) => found?.chain ?? null,
    () => undefined,
  );
}
