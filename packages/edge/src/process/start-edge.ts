import path from "node:path";
import { createNetworkResolver } from "@mooring/dns";
import { createVault, type Vault } from "@mooring/vault";
import type pg from "pg";
import { type Asserter, startAsserter } from "../assertion/asserter.ts";
import { createKeptKeys } from "../assertion/signing-keys.ts";
import { createBudget } from "../certificates/budget.ts";
import { createDiskCache } from "../certificates/disk-cache.ts";
import { type IssueLoop, startIssueLoop } from "../certificates/issue-loop.ts";
import { createIssuers } from "../certificates/issuers.ts";
import { createPermission, createPreflight, type Permission } from "../certificates/preflight.ts";
import { createSource, type RunningSource } from "../certificates/source.ts";
import type { Clock, EdgeParts } from "../config/settings.ts";
import { startClock } from "../db/clock.ts";
import { type Listener, listen } from "../db/listen.ts";
import { assertConfined, openPool } from "../db/pool.ts";
import { createKeptHosts } from "../hosts/host-snapshot.ts";
import { createKnownHosts, type KnownHosts, loadFirst } from "../hosts/known-hosts.ts";
import {
  type CertificateStats,
  createCertificateStats,
  type EdgeFigures,
  figuresOf,
} from "../metrics/metrics.ts";
import { createOriginGuard } from "../proxy/origin-guard.ts";
import { type ListenerOptions, startListeners } from "./listeners.ts";
import { type RunningOperational, startOperational } from "./operational.ts";

export interface RunningEdge {
  readonly httpPort: number;
  readonly httpsPort: number;
  figures(): EdgeFigures;
  /** Lets requests under way finish, gives leases back; within 10 seconds. */
  close(): Promise<void>;
}

const pollMs = 5_000;
const keepHostsMs = 30_000;
/** Database connections of one machine's edge, however many processes it has; two for each at least. */
const connectionsInAll = 16;
const connectionsAlone = 8;

/** The edge process: known hosts, certificates, listeners. */
export async function startEdge(parts: EdgeParts): Promise<RunningEdge> {
  const { settings, log, worker } = parts;
  const pool = poolOf(parts);
  const measured = await startClock(pool);
  const clock = parts.clock ?? measured;
  const vault = createVault(parts.rootKeys, {
    purposes: ["certificate_key", "acme_account", "local_ca", "assertion_signing"],
  });
  const directory = path.join(settings.DATA_DIR, "edge");
  const disk = createDiskCache(directory, log);
  const kept = createKeptHosts(directory, log);
  const hosts = createKnownHosts(pool, log, clock);
  const isKeeper = worker === undefined || worker.index === 0;
  const from = await loadFirst(hosts, { kept, clock, log });
  if (isKeeper && from === "database") disk.sweep((hostname) => hosts.get(hostname) !== null);
  await assertConfined(pool, log);
  const permission = createPermission(settings.ASK_URL, fetch);
  const stats = createCertificateStats();
  const loop = issueLoop(parts, { pool, vault, clock, hosts, permission, stats });
  const certificates = createSource({ pool, vault, clock, permission, log, disk, wake: loop.wake });
  hosts.onGone((hostname) => {
    certificates.forget(hostname);
    disk.drop(hostname);
  });
  const listener = hear(parts, { hosts, certificates, loop });
  const keep = async (): Promise<void> => {
    const set = isKeeper ? hosts.current() : null;
    if (set) await kept.save(set, hosts.revision());
  };
  const timers = [
    setInterval(() => catchUp(parts, hosts), pollMs),
    setInterval(() => void keep(), keepHostsMs),
  ];
  const asserter = await asserterOf(parts, { pool, vault, clock, directory });
  const { EDGE_HOST: host } = settings;
  let listening: readonly number[] = [];
  const listeners = await startListeners({
    hosts,
    certificates,
    originGuard: createOriginGuard(settings, () => listening),
    assertion: asserter.sign,
    log,
    ...accessLogOf(parts),
    http: { host, port: settings.EDGE_HTTP_PORT },
    https: { host, port: settings.EDGE_HTTPS_PORT },
    isShared: worker !== undefined,
    ...(parts.limits ? { limits: parts.limits } : {}),
  });
  listening = [listeners.httpPort, listeners.httpsPort];
  void keep();
  const figures = (): EdgeFigures =>
    figuresOf(listeners.stats, hosts.size, process.memoryUsage.rss(), stats);
  const operational = await tellOperation(parts, figures);
  return {
    httpPort: listeners.httpPort,
    httpsPort: listeners.httpsPort,
    figures,
    async close() {
      for (const timer of timers) clearInterval(timer);
      asserter.stop();
      await Promise.all([listeners.close(), operational?.close(), listener.close(), loop.stop()]);
      await keep();
      measured.stop();
      await pool.end();
    },
  };
}

function poolOf({ databaseUrl, log, worker }: EdgeParts): pg.Pool {
  const size = worker ? Math.max(2, Math.floor(connectionsInAll / worker.of)) : connectionsAlone;
  return openPool(databaseUrl, (error) => log.warn({ err: error }, "connection lost"), size);
}

function asserterOf(
  { settings, log }: EdgeParts,
  shared: {
    readonly pool: pg.Pool;
    readonly vault: Vault;
    readonly clock: Clock;
    readonly directory: string;
  },
): Promise<Asserter> {
  const kept = createKeptKeys(shared.directory, log);
  return startAsserter({ ...shared, log, kept, issuer: settings.BASE_URL });
}

function accessLogOf({ settings, log }: EdgeParts): Pick<ListenerOptions, "accessLog"> {
  const level = settings.EDGE_ACCESS_LOG;
  return level === "off" ? {} : { accessLog: (line) => log[level](line, "request") };
}

/** One of several processes tells whoever started it instead, which speaks for all of them. */
async function tellOperation(
  { settings, worker }: EdgeParts,
  figures: () => EdgeFigures,
): Promise<RunningOperational | null> {
  const { EDGE_HOST: host, EDGE_INTERNAL_PORT: port } = settings;
  if (port === null || worker !== undefined) return null;
  const health = { status: "ok", workers: 1, serving: 1 } as const;
  return startOperational({ host, port }, { figures, health: () => health, restarts: () => 0 });
}

function issueLoop(
  { settings, resolvers, caaNames, log, random = Math.random }: EdgeParts,
  shared: {
    readonly pool: pg.Pool;
    readonly vault: Vault;
    readonly clock: Clock;
    readonly hosts: KnownHosts;
    readonly permission: Permission;
    readonly stats: CertificateStats;
  },
): IssueLoop {
  const resolver = createNetworkResolver({
    resolvers,
    authoritativePort: settings.DNS_AUTHORITATIVE_PORT,
  });
  return startIssueLoop({
    ...shared,
    log,
    random,
    issuersFor: createIssuers(settings, { ...shared, random }),
    budget: createBudget(shared.pool, shared.clock),
    preflight: createPreflight({
      resolver,
      edgeAddresses: [...settings.EDGE_IPV4, ...settings.EDGE_IPV6],
      edgeCname: settings.EDGE_CNAME,
      caaNames: (issuer) => caaNames(issuer.name),
    }),
  });
}

function hear(
  parts: EdgeParts,
  told: {
    readonly hosts: KnownHosts;
    readonly certificates: RunningSource;
    readonly loop: IssueLoop;
  },
): Listener {
  return listen({
    url: parts.databaseUrl,
    channels: ["mooring_hosts", "mooring_certificates", "mooring_due"],
    onNotification: (channel, payload) => {
      if (channel === "mooring_hosts") told.hosts.changed(payload);
      else if (channel === "mooring_certificates") told.certificates.forget(payload);
      else if (payload === "certificates") told.loop.wake();
    },
    onConnected: () => catchUp(parts, told.hosts),
    onError: (error) => parts.log.warn({ err: error }, "listening interrupted, polling meanwhile"),
  });
}

/** What notifications may have missed; while the database is away the last good set stands. */
function catchUp({ log }: EdgeParts, hosts: KnownHosts): void {
  hosts.catchUp().catch((error: unknown) => log.debug({ err: error }, "hosts not caught up"));
}
